// SPDX-License-Identifier: MIT
// time.c -- how long a launch takes: what each part of the machine needs, and the longest of them.
#include "model/model.h"
TimeCost model_time(const KernelCost *k, const Machine *m, int64_t registers, const bool *cured) { (void)k,(void)m,(void)registers,(void)cured; return (TimeCost){0}; }
