/* What the programs print: a line a call, with its status, and a line a check. */

#ifndef TANDEM_TEST_REPORT_H
#define TANDEM_TEST_REPORT_H

#include <stdio.h>

#define CALL(expression) printf("%d %s\n", (int)(expression), #expression)
#define CHECK(expression) printf("%s %s\n", (expression) ? "holds" : "FAILS", #expression)

#endif
