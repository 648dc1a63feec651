/* A C99 program over the host generator: the published words of seed 1. */

#include <stdio.h>
#include <tandem/tandem.h>

int main(void) {
    static const unsigned long long expected[4] = {0x0c3ad2165e6c6d51u, 0xbe99abbfcd4adf07u, 0xafee627d1dcf75fcu,
                                                   0x4772e79519418b8du};
    unsigned long long values[4] = {0};
    uint64_t position = 0;
    tandemGenerator_t generator;
    int version = 0, i;

    if (tandemGetVersion(&version) != TANDEM_STATUS_SUCCESS || version != TANDEM_VERSION) return 1;
    if (tandemCreateGeneratorHost(&generator, TANDEM_RNG_PSEUDO_DEFAULT) != TANDEM_STATUS_SUCCESS) return 2;
    if (tandemSetPseudoRandomGeneratorSeed(generator, 1) != TANDEM_STATUS_SUCCESS) return 3;
    if (tandemGenerateLongLong(generator, values, 4) != TANDEM_STATUS_SUCCESS) return 4;
    if (tandemGetPosition(generator, &position) != TANDEM_STATUS_SUCCESS || position != 256) return 5;
    if (tandemDestroyGenerator(generator) != TANDEM_STATUS_SUCCESS) return 6;
    for (i = 0; i < 4; ++i) {
        if (values[i] != expected[i]) {
            printf("value %d is %llx, not %llx\n", i, values[i], expected[i]);
            return 7;
        }
    }
    return 0;
}
