// SPDX-License-Identifier: MIT
// kernel.c -- a hand-written kernel from its file to a Nest: the passes in order (see kernel.h).
#include "kernel/pass.h"
#include "front/normal.h"
#include "front/plain.h"
#include <string.h>

void *kernel_refuse(KernelRead *k, DiagCode code, Loc loc, const char *fmt, ...) {
    if (k->failed) return NULL;
    k->failed = true;
    Text t = text_new(k->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    diag(k->c, DIAG_ERROR, code, loc, "%s", text_str(&t));
    return NULL;
}

bool front_is_kernel_file(const char *file) {
    return str_has_suffix(file, ".cu") || str_has_suffix(file, ".cuh") || str_has_suffix(file, ".cl");
}

void kernel_inexact(KernelRead *k, const char *fmt, ...) {
    if (!k->launch.lanes) return;
    Text t = text_new(k->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    vec_push(k->a, &k->inexact, text_str(&t));
}

void kernel_grant(KernelRead *k, const char *what) {
    for (int i = 0; i < k->granted.n; i++)
        if (str_eq(k->granted.at[i], what)) return;
    vec_push(k->a, &k->granted, what);
}

// ---- which kernel --------------------------------------------------------------------------
static bool is_named(const Decl *f, const char *name) {
    if (!name) return true;
    size_t n = strcspn(name, "<");
    return strlen(f->name) == n && strncmp(f->name, name, n) == 0;
}

static Decl *choose(KernelRead *k, const char *name) {
    Decl *found = NULL;
    Text all = text_new(k->a);
    int n = 0;
    for (int i = 0; i < k->unit->nfuncs; i++) {
        Decl *f = k->unit->funcs[i];
        if (!f->is_kernel || (!f->body && !f->is_broken) || str_eq(f->name, "sculpt_use_")) continue;
        text_printf(&all, "%s%s", n++ ? ", " : "", f->name);
        if (is_named(f, name)) found = f;
    }
    Loc at = {k->unit->file, 1, 1};
    if (!n && name)
        return kernel_refuse(
            k, SC_NO_REGION, at,
            "there is no kernel '%s' here (a template needs its arguments: --kernel 'NAME<16>')", name);
    if (!n)
        return kernel_refuse(
            k, SC_NO_REGION, at,
            "no kernel is defined here (a template needs its arguments: --kernel 'NAME<16>')");
    if (!found)
        return kernel_refuse(k, SC_NO_REGION, at, "there is no kernel '%s' here, but: %s", name,
                             text_str(&all));
    if (!name && n > 1)
        return kernel_refuse(k, SC_NO_REGION, at, "which kernel? --kernel with one of: %s", text_str(&all));
    return found;
}

static bool uses(const KernelRead *k, const Decl *f, const Undefined *u) {
    return f->loc.file == k->unit->file && u->first <= f->loc.line && f->loc.line <= u->last;
}

// The names that nothing defines and --arg does not give, in f and in what the kernel calls: "A, B"; NULL:
// none.
static const char *undefined_names(KernelRead *k, const Decl *f) {
    Text t = text_new(k->a);
    int n = 0;
    for (int i = 0; i < k->unit->nundefined; i++) {
        const char *name = k->unit->undefined[i].name;
        bool arg = false;
        for (int j = 0; j < k->launch.nargs; j++) arg |= str_eq(k->launch.args[j].name, name);
        bool used = uses(k, f, &k->unit->undefined[i]);
        for (int j = 0; j < k->funcs.n && !used; j++) used = uses(k, k->funcs.at[j], &k->unit->undefined[i]);
        if (!arg && used && n < 8) text_printf(&t, "%s%s", n++ ? ", " : "", name);
    }
    return n ? text_str(&t) : NULL;
}

// What was taken for an open number, or for a function of unknown value.
static void say_undefined(KernelRead *k) {
    const char *names = undefined_names(k, k->kernel);
    if (names)
        diag(k->c, DIAG_REMARK, SC_CLANG, k->kernel->loc,
             "not defined in this file: %s; taken as what the launch leaves open (-D NAME=VALUE gives it)",
             names);
}

// "#ifdef SINGLE" for a name that a line behind it would define; NULL: no line defines it.
static const char *condition_of(KernelRead *k, const char *name, size_t n) {
    const char *text = k->unit->text, *condition = NULL;
    for (const char *line = text, *end; line && *line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        const char *p = line + strspn(line, " \t");
        if (*p++ != '#') continue;
        p += strspn(p, " \t");
        bool asks = strncmp(p, "if", 2) == 0 || strncmp(p, "elif", 4) == 0;
        size_t all = end ? (size_t)(end - p) : strlen(p);
        while (asks && all && (p[all - 1] == '\r' || p[all - 1] == ' ')) all--;
        if (asks) condition = arena_printf(k->a, "#%.*s", (int)all, p);
        if (strncmp(p, "endif", 5) == 0) condition = NULL;
        if (strncmp(p, "define", 6) != 0) continue;
        p += 6 + strspn(p + 6, " \t");
        if (condition && strncmp(p, name, n) == 0 && (p[n] == ' ' || p[n] == '\t')) return condition;
    }
    return NULL;
}

// A type that the file defines under a condition which does not hold: which.
static void say_conditions(KernelRead *k, const Decl *f) {
    static const char words[] = "unknown type name '";
    const char *said = NULL;
    for (int i = 0; i < k->unit->nerrors; i++) {
        const AstError *e = &k->unit->errors[i];
        bool here = e->first <= f->loc.line && f->loc.line <= e->last && str_has_prefix(e->text, words);
        const char *name = here ? e->text + strlen(words) : "", *end = strchr(name, '\'');
        const char *condition = end ? condition_of(k, name, (size_t)(end - name)) : NULL;
        if (!condition || (said && str_eq(said, condition))) continue;
        said = condition;
        diag(k->c, DIAG_REMARK, SC_CLANG, e->loc,
             "this file defines '%.*s' under '%s': -D NAME makes that hold", (int)(end - name), name,
             condition);
    }
}

// clang's errors in a function.
void kernel_broken(KernelRead *k, const Decl *f) {
    for (int i = 0; i < k->unit->nerrors; i++) {
        const AstError *e = &k->unit->errors[i];
        if (e->first <= f->loc.line && f->loc.line <= e->last)
            diag(k->c, DIAG_ERROR, SC_CLANG, e->loc, "%s", e->text);
    }
    say_conditions(k, f);
    const char *names = undefined_names(k, f);
    if (names)
        diag(k->c, DIAG_REMARK, SC_CLANG, f->loc,
             "not defined in this file: %s; -D NAME=VALUE gives such a name", names);
    if (k->unit->missing)
        diag(k->c, DIAG_REMARK, SC_CLANG, f->loc,
             "not found: %s; -I FOLDER says where such a file is, -D NAME=VALUE stands for a name",
             k->unit->missing);
    else
        diag(k->c, DIAG_REMARK, SC_CLANG, f->loc,
             "what the program defines when it compiles kernels is given by -D NAME=VALUE");
    k->failed = true;
}

// ---- the launch ------------------------------------------------------------------------------
static void make_counters(KernelRead *k) {
    static const char *const names[2][3] = {{"bx", "by", "bz"}, {"tx", "ty", "tz"}},
                      *const sizes[3] = {"grid_x", "grid_y", "grid_z"};
    for (int d = 0; d < 3; d++) {
        if (k->launch.grid_of[d]) {
            k->grid[d] = ast_variable(k->a, sizes[d], ast_scalar(k->a, T_I32), NULL, k->kernel->loc);
            k->grid[d]->kind = D_PARAM;
        }
        if (d == 0 || k->launch.grid[d] > 1 || k->grid[d])
            k->block[d] = ast_variable(k->a, names[0][d], ast_scalar(k->a, T_I32), NULL, k->kernel->loc);
        if (d == 0 || k->launch.block[d] > 1 || k->launch.any_block[d])
            k->thread[d] = ast_variable(k->a, names[1][d], ast_scalar(k->a, T_I32), NULL, k->kernel->loc);
    }
}

static bool check_launch(KernelRead *k) {
    const KernelLaunch *l = &k->launch;
    if (!l->has_grid || !l->has_block) {
        const char *sizes = l->has_grid    ? "--block 16,16"
                            : l->has_block ? "--grid 64,64"
                                           : "--grid 64,64 and --block 16,16";
        const char *hangs = l->open && *l->open
                                ? arena_printf(k->a, " (it hangs on '%s', which only the run knows)", l->open)
                                : "";
        const char *arg = l->open && *l->open ? arena_printf(k->a, "--arg %s=1024, or ", l->open) : "";
        return kernel_refuse(k, SC_USAGE, l->from.line ? l->from : k->kernel->loc,
                             "how '%s' is launched can't be told here%s: give %s%s", k->kernel->name, hangs,
                             arg, sizes);
    }
    for (int d = 0; d < 3; d++)
        if (l->grid[d] < 1 || l->block[d] < 1 || l->grid[d] > INT32_MAX)
            return kernel_refuse(k, SC_USAGE, k->kernel->loc,
                                 "the launch has a size below 1, or too many blocks");
    if (l->block[2] > 64)
        return kernel_refuse(k, SC_USAGE, k->kernel->loc,
                             "a block of %lld threads in the third dimension: there are at most 64",
                             (long long)l->block[2]);
    if (l->block[0] * l->block[1] * l->block[2] > 1024)
        return kernel_refuse(k, SC_USAGE, k->kernel->loc, "a block of %lld threads: there are at most 1024",
                             (long long)(l->block[0] * l->block[1] * l->block[2]));
    return true;
}

// What CUDA's compiler takes of arrays whose size is written, and a launch at most, with permission.
enum { FIXED_SHARED = 48 << 10, MOST_SHARED = 227 << 10 };

static bool check_shared(KernelRead *k) {
    int64_t given = k->launch.shared > 0 ? k->launch.shared : 0;
    if (k->opencl || !k->launch.lanes) return true;
    if (k->fixed_shared > FIXED_SHARED || k->fixed_shared + given > MOST_SHARED)
        return kernel_refuse(k, SC_USAGE, k->kernel->loc,
                             "a block has %lld bytes of shared arrays: %d may be of arrays whose size is "
                             "written, %d in all",
                             (long long)(k->fixed_shared + given), FIXED_SHARED, MOST_SHARED);
    if (k->fixed_shared + given > FIXED_SHARED)
        kernel_grant(k, "more than 48 KB of shared memory permitted (cudaFuncSetAttribute)");
    return true;
}

Ast *kernel_blocks(KernelRead *k, const Ast *like, int d, Type t) {
    if (!k->grid[d]) return mk_int(k, like, t, k->launch.grid[d]);
    Ast *n = ast_ref(k->a, like, k->grid[d]);
    return t == T_I32 ? n : mk_cast(k, ast_scalar(k->a, t), n);
}

// for bz … for tx { the kernel's body }
static Ast *launched(KernelRead *k, Ast *body) {
    for (int d = 0; d < 3; d++)
        if (k->thread[d])
            body =
                mk_for(k, body, k->thread[d], mk_int(k, body, T_I32, k->launch.block[d]), HOW_THREAD, body);
    for (int d = 0; d < 3; d++)
        if (k->block[d])
            body = mk_for(k, body, k->block[d], kernel_blocks(k, body, d, T_I32), HOW_BLOCK, body);
    return body;
}

// ---- the region ----------------------------------------------------------------------------------
static Region *read_region(KernelRead *k) {
    for (int i = 0; i < k->funcs.n; i++) {
        Decl *f = k->funcs.at[i];
        f->body = kernel_vectors(k, f->body);
        if (!(f->body = kernel_flow(k, f))) return NULL;
        f->body = kernel_lanes(k, f->body);
    }
    if (k->unit->has_half)
        vec_push(k->a, &k->inexact, "16-bit floats are computed as whole numbers of that size");
    k->kernel->body = launched(k, k->kernel->body);
    RegionAst ra = {.unit = k->unit, .func = k->kernel, .marked = MARK_AUTO, .loc = k->kernel->loc,
                    .nstmts = 1, .stmts = &k->kernel->body, .inexact = &k->inexact,
                    .granted = &k->granted};
    for (int d = 0; d < 3; d++) ra.launch += (k->block[d] != NULL) + (k->thread[d] != NULL);
    Left left = {0};
    Region *raw = accept_region(k->c, &ra, &left);
    return raw ? normal_kernel(k->c, raw) : NULL;
}

// The loops of the launch, outermost first; *body is what is inside.
static int outer_loops(Node *n, Node *out[6], int *nblock, Node **body) {
    int count = 0;
    *nblock = 0;
    for (;;) {
        while (n && n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
        if (!n || n->kind != N_FOR || (n->how != HOW_BLOCK && n->how != HOW_THREAD) || count == 6) break;
        *nblock += n->how == HOW_BLOCK;
        out[count++] = n;
        n = n->body;
    }
    *body = n;
    return count;
}

static KernelNest *make_nest(KernelRead *k, const Region *r) {
    Node *around[6], *body;
    int nblock, n = outer_loops(kernel_narrow(k, r->root), around, &nblock, &body);
    int wanted = 0;
    for (int d = 0; d < 3; d++) wanted += (k->block[d] != NULL) + (k->thread[d] != NULL);
    bool unseen = false; // what goes to images is not in the nest
    for (int i = 0; i < k->inexact.n; i++)
        unseen |= strstr(k->inexact.at[i], "lie in an order of their own") != NULL;
    if ((!body || n != wanted) && unseen)
        return kernel_refuse(k, SC_NOT_FOR, k->kernel->loc,
                             "all that this kernel writes goes to images or textures, which are not told");
    if (!body)
        return kernel_refuse(k, SC_NOT_FOR, k->kernel->loc, "the kernel changes nothing under this launch");
    if (n != wanted) return kernel_refuse(k, SC_BUG, k->kernel->loc, "the loops of the launch were lost");
    Split *s = kernel_split(k, body, nblock, n - nblock, around);
    KernelNest *out = s ? kernel_nest(k, r, s, nblock, n - nblock, around) : NULL;
    // shared arrays of a nest have a constant size, but where only what is written is asked for
    return out && (k->launch.shared_of || ir_verify_nest(k->c, out->nest)) ? out : NULL;
}

KernelNest *front_read_kernel(Compile *c, KernelFile *f, const KernelLaunch *launch) {
    KernelRead *k = &(KernelRead){.c = c, .a = c->arena, .launch = *launch};
    kernel_find_launch(k, f);
    const char *name = k->launch.kernel;
    const AstFile *parsed = kernel_parsed(k, f, name && strchr(name, '<') ? name : NULL);
    k->unit = parsed ? ast_read_kernels(c, parsed, &k->launch) : NULL;
    if (!k->unit || !(k->kernel = choose(k, name))) return NULL;
    kernel_take_args(k);
    if (!check_launch(k) || !kernel_check_bounds(k, f)) return NULL;
    if (k->kernel->is_broken) return kernel_broken(k, k->kernel), NULL;
    make_counters(k);
    plain_forms(c, (AstUnit *)k->unit, true);
    if (!kernel_index(k)) return NULL;
    kernel_masks(k);
    if (!check_shared(k)) return NULL;
    say_undefined(k);
    Region *r = read_region(k);
    return r ? make_nest(k, r) : NULL;
}
