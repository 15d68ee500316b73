// SPDX-License-Identifier: MIT
// check_kernel.c -- `sculpt check REF.c KERNEL.cu`: somebody else's kernel against a loop nest.
//
// What the loops are: the marked ones, or else all that the function does. What the kernel's parameters are:
// the function's of the same names, then those at the same places.
#include "driver/check_asked.h"
#include "driver/driver.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- the function --------------------------------------------------------------------------------
static void add_param(Asked *q, const char *s, size_t n) {
    size_t end = n;
    bool pointer = memchr(s, '*', n) != NULL;
    const char *bracket = memchr(s, '[', n);
    if (bracket) end = (size_t)(bracket - s), pointer = true;
    while (end && !isalnum((unsigned char)s[end - 1]) && s[end - 1] != '_') end--;
    size_t at = end;
    while (at && (isalnum((unsigned char)s[at - 1]) || s[at - 1] == '_')) at--;
    CheckParam p = {arena_strndup(q->a, s + at, end - at), .pointer = pointer};
    p.constant = memmem(s, n, "const", 5) != NULL;
    p.floating = memmem(s, at, "float", 5) || memmem(s, at, "double", 6);
    if (end > at) vec_push(q->a, &q->params, p);
}

static void read_params(Asked *q, const char *text, size_t begin, size_t end) {
    const char *s = memchr(text + begin, '(', end - begin);
    int depth = 1;
    if (!s) return;
    const char *from = ++s;
    for (; *s && depth; s++) {
        depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
        if ((depth == 1 && *s == ',') || !depth) add_param(q, from, (size_t)(s - from)), from = s + 1;
    }
}

static bool is_marked(const char *text, size_t begin, size_t end) {
    static const char *const marks[] = {"sculpt", "scop", "omp", "acc"};
    for (const char *s = text + begin; (s = strstr(s, "#pragma")) && s < text + end; s++)
        for (int i = 0; i < 4; i++)
            if (str_has_prefix(s + 7 + strspn(s + 7, " \t"), marks[i])) return true;
    return false;
}

// The function that is meant: around the line, of the kernel's name, or the only one with a loop.
static bool find_function(const Asked *q, const char *text, size_t size, const char *kernel, size_t *begin,
                          size_t *end) {
    size_t b, e;
    int loops = 0;
    size_t tok, past;
    for (size_t at = 0; scan_token(text, size, at, &tok, &past); at = e) {
        bool function = scan_around(text, size, tok, &b, &e);
        if (!function) {
            e = past;
            continue;
        }
        bool here = q->line ? scan_line(text, b) <= q->line && q->line <= scan_line(text, e) : false;
        bool named = !q->line && scan_is_named(text, b, kernel);
        bool loop = scan_has(text, b, e, "for") || scan_has(text, b, e, "while");
        if (here || named || (!q->line && !q->function && loop)) *begin = b, *end = e;
        if (here || named) return true;
        loops += loop;
    }
    return !q->line && !q->function && loops == 1;
}

// The text with a mark around all that the function does, in a file of its own.
static const char *with_mark(Asked *q, const char *text, size_t size, size_t begin, size_t end) {
    const char *why, *open = strchr(text + begin, '{'), *folder = temp_folder(q->a, &why);
    const char *close = text + end - 1, *slash = strrchr(q->ref, '/');
    if (!open || !folder) return NULL;
    Text t = text_new(q->a);
    text_putn(&t, text, (size_t)(open + 1 - text));
    text_put(&t, "\n#pragma scop\n");
    q->wrapped = scan_line(text, (size_t)(open - text));
    const char *from = open + 1 + strspn(open + 1, " \t");
    if (*from == '\n') from++;
    else q->wrapped = -q->wrapped; // its first line is moved by two
    // its loops are marked by nobody
    text_put(&t, "for (int sculpt_once = 0; sculpt_once < 1; sculpt_once++) { ");
    text_putn(&t, from, (size_t)(close - from));
    text_put(&t, "}\n#pragma endscop\n");
    text_putn(&t, close, (size_t)(text + size - close));
    q->folder_file = arena_printf(q->a, "%s/%s", folder, slash ? slash + 1 : q->ref);
    return file_write(q->folder_file, text_str(&t), t.n) ? q->folder_file : NULL;
}

// REF.c, REF.c:LINE or REF.c:FUNCTION: the file's text, with the parameters of the function that is meant if
// it was found. NULL with *why.
static const char *open_function(Asked *q, const char *kernel, size_t *size, size_t *begin, size_t *end,
                                 bool *found, const char **why) {
    const char *file = q->ref;
    q->ref = word_line(q->a, file, &q->line);
    const char *colon = strrchr(file, ':');
    if (colon && !q->line && access(file, F_OK)) {
        q->function = colon + 1;
        q->ref = arena_strndup(q->a, file, (size_t)(colon - file));
    }
    if (q->function) kernel = q->function;
    const char *text = file_read(q->a, q->ref, size);
    if (!text) return *why = arena_printf(q->a, "cannot read '%s'", q->ref), NULL;
    *found = find_function(q, text, *size, kernel, begin, end);
    if (!*found && q->function)
        return *why = arena_printf(q->a, "there is no function '%s' in '%s'", q->function, q->ref), NULL;
    if (*found) read_params(q, text, *begin, *end);
    return text;
}

const char *check_function(Arena *a, const char *word, const char *kernel, CheckLaunches *out,
                           const char **why) {
    Asked q = {.a = a, .ref = word};
    size_t size, begin, end;
    bool found;
    if (!open_function(&q, kernel, &size, &begin, &end, &found, why)) return NULL;
    out->function = q.function ? q.function : kernel;
    for (int i = 0; i < q.params.n; i++) vec_push(a, &out->params, q.params.at[i]);
    if (found) return q.ref;
    return *why = arena_printf(a, "which function of '%s' is meant? FILE.c:FUNCTION says it", word), NULL;
}

static const Region *read_loops(Asked *q, const char *kernel, const char **why) {
    size_t size = 0, begin = 0, end = 0;
    bool found;
    const char *file = q->ref, *text = open_function(q, kernel, &size, &begin, &end, &found, why);
    if (!text) return NULL;
    bool whole = found && !is_marked(text, begin, end);
    const char *word = whole ? with_mark(q, text, size, begin, end) : file;
    if (!whole && q->function) word = arena_printf(q->a, "%s:%d", q->ref, scan_line(text, begin));
    if (!word) return *why = "no folder for a temporary file", NULL;
    if (whole) word = arena_printf(q->a, "%s:%d", word, abs(q->wrapped) + 2);
    char **args = NEW_N(q->a, char *, q->nflags + 3);
    int n = 0;
    for (int i = 0; i < q->nflags; i++) args[n++] = q->flags[i];
    const char *slash = strrchr(q->ref, '/');
    args[n++] = arena_printf(q->a, "-I%.*s", slash ? (int)(slash - q->ref) : 1, slash ? q->ref : ".");
    args[n++] = (char *)q->ref;
    Flags *f = flags_parse(q->a, n, args, why);
    if (!f) return NULL;
    int diags = q->c->diags.n;
    FrontUnit *u = pipeline_front(q->c, word, f);
    if (!u) return *why = "the loops could not be read", NULL;
    if (u->nregions == 1 && u->regions[0].region && (!whole || q->c->diags.n == diags))
        return u->regions[0].region;
    *why = u->nregions > 1 ? "the function has several regions of loops; FILE:LINE says which one is meant"
                           : "not all that the function does can be taken as loops";
    return NULL;
}

// ---- names ---------------------------------------------------------------------------------------
// x of d_x, dev_x and x_d, as host code names what lies on a device.
static const char *bare(Arena *a, const char *name) {
    static const char *const before[] = {"d_", "dev_", "device_", "gpu_", "h_"};
    static const char *const behind[] = {"_d", "_dev", "_device", "_gpu", "_h"};
    for (int i = 0; i < 5; i++) {
        size_t n = strlen(behind[i]);
        if (str_has_prefix(name, before[i])) return name + strlen(before[i]);
        if (str_has_suffix(name, behind[i])) return arena_strndup(a, name, strlen(name) - n);
    }
    return name;
}

// Which of the loops' parameters each of some others is, by its name, then by its place; NULL: none.
static const char **matched(const Asked *q, int n, const CheckParam *p, bool by_place) {
    const char **out = NEW_N(q->a, const char *, n + 1);
    bool *taken = NEW_N(q->a, bool, q->params.n + 1);
    for (int i = 0; i < q->binds.n; i++)
        for (int j = 0; j < q->params.n; j++) taken[j] |= str_eq(q->binds.at[i].theirs, q->params.at[j].name);
    for (int i = 0; i < q->layouts.n; i++)
        for (int j = 0; j < q->params.n; j++)
            taken[j] |= str_eq(q->layouts.at[i].theirs, q->params.at[j].name);
    // some of the kernel's pointers are const: then the others are written
    bool *told = NEW_N(q->a, bool, n + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && p[i].name; j++) told[i] |= p[j].name && p[i].pointer && p[j].pointer &&
            p[j].constant;
    for (int pass = 0; pass < (by_place ? 4 : 2); pass++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < q->params.n && p[i].name && !out[i]; j++) {
                const CheckParam *x = &q->params.at[j];
                bool same = pass == 0   ? str_eq(x->name, p[i].name)
                            : pass == 1 ? !strcasecmp(bare(q->a, x->name), bare(q->a, p[i].name))
                                        : true;
                if (pass == 2 && (x->floating != p[i].floating || (told[i] &&
                                                                   x->constant != p[i].constant))) continue;
                if (taken[j] || !same || x->pointer != p[i].pointer) continue;
                out[i] = x->name;
                taken[j] = true;
            }
    return out;
}

static bool is_bound(const Asked *q, const char *name) {
    for (int i = 0; i < q->layouts.n; i++)
        if (str_eq(q->layouts.at[i].ours, name)) return true;
    for (int i = 0; i < q->binds.n; i++)
        if (str_eq(q->binds.at[i].ours, name)) return true;
    return false;
}

// Is it named by what was read of the kernel?
static bool is_used(const KernelNest *k, int i) {
    const Region *r = k->nest->region;
    for (int j = 0; j < r->narrays; j++)
        if (str_eq(r->arrays[j]->source, k->param[i]) || str_eq(r->arrays[j]->name, k->param[i]) ||
            str_eq(r->arrays[j]->object, k->param[i]))
            return true;
    for (int j = 0; j < r->nparams; j++)
        if (str_eq(r->params[j]->source, k->param[i]) || str_eq(r->params[j]->name, k->param[i])) return true;
    return false;
}

static void bind(Asked *q, const KernelNest *k) {
    CheckParam *p = NEW_N(q->a, CheckParam, k->nparams + 1);
    for (int i = 0; i < k->nparams; i++)
        if (is_used(k, i) && !is_bound(q, k->param[i])) p[i] = (CheckParam){k->param[i], k->pointer[i],
                k->constant[i], k->floating[i]};
    const char **theirs = matched(q, k->nparams, p, true);
    bool spare = false; // some array of the loops stands for none of the kernel's
    for (int j = 0; j < q->params.n; j++) {
        bool taken = !q->params.at[j].pointer || q->params.at[j].constant;
        for (int i = 0; i < k->nparams; i++) taken |= theirs[i] && str_eq(theirs[i], q->params.at[j].name);
        for (int i = 0; i < q->binds.n; i++) taken |= str_eq(q->binds.at[i].theirs, q->params.at[j].name);
        for (int i = 0; i < q->layouts.n; i++) taken |= str_eq(q->layouts.at[i].theirs, q->params.at[j].name);
        spare |= !taken;
    }
    for (int i = 0; i < k->nparams; i++) {
        const char *to = theirs[i];
        if (!to && p[i].name && p[i].pointer && !p[i].constant &&
            !spare) // memory to work in that the caller gives
            to = arena_printf(q->a, "@%s", k->param[i]);
        if (to) vec_push(q->a, &q->binds, ((EqualBind){-1, k->param[i], to}));
    }
}

// ---- the launches ----------------------------------------------------------------------------------
// Proved, but for what was found when the kernel was read: a barrier that not all threads reach.
static EqualReport without_fault(const Asked *q, const EqualReport *proved) {
    EqualReport r = *proved;
    r.answer = EQUAL_UNDECIDED;
    r.certificate = NULL;
    for (int i = 0; i < q->c->diags.n; i++)
        if (q->c->diags.at[i].level == DIAG_ERROR) r.why = q->c->diags.at[i].text;
    return r;
}

typedef struct Reading {
    Asked *q;
    KernelFile *file;
    const Region *loops;
    VEC(EqualLaunch) launches;
    VEC(EqualTemporary) temporaries;
    VEC(EqualLoop) loops_around;
    VEC(const char *) granted;
    const char *where; // with the conditions of the case at hand
    VecFree free; // EqualTask's
    int ncases; // a bit for each place where the host's code has two ways
    const char *inexact; // why what was read is not all of a kernel; NULL: it is
    const char *why;
} Reading;

enum { MOST_SHARED = 48 << 10 };

static bool add_kernel(Reading *r, const KernelLaunch *launch, int loop, KernelNest **out) {
    KernelLaunch l = *launch;
    l.alone = l.lanes = true;
    KernelNest *k = *out = front_read_kernel(r->q->c, r->file, &l);
    if (!k) return r->why = "the kernel could not be read", false;
    if (k->ninexact && !r->inexact) r->inexact = k->inexact[0];
    for (int i = 0; i < k->ngranted; i++) {
        bool told = false;
        for (int j = 0; j < r->q->granted.n; j++) told |= str_eq(r->q->granted.at[j], k->granted[i]);
        if (!told) vec_push(r->q->a, &r->q->granted, k->granted[i]);
    }
    EqualLaunch e = {k->nest->region, k->written, k->lockstep, {l.grid_of[0], l.grid_of[1], l.grid_of[2]},
                     l.shared_of, loop};
    if (l.shared_of) // what a launch gets that asks for no more
        vec_push(r->q->a, &r->granted, arena_printf(r->q->a, "(%s) <= %lld", l.shared_of,
                                                    (long long)(MOST_SHARED - k->fixed_shared)));
    vec_push(r->q->a, &r->launches, e);
    return true;
}

static void add_condition(Reading *r, const char *x) {
    r->where = r->where ? arena_printf(r->q->a, "(%s) && (%s)", r->where, x) : x;
}

// The one that the command line gives.
static bool read_one(Reading *r, const KernelWords *w, int cases) {
    KernelNest *k;
    KernelLaunch l = w->launch;
    CheckLaunches h = {0};
    VecText any = {0};
    if (l.has_grid && !l.has_block && !check_any_block(r->q, &l, &any, &r->free))
        return r->why = "the grid is no quotient by blockDim: --block gives its size", false;
    for (int i = 0; i < any.n; i++) add_condition(r, any.at[i]);
    for (int d = 0; d < 3; d++) {
        const char *of = l.grid_of[d] ? check_read_extent(r->q->a, l.grid_of[d], cases, &h) : NULL;
        if (of) l.grid_of[d] = of;
    }
    r->ncases = h.ncases;
    for (int i = 0; i < h.conds.n; i++) add_condition(r, h.conds.at[i]);
    for (int i = 0; i < h.granted.n; i++) vec_push(r->q->a, &r->granted, h.granted.at[i]);
    if (!add_kernel(r, &l, -1, &k) || !(r->loops = read_loops(r->q, k->name, &r->why))) return false;
    bind(r->q, k);
    return true;
}

// The text with the host's names as the loops'.
static const char *renamed(Asked *q, const CheckLaunches *h, const char **theirs, const char *text) {
    Text t = text_new(q->a);
    for (const char *s = text; *s;) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        const char *to = NULL;
        for (int i = 0; n && i < h->params.n; i++)
            if (strlen(h->params.at[i].name) == n && !strncmp(h->params.at[i].name, s, n)) to = theirs[i];
        if (to) text_put(&t, to);
        else text_putn(&t, s, n ? n : 1);
        s += n ? n : 1;
    }
    return text_str(&t);
}

// The value of a constant expression: + - * / % and brackets. Behind it *s stands on what is no part of it.
static bool constant_sum(const char **s, int64_t *v);

static bool constant_operand(const char **s, int64_t *v) {
    *s += strspn(*s, " ");
    if (**s == '(') {
        ++*s;
        bool ok = constant_sum(s, v);
        return ok && *(*s)++ == ')';
    }
    char *end;
    *v = strtoll(*s, &end, 10);
    bool number = isdigit((unsigned char)**s);
    *s = end;
    return number;
}

static bool constant_product(const char **s, int64_t *v) {
    int64_t w;
    if (!constant_operand(s, v)) return false;
    for (;;) {
        *s += strspn(*s, " ");
        char op = **s;
        if (op != '*' && op != '/' && op != '%') return true;
        ++*s;
        if (!constant_operand(s, &w) || (op != '*' && w <= 0)) return false;
        *v = op == '*' ? *v * w : op == '/' ? *v / w : *v % w;
    }
}

static bool constant_sum(const char **s, int64_t *v) {
    int64_t w;
    if (!constant_product(s, v)) return false;
    for (;;) {
        *s += strspn(*s, " ");
        char op = **s;
        if (op != '+' && op != '-') return true;
        ++*s;
        if (!constant_product(s, &w)) return false;
        *v += op == '+' ? w : -w;
    }
}

static bool constant(const char *s, int64_t *v) { return constant_sum(&s, v) && !*s && *v > 0; }

// Up to three, parted by commas. False: one is no constant.
static bool numbers(Asked *q, const char *text, int64_t out[3]) {
    char *s = arena_strdup(q->a, text);
    for (int d = 0; d < 3; d++) out[d] = 1;
    for (int d = 0; d < 3 && *s; d++) {
        char *end = s + strcspn(s, ",");
        bool last = !*end;
        *end = 0;
        if (!constant(s, &out[d])) return false;
        s = last ? end : end + 1;
    }
    return true;
}

static void set_grid(Asked *q, KernelLaunch *l, const char *text) {
    char *s = arena_strdup(q->a, text);
    for (int d = 0; d < 3; d++) l->grid[d] = 1;
    for (int d = 0; d < 3 && *s; d++) {
        char *end = s + strcspn(s, ",");
        bool last = !*end;
        *end = 0;
        if (!constant(s, &l->grid[d])) l->grid[d] = 2, l->grid_of[d] = s;
        s = last ? end : end + 1;
    }
    l->has_grid = true;
}

static bool is_temporary(const Reading *r, const char *name) {
    for (int i = 0; i < r->temporaries.n; i++)
        if (str_eq(r->temporaries.at[i].name, name)) return true;
    return false;
}

static bool read_launch(Reading *r, const CheckLaunches *h, const char **theirs, int n) {
    const CheckLaunch *from = &h->launches.at[n];
    Asked *q = r->q;
    KernelLaunch l = {.kernel = from->kernel, .shared = -1, .has_block = true};
    if (!numbers(q, renamed(q, h, theirs, from->block), l.block))
        return r->why = "how many threads a block has hangs on the sizes", false;
    const char *shared = renamed(q, h, theirs, from->shared), *rest = shared;
    if (!constant_sum(&rest, &l.shared) || *rest) l.shared = -1, l.shared_of = shared;
    set_grid(q, &l, renamed(q, h, theirs, from->grid));
    KernelNest *k;
    if (!add_kernel(r, &l, from->loop, &k)) return false;
    for (int i = 0; i < k->nparams && i < from->nargs; i++) {
        const char *arg = renamed(q, h, theirs, from->arg[i]);
        size_t name = strcspn(arg, " ");
        EqualBind b = {.launch = n, .ours = k->param[i]};
        const char *behind = arg + name + strspn(arg + name, " ");
        if (k->pointer[i] && *behind) b.offset = arena_printf(q->a, "0 %s", behind), b.bytes = k->bytes[i];
        if (b.offset && *behind != '+' && *behind != '-')
            return r->why = "a pointer that a launch is given is not understood", false;
        bool allocated = h->function != NULL;
        for (int j = 0; j < h->temporaries.n; j++)
            allocated |= !strncmp(from->arg[i], h->temporaries.at[j].name, strcspn(from->arg[i], " ")) &&
                         strlen(h->temporaries.at[j].name) == strcspn(from->arg[i], " ");
        if (k->pointer[i] && !allocated)
            return r->why = "a launch is given a pointer that main does not allocate on the device", false;
        if (k->pointer[i]) arg = arena_strndup(q->a, arg, name);
        bool own = k->pointer[i] && is_temporary(r, arg);
        b.theirs = own ? arena_printf(q->a, "@%s", arg) : arg;
        vec_push(q->a, &q->binds, b);
    }
    return true;
}

// Of a main: what a pointer is copied from or to on the host says which array it is. False: another than its
// own name says.
static bool by_transfers(Asked *q, const CheckLaunches *h, const char **theirs) {
    for (int i = 0; i < h->transfers.n; i++) {
        const CheckTransfer *t = &h->transfers.at[i];
        const char *is = NULL;
        for (int j = 0; j < q->params.n; j++)
            if (q->params.at[j].pointer && !strcasecmp(bare(q->a, q->params.at[j].name), bare(q->a, t->host)))
                is = q->params.at[j].name;
        for (int j = 0; j < h->params.n && is; j++) {
            if (!str_eq(h->params.at[j].name, t->device) || is_bound(q, t->device)) continue;
            if (theirs[j] && !str_eq(theirs[j], is)) return false;
            theirs[j] = is;
        }
    }
    return true;
}

// Is it the kernel that --kernel names, or an instance of it?
static bool is_asked(const char *asked, const char *launched) {
    size_t n = asked ? strlen(asked) : 0;
    return !asked || str_eq(asked, launched) || (str_has_prefix(launched, asked) && launched[n] == '<');
}

// Those of the file's host code, or of the one kernel that is asked for.
static bool read_host(Reading *r, const KernelLaunch *asked, int cases) {
    Asked *q = r->q;
    CheckLaunches h = {0};
    const char *why = check_read_launches(q->a, q->file, q->nflags, (const char *const *)q->flags, cases, &h);
    if (why) return r->why = arena_printf(q->a, "%s; --grid and --block give a launch", why), false;
    if (!r->loops && !(r->loops = read_loops(q, h.function, &r->why))) return false;
    r->ncases = h.ncases;
    q->copies = !h.function;
    const char **theirs = matched(q, h.params.n, h.params.at, h.function != NULL);
    for (int i = 0; i < h.params.n; i++)
        for (int j = 0; j < q->binds.n; j++)
            if (str_eq(q->binds.at[j].ours, h.params.at[i].name)) theirs[i] = q->binds.at[j].theirs;
    if (!by_transfers(q, &h, theirs))
        return r->why = "an array of the host's is copied to or from one of another name", false;
    for (int i = 0; i < h.params.n; i++)
        if (!theirs[i]) theirs[i] = h.params.at[i].or_else;
    for (int i = 0; i < h.temporaries.n; i++) {
        bool theirs_too = false;
        for (int j = 0; j < h.params.n; j++)
            theirs_too |= theirs[j] && str_eq(h.params.at[j].name, h.temporaries.at[i].name);
        if (theirs_too) continue;
        EqualTemporary t = {h.temporaries.at[i].name, renamed(q, &h, theirs, h.temporaries.at[i].bytes)};
        vec_push(q->a, &r->temporaries, t);
    }
    for (int i = 0; i < h.params.n; i++) // memory to work in that the caller gives
        if (h.params.at[i].pointer && !theirs[i] && !is_temporary(r, h.params.at[i].name))
            vec_push(q->a, &r->temporaries, ((EqualTemporary){h.params.at[i].name, NULL}));
    for (int i = 0; i < h.loops.n; i++) {
        const CheckLoop *x = &h.loops.at[i];
        EqualLoop e = {x->name, renamed(q, &h, theirs, x->lo), renamed(q, &h, theirs, x->hi), x->step,
                       x->outer};
        vec_push(q->a, &r->loops_around, e);
    }
    for (int i = 0; i < h.granted.n; i++)
        vec_push(q->a, &r->granted, renamed(q, &h, theirs, h.granted.at[i]));
    for (int i = 0; i < h.conds.n; i++) add_condition(r, renamed(q, &h, theirs, h.conds.at[i]));
    int n = 0;
    for (int i = 0; i < h.launches.n; i++)
        if (is_asked(asked->kernel, h.launches.at[i].kernel)) h.launches.at[n++] = h.launches.at[i];
    if (!n && asked->kernel)
        return r->why = arena_printf(q->a, "the host's code does not launch '%s'", asked->kernel), false;
    h.launches.n = n;
    for (int i = 0; i < n; i++)
        if (!read_launch(r, &h, theirs, i)) return false;
    return true;
}

// Where the host's code goes the ways that the bits of `cases` say; *n: how many places with two ways there
// are at most.
static EqualReport check_case(Asked *q, const KernelWords *w, const Region **loops, int cases, int *n) {
    EqualReport r = {.answer = EQUAL_NOT_READ};
    Reading *g = &(Reading){.q = q, .loops = *loops, .where = q->rest};
    g->file = front_kernel_file(q->c, q->file, q->nflags, (const char *const *)q->flags);
    bool given = w->launch.has_grid || w->launch.has_block || str_has_suffix(q->file, ".cl");
    if (given ? read_one(g, w, cases) : read_host(g, &w->launch, cases)) {
        EqualTask t = {.region = g->loops, .nlaunch = g->launches.n, .launch = g->launches.at};
        t.loop = g->loops_around.at;
        t.ngranted = g->granted.n;
        t.granted = g->granted.at;
        t.nbind = q->binds.n;
        t.bind = q->binds.at;
        t.ntemporary = g->temporaries.n;
        t.temporary = g->temporaries.at;
        t.where = g->where;
        t.nfree = g->free.n;
        t.free = g->free.at;
        t.nlayout = q->layouts.n;
        t.layout = q->layouts.at;
        t.reassociate = q->reassociate;
        t.approximate = q->approximate;
        t.certificate = q->certificate && !g->ncases;
        t.unrun = cases > 0;
        if (g->inexact) r = (EqualReport){.answer = EQUAL_UNDECIDED, .why = g->inexact};
        else r = equal_check(q->c, &t);
        if (r.answer == EQUAL_PROVED && q->c->errors) r = without_fault(q, &r);
        if (r.answer == EQUAL_PROVED && g->ncases)
            r.why = "no certificate: how much is launched has several cases";
    } else r.why = g->why;
    *loops = g->loops;
    if (g->ncases > *n) *n = g->ncases;
    return r;
}

// What one of the cases takes for granted, all do together.
static void add_case(Asked *q, EqualReport *r, const EqualReport *of) {
    r->finite |= of->finite, r->no_nan |= of->no_nan;
    if (of->order && (!r->order || str_eq(of->order, "regrouped"))) r->order = of->order;
    if (r->granted && of->granted && !str_eq(r->granted, of->granted))
        r->granted = arena_printf(q->a, "%s && %s", r->granted, of->granted);
    else if (of->granted) r->granted = of->granted;
}

enum { MOST_CASES = 4 };

static EqualReport check_cases(Asked *q, const KernelWords *w, const Region **loops) {
    int n = 0, binds = q->binds.n;
    EqualReport r = check_case(q, w, loops, 0, &n);
    for (int k = 1; k < 1 << n && r.answer == EQUAL_PROVED; k++) {
        q->binds.n = binds;
        if (n > MOST_CASES)
            r = (EqualReport){.answer = EQUAL_UNDECIDED, .why = "the launch has too many cases"};
        else {
            EqualReport before = r;
            r = check_case(q, w, loops, k, &n);
            if (r.answer == EQUAL_PROVED) add_case(q, &r, &before);
        }
    }
    q->binds.n = binds;
    return r;
}

// With each size that a block may have.
static EqualReport check_each_block(Asked *q, const KernelWords *w) {
    const Region *loops = NULL;
    VecBlock blocks = {0};
    EqualReport r = {.answer = EQUAL_NOT_READ};
    const char *needs = NULL;
    q->rest = q->where;
    if (!w->launch.has_block && w->launch.has_grid && !check_blocks(q, &blocks, &r.why)) return r;
    if (!blocks.n) {
        const char *written = q->rest;
        q->rest = check_with_block(q->a, written, NULL);
        r = check_cases(q, w, &loops);
        q->rest = written, q->any_block = r.answer == EQUAL_PROVED ? q->any_block : NULL;
        if (r.answer != EQUAL_NOT_READ || w->launch.has_block || !w->launch.has_grid) return r;
        // it needs a value: is it wrong with some?
        const int64_t *grid = w->launch.grid;
        Block some = {{grid[1] > 1 ? 16 : 64, grid[1] > 1 ? 8 : 1, 1}};
        vec_push(q->a, &blocks, some);
        for (int i = q->c->diags.n - 1; i >= 0; i--)
            if (q->c->diags.at[i].level == DIAG_ERROR) needs = q->c->diags.at[i].text;
        if (!needs) return r;
    }
    const char *rest = q->rest;
    for (int i = 0; i < blocks.n; i++) {
        KernelWords one = *w;
        EqualReport before = r;
        const int64_t *n = blocks.at[i].n;
        memcpy(one.launch.block, n, sizeof one.launch.block);
        one.launch.has_block = true;
        for (int d = 0; d < 3; d++) one.launch.grid_of[d] = check_with_block(q->a, w->launch.grid_of[d], n);
        q->rest = check_with_block(q->a, rest, n);
        r = check_cases(q, &one, &loops);
        if (i && r.answer == EQUAL_PROVED) add_case(q, &r, &before);
        if (r.answer == EQUAL_PROVED) continue;
        if (r.answer == EQUAL_REFUTED)
            r.sizes = arena_printf(q->a, "blocks of %lld x %lld x %lld%s%s", (long long)n[0], (long long)n[1],
                                   (long long)n[2], r.sizes && *r.sizes ? ", " : "", r.sizes ? r.sizes : "");
        else r.why = arena_printf(q->a, "blocks of %lld x %lld x %lld: %s", (long long)n[0], (long long)n[1],
                                  (long long)n[2], r.why ? r.why : "");
        break;
    }
    if (needs && r.answer != EQUAL_REFUTED && r.answer != EQUAL_NOT_READ)
        r = (EqualReport){.answer = EQUAL_UNDECIDED, .why = needs};
    if (r.answer == EQUAL_PROVED && blocks.n > 1 && q->certificate)
        r.certificate = NULL, r.why = "no certificate: blocks of several sizes were looked at";
    return r;
}

static int check(Asked *q, const KernelWords *w) {
    EqualReport r = check_each_block(q, w);
    if (r.answer == EQUAL_NOT_READ && !q->json)
        for (int i = 0; i < q->c->diags.n; i++) diag_print(stderr, &q->c->diags.at[i], true);
    const char *text = r.answer == EQUAL_PROVED ? r.certificate : NULL;
    bool lost = text && !file_write(q->certificate, text, strlen(text));
    if (lost) {
        r.certificate = NULL;
        r.why = arena_printf(q->a, "no certificate: '%s' cannot be written", q->certificate);
    }
    int status = check_tell(q, &r);
    return lost ? 3 : status;
}

int check_kernel(int argc, char **argv) {
    Compile *c = compile_new();
    Asked q = {.c = c, .a = c->arena};
    c->in_order = true;
    KernelWords w;
    const char *why = NULL;
    int status = 3;
    if (!front_kernel_words(c->arena, argc, argv, &w, &why) || !check_words(&q, &w, &why))
        usage_error("check", "%s", why);
    else status = check(&q, &w);
    compile_free(c);
    return status;
}
