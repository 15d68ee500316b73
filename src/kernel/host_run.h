// SPDX-License-Identifier: MIT
// host_run.h -- what host_value.c and host_run.c share: host code that runs.
#ifndef SCULPT_KERNEL_HOST_RUN_H
#define SCULPT_KERNEL_HOST_RUN_H
#include "kernel/host.h"

typedef struct HostVar {
    const char *name;      // "n", "p.n" (also for p->n)
    HostVal v;
} HostVar;
typedef VEC(HostVar) HostVars;

typedef struct HostParam {
    const char *name, *type;
    bool by_reference;
    int init, end;         // tokens of its default; none: init == end
} HostParam;

typedef struct HostFunc {
    const char *name;
    int nparams, ntypes;   // of the template
    HostParam *params;
    const char **types;
    HostVal *instance;     // an explicit instantiation's; NULL: there is none
    int body, end;         // tokens inside the braces
    bool device;           // a kernel, or for the device alone
    bool reached;
    bool launches;         // it holds a statement that a launch needs, or one
} HostFunc;

typedef struct Host {
    Arena *a;
    const HostTok *t;
    int n;
    int nargs;
    const KernelArg *args; // --arg
    VEC(HostFunc) funcs;
    HostVars globals, *frame;
    HostLaunches launches;
    VEC(int) launched;     // tokens of the <<< in launches
    HostVal result;        // of return
    int depth, steps;
    int *needed;           // how many pieces before a token say something about a launch; NULL: all may
} Host;

// host_slice.c: fills h->needed and the functions' `launches`, when all functions are read.
void host_slice(Host *h);

// The value of an expression between two tokens, with what it changes; *at: behind it.
HostVal host_eval(Host *h, int *at, int end);
HostVal host_unknown(const char *why);
HostVal host_int(int64_t v);
// As a dim3.
HostVal host_sizes(HostVal v);
// By the type of the variable that it goes into; type: its last word, NULL: any.
HostVal host_convert(HostVal v, const char *type);
bool host_is_type(const char *word);
void host_set(Host *h, const char *name, HostVal v, bool declared);
bool host_is_variable(const Host *h, const char *name); // has it been set?
// Where the ';' of a statement stands; behind a statement; neither runs it.
int host_semicolon(const Host *h, int at, int end);
int host_statement_end(const Host *h, int at, int end);
// Does a declaration stand here? *name: the first that it declares.
bool host_declares(const Host *h, int at, int end, int *name);
bool host_leaves(const Host *h, int at);     // exit(…) and its kin
bool host_is_launcher(const char *word);     // a function of the run-time library that launches a kernel
// Behind the bracket that closes the one at `at`; for '<' too.
int host_closing(const Host *h, int at, int end);
// A function of the file, run: values in, its result; by-reference parameters go back to names[i].
HostVal host_call(Host *h, HostFunc *f, int nargs, const HostVal *args, const char *const *names, int ntypes,
                  const HostVal *types);
HostFunc *host_find(Host *h, const char *name);
void host_launch_call(Host *h, int mark, int nargs, const int (*args)[2]);
HostVal host_constant(Arena *a, const HostToks *t);
#endif
