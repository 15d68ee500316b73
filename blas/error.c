// SPDX-License-Identifier: MIT
// error.c -- xerbla_ and cblas_xerbla, both of which a program may have its own of, as the reference BLAS
// tells wrong arguments: Fortran's routine tells xerbla_, which tells cblas_xerbla if the call came from C.
// The numbers count Fortran's arguments; for row-major matrices what the caller's argument was is found out
// here.
#include "entry.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int CBLAS_CallFromC, RowMajorStrg; // the reference's own variables, which its tests look at
static __thread const BlasCall *current;

void xerbla_(const char *routine, const int *argument, size_t length);

int lsame_(const char *a, const char *b) { return toupper((unsigned char)*a) == toupper((unsigned char)*b); }

void xerbla_array_(const char *letters, const int *n, const int *argument) {
    char name[33];
    int length = *n < 0 ? 0 : *n > 32 ? 32 : *n;
    memcpy(name, letters, length);
    name[length] = 0;
    xerbla_(name, argument, length);
}

void xerbla_(const char *routine, const int *argument, size_t length) {
    char name[40] = "cblas_";
    size_t n = 0;
    while (n < length && n < 32 && routine[n] && routine[n] != ' ') n++;
    if (CBLAS_CallFromC) {
        for (size_t i = 0; i < n; i++) name[6 + i] = tolower((unsigned char)routine[i]);
        name[6 + n] = 0;
        cblas_xerbla(*argument + 1, name, "");
        return;
    }
    fprintf(stderr, " ** On entry to %.*s parameter number %d had an illegal value\n", (int)n, routine,
            *argument);
    exit(1);
}

void cblas_xerbla(int argument, const char *routine, const char *format, ...) {
    if (RowMajorStrg && current && argument > current->letters + 1) argument = current->row[argument - 2] + 1;
    if (argument) fprintf(stderr, "Parameter %d to routine %s was incorrect\n", argument, routine);
    va_list rest;
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    va_end(rest);
    exit(-1);
}

void blas_wrong(const char *routine, int argument) { xerbla_(routine, &argument, strlen(routine)); }

static void tell(const BlasCall *call, int order) {
    current = call;
    CBLAS_CallFromC = 1;
    RowMajorStrg = order == CblasRowMajor;
}

static void told(void) {
    current = NULL;
    CBLAS_CallFromC = RowMajorStrg = 0;
}

bool blas_begin(const BlasCall *call, int order, const int *chosen, char *letters) {
    static const char known[] = "NTC       UL        NU        LR"; // from 111 on
    if (order != CblasRowMajor && order != CblasColMajor) {
        tell(call, CblasColMajor);
        cblas_xerbla(1, call->name, "Illegal Order setting, %d\n", order);
        told();
        return false;
    }
    for (int i = 0; i < call->letters; i++) {
        int at = chosen[i] - CblasNoTrans;
        letters[i] = at < 0 || at >= (int)sizeof known - 1 || known[at] == ' ' ? 0 : known[at];
        if (letters[i]) continue;
        tell(call, order);
        cblas_xerbla(i + 2, call->name, "Illegal setting of a letter, %d\n", chosen[i]);
        told();
        return false;
    }
    return true;
}

void blas_end(const BlasCall *call, int order, int wrong) {
    if (!wrong) return;
    tell(call, order);
    blas_wrong(call->routine, wrong);
    told();
}
