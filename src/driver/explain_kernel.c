// SPDX-License-Identifier: MIT
// explain_kernel.c -- `sculpt explain FILE.cu --grid … --block … --arg …`: a hand-written kernel, what
// was read of it and what its barriers and bounds are worth.
#include "driver/explain_model.h"
#include "dep/written.h"
#include "front/kernel.h"
#include <string.h>

// ---- what was read -----------------------------------------------------------------------------
static void put_sizes(const char *what, const int64_t n[3]) {
    printf("%s %lld", what, (long long)n[0]);
    if (n[1] > 1 || n[2] > 1) printf(" x %lld", (long long)n[1]);
    if (n[2] > 1) printf(" x %lld", (long long)n[2]);
}

static void put_arrays(Arena *a, const KernelNest *k, const Node *body) {
    const Region *r = k->nest->region;
    puts("\n  arrays");
    for (int i = 0; i < r->narrays; i++)
        printf("    %-22s %-4s global\n", show_array(a, r->arrays[i]), type_name(r->arrays[i]->elem));
    for (int i = 0; i < body->nlocals; i++) {
        const Array *v = body->locals[i];
        static const char *const places[] = {"global", "of the block, in registers", "global, temporary", "shared", "registers, from phase to phase"};
        printf("    %-22s %-4s %s\n", show_array(a, v), type_name(v->elem), places[v->place]);
    }
    for (int i = 0; i < r->nparams; i++)
        printf("    %-22s %-4s not given: open\n", r->params[i]->name, type_name(r->params[i]->type));
}

typedef struct Put {
    Arena *a;
    Loc last;
} Put;

static void put_access(Arena *a, const Access *x, Loc at) {
    Loc loc = x->loc.line ? x->loc : at;
    bool far = x->array->place == PLACE_USER || x->array->place == PLACE_SHARED;
    if (!far) return;
    printf("    %4d:%-4d %-8s %-7s %s\n", loc.line, loc.col, x->write && x->read ? "updates" : x->write ? "writes" : "reads",
           x->array->place == PLACE_USER ? "global" : "shared", show_access(a, x->array, x->sub));
}

static void put_copy(Node *n, void *arg) {
    Put *p = arg;
    if (n->kind == N_BARRIER && n->pending >= 0) printf("    %4d:%-4d barrier\n", n->loc.line, n->loc.col);
    if (n->kind != N_COPY || !n->dst) return;
    AccessVec v = {0};
    node_copy_accesses(p->a, n, &v);
    for (int i = 1; i < v.n; i++) put_access(p->a, &v.at[i], n->loc);
    put_access(p->a, &v.at[0], n->loc);
}

static void put_kernel(Compile *c, const KernelNest *k) {
    Arena *a = c->arena;
    printf("%s:%d:%d: kernel %s, ", k->loc.file, k->loc.line, k->loc.col, k->name);
    put_sizes("grid", k->launch.grid);
    put_sizes(", block", k->launch.block);
    if (k->launch.from.line) printf(", as launched at %d:%d", k->launch.from.line, k->launch.from.col);
    putchar('\n');
    const Node *body = k->nest->root->kids[0]->body;
    while (body->kind == N_FOR && body->how == HOW_BLOCK) body = body->body;
    put_arrays(a, k, body);
    puts("\n  accesses, in the order of the text");
    Put p = {.a = a};
    node_walk(k->written, put_copy, &p);
    for (int i = 0; i < k->ninexact; i++) printf("  not the whole kernel: %s\n", k->inexact[i]);
}

bool has_kernel_file(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (argv[i][0] != '-' && front_is_kernel_file(argv[i])) return true;
    return false;
}

int explain_kernel(int argc, char **argv) {
    Compile *c = compile_new();
    const char *why = NULL, *dump = NULL;
    KernelWords o;
    bool nest = false, json = false;
    int status = 2;
    if (!front_kernel_words(c->arena, argc, argv, &o, &why)) {
        usage_error("explain", "%s", why);
        compile_free(c);
        return status;
    }
    const char *file = NULL, *wrong = NULL;
    const char **flags = NEW_N(c->arena, const char *, o.nrest + 1);
    Advice advice = {0};
    int nflags = 0;
    for (int i = 0; i < o.nrest; i++) {
        int used = word_valued("--machine", i, o.nrest, o.rest, &advice.machine);
        if (!used) used = word_valued("--cubin", i, o.nrest, o.rest, &advice.cubin);
        if (used > 0) i += used - 1;
        else if (str_eq(o.rest[i], "--json")) json = true;
        else if (o.rest[i][0] != '-' && front_is_kernel_file(o.rest[i])) file = o.rest[i];
        else if (str_has_prefix(o.rest[i], "--dump=")) dump = o.rest[i] + 7;
        else if (str_has_prefix(o.rest[i], "--")) wrong = o.rest[i];
        else flags[nflags++] = o.rest[i];
    }
    nest = str_eq(dump, "nest");
    if (wrong) {
        usage_error("explain", "'%s' is nothing that is known of kernels", wrong);
        compile_free(c);
        return status;
    }
    KernelNest *k = advice_begin(c, &advice) ? front_read_kernel(c, file, nflags, flags, &o.launch) : NULL;
    if (k && nest) {
        fputs(ir_print_region(c->arena, k->nest->region), stdout);
        fputs(ir_print_nest(c->arena, k->nest), stdout);
    } else if (k && json) {
        dep_check_written(c, k->nest, k->written, k->lockstep, NULL);
        advice_put_nests(c, &advice, 1, &k->nest);
    } else if (k) {
        put_kernel(c, k);
        putchar('\n');
        advice_put_nest(c, &advice, k->nest);
        dep_check_written(c, k->nest, k->written, k->lockstep, NULL);
    }
    fflush(stdout);
    for (int i = 0; i < c->diags.n && !json; i++) diag_print(stdout, &c->diags.at[i], true);
    status = c->errors > 0;
    compile_free(c);
    return status;
}
