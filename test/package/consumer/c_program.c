/* A C99 program over the host generator: the package, the header and the library are of one version; the published words of
 * seed 1. */

#include <stdio.h>
#include <string.h>
#include <tandem/tandem.h>

int main(void) {
    static const unsigned long long expected[4] = {0x0c3ad2165e6c6d51u, 0xbe99abbfcd4adf07u, 0xafee627d1dcf75fcu,
                                                   0x4772e79519418b8du};
    unsigned long long values[4] = {0};
    uint64_t position = 0;
    tandemGenerator_t generator;
    char text[32];
    int version = 0, i;

    if (tandemGetVersion(&version) != TANDEM_STATUS_SUCCESS || version != TANDEM_VERSION) return 1;
    snprintf(text, sizeof(text), "%d.%d.%d", TANDEM_VERSION_MAJOR, TANDEM_VERSION_MINOR, TANDEM_VERSION_PATCH);
    if (strcmp(text, PACKAGE_VERSION) != 0) return 8;
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
