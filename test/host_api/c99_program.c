/* The C interface from C99: this file includes nothing of CUDA and nothing of C++. */

#include <stdio.h>
#include <string.h>
#include <tandem/tandem.h>

static int failures = 0;

static void expect(int condition, const char* what) {
    if (condition) return;
    ++failures;
    fprintf(stderr, "failed: %s (last message: %s)\n", what, tandemGetLastErrorMessage());
}

int main(void) {
    /* The first values of seed 42 after its published key. */
    const uint32_t key[4] = {0x421d21ebu, 0x32d31777u, 0x62e7564bu, 0xdf2bdf82u};
    uint32_t read[4];
    unsigned int values[100], pieces[100];
    double normals[10];
    uint64_t position = 0;
    tandemGenerator_t generator = NULL, child = NULL;
    tandemDistribution_t distribution = NULL;

    expect(strcmp(tandemGetLastErrorMessage(), "") == 0, "no message before a failure");
    expect(tandemCreateGeneratorHost(&generator, TANDEM_RNG_PSEUDO_DEFAULT) == TANDEM_STATUS_SUCCESS, "create");
    expect(tandemSetPseudoRandomGeneratorSeed(generator, 42) == TANDEM_STATUS_SUCCESS, "seed");
    expect(tandemGetKey(generator, read) == TANDEM_STATUS_SUCCESS && memcmp(read, key, sizeof(key)) == 0, "the key of seed 42");
    expect(tandemGenerate(generator, values, 100) == TANDEM_STATUS_SUCCESS, "generate");
    expect(tandemSetPosition(generator, 0) == TANDEM_STATUS_SUCCESS, "rewind");
    expect(tandemGenerate(generator, pieces, 1) == TANDEM_STATUS_SUCCESS, "the first piece");
    expect(tandemGenerate(generator, pieces + 1, 99) == TANDEM_STATUS_SUCCESS, "the rest");
    expect(memcmp(values, pieces, sizeof(values)) == 0, "pieces join to the whole");
    expect(tandemGetPosition(generator, &position) == TANDEM_STATUS_SUCCESS && position == 3200, "position");
    expect(tandemGenerateNormalDouble(generator, normals, 10, 0.0, -1.0) == TANDEM_STATUS_OUT_OF_RANGE, "stddev -1");
    expect(strstr(tandemGetLastErrorMessage(), "stddev is -1") != NULL, "the message names the argument");
    expect(tandemGenerateNormalDouble(generator, normals, 10, 0.0, 1.0) == TANDEM_STATUS_SUCCESS, "normals");
    expect(tandemSplitGenerator(generator, 3, &child) == TANDEM_STATUS_SUCCESS, "split");
    expect(tandemCreateBinomialDistribution(10, 0.5, &distribution) == TANDEM_STATUS_SUCCESS, "distribution");
    expect(tandemGenerateDiscrete(child, values, 100, distribution) == TANDEM_STATUS_SUCCESS, "discrete");
    expect(tandemDestroyDistribution(distribution) == TANDEM_STATUS_SUCCESS, "destroy the distribution");
    expect(tandemDestroyGenerator(child) == TANDEM_STATUS_SUCCESS, "destroy the child");
    expect(tandemDestroyGenerator(generator) == TANDEM_STATUS_SUCCESS, "destroy");
    expect(tandemDestroyGenerator(generator) == TANDEM_STATUS_NOT_INITIALIZED, "destroy twice");
    expect(strcmp(tandemGetStatusString(TANDEM_STATUS_OUT_OF_RANGE), "TANDEM_STATUS_OUT_OF_RANGE") == 0, "status names");
    return failures == 0 ? 0 : 1;
}
