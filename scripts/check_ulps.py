#!/usr/bin/env python3
"""Proves the error bounds of exp64 and exp32 (contract, section 11) against mpmath.

usage: check_ulps.py DRIVER        DRIVER: the program of test/core/ulps_driver.cpp

Exit status 77 where mpmath is missing.
"""

import math
import random
import struct
import subprocess
import sys

try:
    import mpmath as mp
except ImportError:
    print("check_ulps: mpmath is not installed: skipped")
    sys.exit(77)

mp.mp.prec = 160
BOUND64, BOUND64_SUBNORMAL, BOUND32 = 0.93, 1.0, 0.94
SMALLEST64, SMALLEST32 = -1022, -126


def arguments64():
    """Dense random arguments over the whole range, neighbourhoods of the ends of each reduction interval, tiny ones, subnormal
    results."""
    rng = random.Random(2026)
    values = [rng.uniform(-745.2, 709.78) for _ in range(60000)]
    values += [rng.uniform(-745.2, -708.3) for _ in range(20000)]
    values += [rng.uniform(-0.4, 0.4) for _ in range(40000)]
    values += [rng.choice([-1, 1]) * math.ldexp(rng.uniform(1, 2), -rng.randrange(1, 80)) for _ in range(5000)]
    for n in range(-1075, 1024):
        for offset in (0.0, 0.5, -0.5, 0.4999999, -0.4999999):
            x = (n + offset) * math.log(2)
            values += [x, math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
    return [x for x in values if -745.2 < x < 709.78]


def arguments32():
    rng = random.Random(7)
    values = [rng.uniform(-103.9, 88.72) for _ in range(40000)] + [rng.uniform(-103.9, -87.3) for _ in range(20000)]
    return [struct.unpack("f", struct.pack("f", x))[0] for x in values]


def worst(driver, mode, arguments, digits, smallest):
    """The largest error in ulp of the exact result, where that is normal and where it is subnormal."""
    text = "".join(x.hex() + "\n" for x in arguments)
    results = subprocess.run([driver, mode], input=text, capture_output=True, text=True, check=True).stdout.split()
    assert len(results) == len(arguments)
    errors = {"normal": 0.0, "subnormal": 0.0}
    for x, result in zip(arguments, results):
        exact = mp.exp(mp.mpf(x))
        exponent = int(mp.floor(mp.log(exact, 2)))
        kind = "normal" if exponent >= smallest else "subnormal"
        unit = mp.ldexp(1, max(exponent, smallest) - digits)
        errors[kind] = max(errors[kind], float(abs(mp.mpf(float.fromhex(result)) - exact) / unit))
    return errors


def main():
    driver = sys.argv[1]
    failed = False

    def report(name, error, bound):
        nonlocal failed
        good = 0.5 <= error <= bound
        failed = failed or not good
        print(f"{name}: {error:.4f} ulp, allowed {bound}{'' if good else ' FAILED'}")

    e64 = worst(driver, "exp64", arguments64(), 52, SMALLEST64)
    report("exp64, normal results", e64["normal"], BOUND64)
    report("exp64, subnormal results", e64["subnormal"], BOUND64_SUBNORMAL)
    e32 = worst(driver, "exp32", arguments32(), 23, SMALLEST32)
    report("exp32, against mpmath", max(e32.values()), BOUND32)
    sweep = subprocess.run([driver, "sweep"], capture_output=True, text=True, check=True).stdout.split()
    report(f"exp32, every 61st argument (worst at {sweep[1]})", float(sweep[0]), BOUND32)
    sys.exit(failed)


if __name__ == "__main__":
    main()
