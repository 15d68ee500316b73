// SPDX-License-Identifier: MIT
// launch.c -- which launch of the host's code a kernel is read under, and what it gives.
#include "kernel/host.h"
#include "kernel/pass.h"
#include <stdlib.h>
#include <string.h>

struct KernelFile {
    Compile *c;
    const char *file;
    int nflags;
    const char *const *flags;
    bool opencl;
    HostToks host;
    const AstFile *parsed;   // NULL: not yet
};

KernelFile *front_kernel_file(Compile *c, const char *file, int nflags, const char *const *flags) {
    KernelFile *f = NEW(c->arena, KernelFile);
    *f = (KernelFile){
        .c = c, .file = file, .nflags = nflags, .flags = flags, .opencl = str_has_suffix(file, ".cl")};
    size_t size;
    char *text = file_read(c->arena, file, &size);
    if (text) f->host = host_tokens(c->arena, file, text, size, nflags, flags);
    return f;
}

bool front_kernel_knows(const KernelFile *f, const char *name) {
    bool known = !f->host.n || str_has_prefix(name, "trips_"); // a file that can't be read is told otherwise
    for (int i = 0; i < f->host.n && !known; i++)
        known = f->host.at[i].kind == HT_WORD && str_eq(f->host.at[i].text, name);
    return known;
}

KernelNames front_kernel_names(KernelFile *f) { return host_kernels(f->c->arena, &f->host); }

const AstFile *kernel_parsed(KernelRead *k, KernelFile *f, const char *instance) {
    if (instance) return ast_open_kernels(k->c, f->file, f->nflags, f->flags, instance);
    if (f->parsed) return f->parsed;
    int n = f->c->diags.n;
    f->parsed = ast_open_kernels(f->c, f->file, f->nflags, f->flags, NULL);
    for (int i = n; k->c != f->c && i < f->c->diags.n; i++) vec_push(k->a, &k->c->diags, f->c->diags.at[i]);
    return f->parsed;
}

// ---- the choice --------------------------------------------------------------------------------
static const char *open_of(const HostVal *v) {
    for (int d = 0; d < 3; d++)
        if (v->open[d]) return v->open[d];
    return NULL;
}

// The better the more is known of it; 0: another kernel's.
static int worth(const HostLaunch *l, const char *wanted) {
    size_t n = wanted ? strcspn(wanted, "<") : 0;
    if (wanted && (strlen(l->kernel) != n || strncmp(l->kernel, wanted, n) != 0)) return 0;
    bool same = wanted && wanted[n] && l->instance && str_eq(wanted + n, l->instance);
    return 1 + 4 * same + 2 * !open_of(&l->grid) + !open_of(&l->block);
}

static const HostLaunch *choose(const HostLaunches *all, const char *wanted) {
    const HostLaunch *best = NULL;
    for (int i = 0; i < all->n; i++)
        if (worth(&all->at[i], wanted) > (best ? worth(best, wanted) : 0)) best = &all->at[i];
    return best;
}

static bool take_sizes(const HostVal *v, int64_t out[3], bool *has, const char **open) {
    if (*has) return false;
    if (open_of(v)) {
        if (!*open) *open = open_of(v);
        return false;
    }
    for (int d = 0; d < 3; d++) out[d] = v->i[d];
    return *has = true;
}

static bool is(const HostToks *t, int i, const char *text) { return i < t->n && str_eq(t->at[i].text, text); }

// "bmm<16>" of  template __global__ void bmm<16>(…);  NULL: there is none of this kernel, or several.
static const char *instantiated(Arena *a, const HostToks *t, const char *wanted) {
    const char *found = NULL;
    for (int i = 0; i + 1 < t->n; i++) {
        if (!is(t, i, "template") || is(t, i + 1, "<")) continue;
        int at = i + 1;
        while (at < t->n && !is(t, at, "<") && !is(t, at, ";") && !is(t, at, "(")) at++;
        if (!is(t, at, "<") || (wanted && !is(t, at - 1, wanted))) continue;
        Text all = text_new(a);
        for (int j = at - 1; j < t->n && !is(t, j, "(") && !is(t, j, ";"); j++) text_put(&all, t->at[j].text);
        if (found && !str_eq(found, text_str(&all))) return NULL;
        found = text_str(&all);
    }
    return found;
}

void kernel_find_launch(KernelRead *k, const KernelFile *f) {
    KernelLaunch *l = &k->launch;
    k->opencl = f->opencl;
    if (k->opencl) return;
    bool plain = !l->kernel || !strchr(l->kernel, '<');
    const char *instance = plain ? instantiated(k->a, &f->host, l->kernel) : NULL;
    HostLaunches all = host_launches(k->a, &f->host, l->nargs, l->args);
    const HostLaunch *h = choose(&all, l->kernel);
    bool one = h != NULL; // else nobody says which is meant
    for (int i = 0; i < all.n; i++)
        one = one && (l->kernel || !l->alone || (str_eq(all.at[i].kernel, h->kernel) &&
                                                 str_eq(all.at[i].instance, h->instance)));
    if (plain && one && h->instance && (l->alone || !instance))
        instance = arena_printf(k->a, "%s%s", h->kernel, h->instance);
    if (instance) l->kernel = instance;
    if (l->alone || !h) return;
    k->host = h;
    bool grid = take_sizes(&h->grid, l->grid, &l->has_grid, &l->open),
         block = take_sizes(&h->block, l->block, &l->has_block, &l->open);
    if (grid || block || l->open) l->from = h->loc;
    bool known = h->shared.kind == HOST_INT && h->shared.i[0] >= 0;
    if (l->shared < 0 && known) l->shared = h->shared.i[0];
}

// ---- the size of a block -------------------------------------------------------------------------
// A product of numbers up to a comma or bracket, and *i behind that; 0: it is something else.
static int64_t product(const HostToks *t, int *i) {
    int64_t all = 1;
    bool known = true;
    for (int depth = 0; *i < t->n; ++*i) {
        const char *s = t->at[*i].text;
        if (!depth && (str_eq(s, ",") || str_eq(s, ")"))) break;
        depth += str_eq(s, "(") - str_eq(s, ")");
        if (t->at[*i].kind == HT_NUMBER) all *= strtoll(s, NULL, 0);
        else known &= str_among(s, "* ( )");
    }
    ++*i;
    return known ? all : 0;
}

bool kernel_check_bounds(KernelRead *k, const KernelFile *f) {
    const HostToks *t = &f->host;
    const int64_t *b = k->launch.block;
    if (!k->launch.lanes) return true;
    for (int end = 1; end + 1 < t->n; end++) {
        if (!is(t, end, k->kernel->name) || !is(t, end + 1, "(")) continue;
        int i = end;
        while (i && !is(t, i - 1, ";") && !is(t, i - 1, "}") && !is(t, i - 1, "{")) i--;
        while (i + 1 < end) {
            bool most = is(t, i, "__launch_bounds__"), exact = is(t, i, "reqd_work_group_size");
            if (!most && !exact) {
                i++;
                continue;
            }
            int64_t has[3], all = b[0] * b[1] * b[2];
            i += 2;
            bool known = true, fits = true;
            for (int d = 0; d < (exact ? 3 : 1); d++) {
                has[d] = product(t, &i);
                known &= has[d] > 0;
                fits &= exact ? has[d] == b[d] : all <= has[d];
            }
            if (!known) kernel_grant(k, "the launch's blocks as large as the kernel's head says");
            else if (!fits)
                return kernel_refuse(k, SC_USAGE, k->kernel->loc,
                                     "a block of %lld, %lld, %lld threads is not what '%s' says at the "
                                     "kernel",
                                     (long long)b[0], (long long)b[1], (long long)b[2],
                                     most ? "__launch_bounds__" : "reqd_work_group_size");
        }
    }
    return true;
}

// ---- what the call gives -------------------------------------------------------------------------
static bool is_given(const KernelLaunch *l, const char *name) {
    for (int i = 0; i < l->nargs; i++)
        if (str_eq(l->args[i].name, name)) return true;
    return false;
}

void kernel_take_args(KernelRead *k) {
    const HostLaunch *h = k->host;
    KernelLaunch *l = &k->launch;
    VEC(KernelArg) args = {0};
    for (int i = 0; i < l->nargs; i++) vec_push(k->a, &args, l->args[i]);
    for (int i = 0; h && i < h->nargs && i < k->kernel->nparams; i++) {
        const Decl *p = k->kernel->params[i];
        const HostVal *v = &h->args[i];
        bool whole = p->type->kind == CT_SCALAR && type_is_int(p->type->scalar);
        bool known = v->kind == HOST_INT || v->kind == HOST_BOOL || v->kind == HOST_FLOAT;
        if (!whole || !known || is_given(l, p->name)) continue;
        KernelArg a = {p->name, v->kind == HOST_FLOAT ? (double)(int64_t)v->f : (double)v->i[0], false};
        vec_push(k->a, &args, a);
    }
    l->nargs = args.n;
    l->args = args.at;
}
