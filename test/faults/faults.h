// faults.h -- programs that are run again and again while a device fails: with an argument, data stay on
// it from one call to the next.
#include <stdio.h>
void sculpt_data_begin(void) __attribute__((weak));
void sculpt_data_end(void) __attribute__((weak));

static double sum;
static void note(double x) { sum = sum * 0.75 + x; }
static int tell(void) { return printf("%.17g\n", sum) < 0; }
static void scope_begin(int argc) {
    if (argc > 1 && sculpt_data_begin) sculpt_data_begin();
}
static void scope_end(int argc) {
    if (argc > 1 && sculpt_data_end) sculpt_data_end();
}
