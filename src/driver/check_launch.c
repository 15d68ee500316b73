// SPDX-License-Identifier: MIT
// check_launch.c -- the launches of a file's host code, with sizes as expressions of its parameters.
//
//   void sum(const float *x, float *out, int n) {
//       float *part;
//       cudaMalloc(&part, 64 * sizeof(float));            temporary part, 64 elements
//       int blocks = (n + 255) / 256;
//       first<<<blocks, 256>>>(x, part, n);        →      grid (n + 255) / 256, block 256, x, part, n
//       second<<<1, 64>>>(part, out, blocks);
//   }
//
// A main allocates the arrays itself. Its variables whose names are those of the loops' parameters (d_x and
// x_d for x, too) stand for these, whatever number it gives them; data come before all launches, and go
// behind.
//
// Launches run in order, once, or once in each round of a loop of the host's that counts. A condition on the
// sizes makes two cases, which are proved one by one.
#include "driver/launcher.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool dimensions(Launcher *l, int from, int to, const char **out) {
    int at[3][2], n = launch_arguments(l, from, to, at, 3);
    Text t = text_new(l->a);
    for (int d = 0; d < n; d++) {
        const char *x = launch_expression(l, at[d][0], at[d][1]);
        if (!x) return launch_refuse(l, "a size of a launch is no expression of the function's parameters");
        text_printf(&t, "%s%s", d ? "," : "", x);
    }
    *out = text_str(&t);
    return n > 0;
}

// grid, or dim3(…), or a number
static bool launch_size(Launcher *l, int from, int to, const char **out) {
    const char *v = to == from + 1 ? launch_value_of(l, l->t[from].text) : NULL;
    if (v) return *out = v, true;
    if (is(l, from, "dim3")) return dimensions(l, from + 2, to - 1, out);
    return dimensions(l, from, to, out);
}

// What a name stands for that the host gave to a place in an array: "a + n"; else the name.
static const char *place_of(const Launcher *l, const char *name) {
    const char *v = launch_kind_named(l, name) == OTHER ? launch_value_of(l, name) : NULL;
    return v ? v : name;
}

// a, a + n, &a[n]: as "a + (n)"; or any other expression.
static const char *place(Launcher *l, int at, int to) {
    if (to == at + 1 && launch_value_of(l, l->t[at].text) && place_of(l, l->t[at].text) != l->t[at].text)
        return place_of(l, l->t[at].text);
    bool element = is(l, at, "&") && is(l, at + 2, "[") && launch_closing(l, at + 2) == to;
    if (!element) return launch_expression(l, at, to);
    const char *n = launch_expression(l, at + 3, to - 1);
    return n ? arena_printf(l->a, "%s + (%s)", l->t[at + 1].text, n) : NULL;
}

static bool add_launch(Launcher *l, int mark, int to) {
    CheckLaunch k = {.loop = l->loop};
    int at[16][2], name = mark - 1, close = mark + 1;
    Text t = text_new(l->a);
    if (is(l, name, ">"))
        while (name > l->at && !is(l, name, "<")) name--;
    bool instance = is(l, name, "<");
    if (instance) name--;
    text_put(&t, l->t[name].text);
    for (int i = name + 1; i < mark; i++) text_put(&t, l->t[i].text);
    k.kernel = text_str(&t);
    while (close < to && !is(l, close, ">>>"))
        close = is(l, close, "(") ? launch_closing(l, close) : close + 1;
    int n = launch_arguments(l, mark + 1, close, at, 4);
    if (n < 2 || !launch_size(l, at[0][0], at[0][1], &k.grid) ||
        !launch_size(l, at[1][0], at[1][1], &k.block))
        return launch_refuse(l, "a launch is not understood");
    k.shared = n > 2 ? launch_expression(l, at[2][0], at[2][1]) : "0";
    if (!k.shared) return launch_refuse(l, "how much shared memory a launch gets is not understood");
    Text stream = text_new(l->a);
    for (int i = n > 3 ? at[3][0] : 0; n > 3 && i < at[3][1]; i++) text_put(&stream, l->t[i].text);
    k.stream = stream.n ? text_str(&stream) : "0";
    for (int i = 0; i < l->out->launches.n; i++)
        if (l->out->launches.at[i].stream && !str_eq(l->out->launches.at[i].stream, k.stream))
            return launch_refuse(l, "nothing orders launches in two streams");
    n = launch_arguments(l, close + 2, launch_closing(l, close + 1) - 1, at, 16);
    k.nargs = n;
    k.arg = NEW_N(l->a, const char *, n + 1);
    for (int i = 0; i < n; i++) {
        bool literal = at[i][1] == at[i][0] + 1; // that is no whole number
        k.arg[i] = place(l, at[i][0], at[i][1]);
        if (!k.arg[i] && literal) k.arg[i] = l->t[at[i][0]].text;
        if (!k.arg[i]) return launch_refuse(l, "an argument of a launch is not understood");
    }
    vec_push(l->a, &l->out->launches, k);
    return true;
}

static bool is_allocated(const Launcher *l, const char *name) {
    for (int i = 0; i < l->out->temporaries.n; i++)
        if (str_eq(l->out->temporaries.at[i].name, name)) return true;
    return false;
}

// Does "a + (n)" begin with an array that is there?
static bool is_array(const Launcher *l, const char *place) {
    size_t n = strcspn(place, " ");
    bool found = false;
    for (int i = 0; i < l->out->params.n; i++) {
        const CheckParam *p = &l->out->params.at[i];
        found |= p->pointer && strlen(p->name) == n && !strncmp(p->name, place, n);
    }
    return found || is_allocated(l, arena_strndup(l->a, place, n));
}

// cudaMalloc(&p, bytes)
static bool allocate(Launcher *l, int open) {
    int at[4][2], n = launch_arguments(l, open + 1, launch_closing(l, open) - 1, at, 4);
    if (n != 2) return launch_refuse(l, "an allocation is not understood");
    const char *bytes = launch_expression(l, at[1][0], at[1][1]);
    if (!bytes) return launch_refuse(l, "the size of an allocation is not understood");
    const char *name = l->t[at[0][1] - 1].text;
    if (!is(l, at[0][1] - 2, "&")) return launch_refuse(l, "an allocation is not understood");
    bool before = is_allocated(l, name);
    for (int k = 0; k < l->out->launches.n; k++)
        for (int i = 0; i < l->out->launches.at[k].nargs; i++) {
            const char *arg = l->out->launches.at[k].arg[i];
            before |= strcspn(arg, " ") == strlen(name) && str_has_prefix(arg, name);
        }
    if (before) return launch_refuse(l, "an array is allocated after it was used, or twice");
    vec_push(l->a, &l->out->temporaries, ((CheckTemporary){name, bytes}));
    if (l->program) vec_push(l->a, &l->out->params, ((CheckParam){name, .pointer = true}));
    return true;
}

// Is the number of bytes, an expression of host code, surely a multiple of a number's size?
static bool is_multiple(const char *s, size_t n, long size) {
    while (n && *s == ' ') s++, n--;
    while (n && s[n - 1] == ' ') n--;
    if (!n) return false;
    size_t sum = 0, product = 0; // behind the last sign of each sort
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += (s[i] == '(') - (s[i] == ')');
        if (depth || s[i] == ')') continue;
        if (s[i] == '+' || s[i] == '-') sum = i + 1;
        else if (s[i] == '*') product = i + 1;
        else if (strchr("/%<>=!&|?:", s[i])) return false;
    }
    if (sum) return is_multiple(s, sum - 1, size) && is_multiple(s + sum, n - sum, size);
    if (product) return is_multiple(s, product - 1, size) || is_multiple(s + product, n - product, size);
    if (*s == '(') return is_multiple(s + 1, n - 2, size);
    return isdigit((unsigned char)*s) && strtol(s, NULL, 10) % size == 0;
}

// The name of the pointer, which may be converted; NULL: it is more than a name.
static const char *pointer_named(Launcher *l, int at, int to) {
    Text t = text_new(l->a);
    bool wrong = false;
    while (launch_skip_cast(l, at, &at, to, &t, &wrong)) {}
    return !wrong && at + 1 == to && l->t[at].kind == HT_WORD ? l->t[at].text : NULL;
}

// cudaMemset(p, 0, bytes), cudaMemcpy(p, q, bytes, …): a kernel that does that. Of numbers of 4 or 8 bytes.
static bool set_memory(Launcher *l, int open, bool copies) {
    int at[5][2], n = launch_arguments(l, open + 1, launch_closing(l, open) - 1, at, 5);
    const char *p = n >= 3 ? pointer_named(l, at[0][0], at[0][1]) : NULL, *size = "1", *from = NULL;
    const char *type = p ? launch_pointed(l, p, &size) : NULL;
    bool zero = n >= 3 && at[1][1] == at[1][0] + 1 && is(l, at[1][0], "0");
    if (n >= 3 && copies) from = pointer_named(l, at[1][0], at[1][1]);
    bool plain = type && (copies ? from != NULL : zero);
    const char *bytes = plain ? launch_expression(l, at[2][0], at[2][1]) : NULL;
    if (!bytes)
        return launch_refuse(l, "a cudaMemset or cudaMemcpy is not understood: of zeros, or of arrays");
    if (!is_multiple(bytes, strlen(bytes), strtol(size, NULL, 10)))
        return launch_refuse(l, "a cudaMemset or cudaMemcpy may end inside of an element");
    const char *count = arena_printf(l->a, "((%s) / %s)", bytes, size);
    const char *kernel = arena_printf(l->a, copies ? "sculpt_copy<%s>" : "sculpt_zero<%s>", type);
    CheckLaunch k = {kernel, arena_printf(l->a, "(%s + 255) / 256", count), "256", "0", .loop = l->loop};
    k.arg = NEW_N(l->a, const char *, 3);
    k.arg[k.nargs++] = place_of(l, p);
    if (copies) k.arg[k.nargs++] = place_of(l, from);
    k.arg[k.nargs++] = count;
    vec_push(l->a, &l->out->launches, k);
    return true;
}

// Has the variable at `name` all of the value that it is given?
static bool converts(Launcher *l, int name, int at, int to, const char *text) {
    const char *w = l->t[name].text;
    Kind kind = launch_kind_named(l, w), from = launch_widest(l, at, to);
    if (kind == OTHER && is(l, name - 1, "auto")) {
        vec_push(l->a, &l->types, ((Typed){w, from}));
        return true;
    }
    bool number = !text[strspn(text, "0123456789 ")];
    if (kind != NARROW && number) return true;
    return launch_keeps(l, kind, from, launch_operand_end(l, at, to) == to, text) ||
           launch_refuse(l, "a variable of the host's code is of a type that does not hold its value");
}

// cudaFree(p): nothing reads or writes it from here on.
static bool release(Launcher *l, int open) {
    int to = launch_closing(l, open) - 1;
    const char *p = pointer_named(l, open + 1, to);
    if (!p && is(l, open + 1, "0") && open + 2 == to) return true;
    if (!p || l->loop >= 0 || launch_value_of(l, p))
        return launch_refuse(l, "what the host frees is not understood");
    vec_push(l->a, &l->freed, p);
    return true;
}

static bool declare_one(Launcher *l, int type, int name, int to) {
    bool sizes = is(l, type, "dim3");
    while (!sizes && name < to && (launch_is_type(l, name) || is(l, name, "*"))) name++;
    if (name >= to || l->t[name].kind != HT_WORD) return launch_refuse(l, "a declaration is not understood");
    bool pointer = is(l, name - 1, "*");
    Kind kind = pointer || sizes ? OTHER : launch_kind_of(l, type, name);
    vec_push(l->a, &l->types, ((Typed){l->t[name].text, kind}));
    if (pointer && name + 1 < to && !l->program && !str_among(l->t[name + 2].text, "NULL nullptr 0")) {
        const char *x = place(l, name + 2, to);
        if (!x || !is_array(l, x)) return launch_refuse(l, "a pointer of the host's code is not understood");
        vec_push(l->a, &l->vars, ((Named){l->t[name].text, x, true}));
        return true;
    }
    if (pointer || name + 1 >= to) return true; // or set later
    const char *text = NULL;
    bool paren = is(l, name + 1, "(") || is(l, name + 1, "{");
    if (sizes && paren && !dimensions(l, name + 2, launch_closing(l, name + 1) - 1, &text)) return false;
    if (sizes && !paren && !launch_size(l, name + 2, to, &text)) return false;
    if (!sizes) text = launch_expression(l, name + 2, paren ? to - 1 : to);
    if (l->program && kind == NARROW) text = NULL; // a parameter that may be anything
    if (!sizes && text && !converts(l, name, name + 2, paren ? to - 1 : to, text)) return false;
    bool number = text && !text[strspn(text, "0123456789 *+-/()")];
    if (l->program && !sizes && (!text || number)) {
        bool floating = is(l, name - 1, "float") || is(l, name - 1, "double");
        CheckParam p = {l->t[name].text, .floating = floating, .or_else = text};
        vec_push(l->a, &l->out->params, p);
        return true;
    }
    if (!text)
        return launch_refuse(l, "a variable of the host's code is no expression of "
                                "the function's parameters");
    vec_push(l->a, &l->vars, ((Named){l->t[name].text, text, true}));
    return true;
}

// dim3 block(16, 16), grid(n / 16, n / 16)
static bool declare(Launcher *l, int at, int to) {
    for (int from = at + 1; from < to;) {
        int end = from;
        while (end < to && !is(l, end, ","))
            end = is(l, end, "(") || is(l, end, "{") ? launch_closing(l, end) : end + 1;
        if (!declare_one(l, at, from, end)) return false;
        from = end + 1;
    }
    return true;
}

// A number of a main is any number until something is made of it.
static bool is_any(Launcher *l, const char *name) {
    CheckParam *p = NULL;
    for (int i = 0; i < l->out->params.n; i++)
        if (str_eq(l->out->params.at[i].name, name)) p = &l->out->params.at[i];
    bool used = l->loop >= 0 || l->out->launches.n || l->out->temporaries.n;
    if (!l->program || !p || p->pointer || used) return false;
    for (int i = 0; i < l->vars.n; i++)
        if (scan_has(l->vars.at[i].text, 0, strlen(l->vars.at[i].text), name)) return false;
    p->or_else = NULL;
    return true;
}

// n = …; n += …; grid.x = …
static bool assign(Launcher *l, int at, int to) {
    const char *name = l->t[at - 1].text;
    const char *x = launch_expression(l, at + 1, to), *old = launch_value_of(l, name), *op = l->t[at].text;
    if (!x || !old || strchr(old, ','))
        return is_any(l, name) || launch_refuse(l, "an assignment of the host's code is not understood");
    if (!converts(l, at - 1, at + 1, to, x)) return false;
    if (op[1]) x = arena_printf(l->a, "((%s) %c (%s))", old, op[0], x);
    if (l->loop >= 0)
        return launch_refuse(l, "a variable of the host's code changes in a loop around launches");
    vec_push(l->a, &l->vars, ((Named){name, x, false}));
    return true;
}

// Does the host do here what the launches hang on?
static bool concerns(const Launcher *l, int at, int to) {
    for (int i = at; i < to; i++) {
        const char *w = l->t[i].text;
        bool sets = i > at && str_among(w, "= += -= *= /= %= &= |= ^= <<= >>= ++ --");
        bool declares = i == at && (launch_is_type(l, i) || str_eq(w, "dim3"));
        bool does = str_among(w, l->program ? "<<< cudaFree" : "<<< return") || !strncmp(w, "cudaM", 5);
        does |= l->program && is_allocated(l, w); // swap(p, q)
        if (does || declares) return true;
        int of = sets && l->t[i - 1].kind == HT_WORD ? i - 1 : i + 1; // n++, ++n
        bool changes = sets || str_among(w, "++ --");
        const char *name = changes && of < to && l->t[of].kind == HT_WORD ? l->t[of].text : NULL;
        if (name && launch_value_of(l, name)) return true;
        for (int k = 0; name && k < l->out->params.n; k++)
            if (str_eq(l->out->params.at[k].name, name)) return true;
    }
    return false;
}

// A copy of a main from the host, before all launches, or to it: cudaMemcpy(d_a, h_a, bytes, which way).
static bool is_transfer(Launcher *l, int at, int to) {
    int call = at, arg[4][2];
    while (call < to && !is(l, call, "cudaMemcpy")) call++;
    if (!l->program || call + 1 >= to) return false;
    if (launch_arguments(l, call + 2, launch_closing(l, call + 1) - 1, arg, 4) != 4) return false;
    bool back = is(l, arg[3][0], "cudaMemcpyDeviceToHost");
    bool there = is(l, arg[3][0], "cudaMemcpyHostToDevice");
    if (!back && (!there || l->out->launches.n)) return false;
    if (back && !l->out->launches.n)
        return !launch_refuse(l, "a result is copied to the host before all launches");
    for (int k = arg[0][0]; k < arg[1][1]; k++)
        if (str_among(l->t[k].text, "+ -") || (is(l, k, "[") && !is(l, k + 1, "0")))
            return !launch_refuse(l, "a copy between host and device is not of a whole array");
    // of &h_a[0] and h_a.data() the name, too
    const char *name[2];
    for (int k = 0; k < 2; k++) {
        int w = arg[k][0];
        while (w + 1 < arg[k][1] && l->t[w].kind != HT_WORD) w++;
        name[k] = arena_strndup(l->a, l->t[w].text, strcspn(l->t[w].text, "."));
    }
    if (!is_allocated(l, name[back]) || is_allocated(l, name[!back]))
        return !launch_refuse(l, "a copy between host and device goes another way than its arrays lie");
    vec_push(l->a, &l->out->transfers, ((CheckTransfer){name[back], name[!back]}));
    return true;
}

static bool statement(Launcher *l, int at, int to) {
    int mark = at;
    for (int i = at; i < to; i++)
        for (int k = 0; k < l->freed.n; k++)
            if (is(l, i, l->freed.at[k])) return launch_refuse(l, "memory is used after cudaFree");
    if (is_transfer(l, at, to)) return !l->why;
    if (l->program && !concerns(l, at, to)) return true;
    while (mark < to && !is(l, mark, "<<<")) mark++;
    if (mark < to) return add_launch(l, mark, to);
    const char *w = l->t[at].text;
    int call = -1; // cudaError_t e = cudaMalloc(…), check(cudaMalloc(…))
    for (int i = at; i < to; i++) {
        bool memory =
            str_among(l->t[i].text, "cudaMalloc cudaMallocManaged cudaMemset cudaMemsetAsync cudaMemcpy "
                                    "cudaMemcpyAsync cudaFree");
        if (memory && call >= 0) return launch_refuse(l, "several calls in one statement of the host's");
        if (memory) call = i;
    }
    if (call >= 0 && strstr(l->t[call].text, "Malloc")) return allocate(l, call + 1);
    if (call >= 0 && is(l, call, "cudaFree")) return release(l, call + 1);
    if (call >= 0) return set_memory(l, call + 1, strstr(l->t[call].text, "Memcpy") != NULL);
    if (str_among(w,
                  "cudaDeviceSynchronize cudaThreadSynchronize cudaGetLastError cudaPeekAtLastError "
                  "cudaStreamSynchronize cudaEventCreate cudaEventRecord cudaEventSynchronize "
                  "cudaEventElapsedTime cudaEventDestroy cudaError_t cudaEvent_t printf"))
        return true;
    if (str_eq(w, "return") && l->loop >= 0) return launch_refuse(l, "the host returns out of a loop");
    if (str_eq(w, "return")) return l->left = true;
    if (launch_is_type(l, at) || str_eq(w, "dim3")) return declare(l, at, to);
    if (at + 2 < to && str_among(l->t[at + 1].text, "= += -= *= /=")) return assign(l, at + 1, to);
    return launch_refuse(l, arena_printf(l->a, "the host's '%s' is not understood", w));
}

static bool statements(Launcher *l, int at, int end);

// Behind a statement that begins at `at`.
static int past(const Launcher *l, int at) {
    if (is(l, at, "{")) return launch_closing(l, at);
    if (is(l, at, "do")) return past(l, past(l, at + 1));
    if (str_among(l->t[at].text, "for while if")) {
        at = past(l, launch_closing(l, at + 1));
        return is(l, at, "else") ? past(l, at + 1) : at;
    }
    while (at < l->end && !is(l, at, ";"))
        at = is(l, at, "(") || is(l, at, "{") ? launch_closing(l, at) : at + 1;
    return at + 1;
}

// Variables that are declared since number `from` are no more.
static void end_scope(Launcher *l, int from) {
    int n = from;
    for (int i = from; i < l->vars.n; i++) {
        bool inner = false;
        for (int k = from; k <= i; k++)
            inner |= l->vars.at[k].declared && str_eq(l->vars.at[k].name, l->vars.at[i].name);
        if (inner) continue;
        Named v = l->vars.at[i];
        l->vars.at[n++] = v;
    }
    l->vars.n = n;
}

static bool block(Launcher *l, int at) {
    int to = past(l, at), vars = l->vars.n;
    bool ok = is(l, at, "{") ? statements(l, at + 1, to - 1) : statements(l, at, to);
    end_scope(l, vars);
    return ok;
}

// do { … } while (0), as macros are written
static bool once(Launcher *l, int at) {
    int to = past(l, at + 1);
    bool never = is(l, to, "while") && is(l, to + 2, "0") && is(l, to + 3, ")");
    return never ? block(l, at + 1) : launch_refuse(l, "how often the host launches hangs on conditions");
}

// for (int i = lo; i < hi; i++)
static bool loop(Launcher *l, int at) {
    int open = at + 1, close = launch_closing(l, open) - 1, first = open + 1, second = first;
    int vars = l->vars.n;
    while (second < close && !is(l, second, ";")) second++;
    int third = second + 1, name = first;
    while (third < close && !is(l, third, ";")) third++;
    while (name < second && launch_is_type(l, name)) name++;
    const char *i = l->t[name].text, *step = "1";
    bool up = third + 3 == close && (is(l, third + 1, "++") || is(l, third + 2, "++"));
    if (third + 4 == close && is(l, third + 1, i) && is(l, third + 2, "+=") &&
        l->t[third + 3].kind == HT_NUMBER)
        up = true, step = l->t[third + 3].text;
    bool below = is(l, second + 1, i) && (is(l, second + 2, "<") || is(l, second + 2, "<="));
    const char *lo = is(l, name + 1, "=") ? launch_expression(l, name + 2, second) : NULL,
               *hi = below ? launch_expression(l, second + 3, third) : NULL;
    Kind kind = name > first ? launch_kind_of(l, first, name) : launch_kind_named(l, i);
    if (!up || !lo || !hi || (kind != WHOLE && kind != LONG))
        return launch_refuse(l, "how often the host launches is not understood");
    if (is(l, second + 2, "<=")) hi = arena_printf(l->a, "(%s) + 1", hi);
    CheckLoop k = {arena_printf(l->a, "host_%s%d", i, l->out->loops.n), lo, hi, step, l->loop};
    vec_push(l->a, &l->vars, ((Named){i, k.name, true}));
    vec_push(l->a, &l->types, ((Typed){i, kind}));
    int outer = l->loop;
    l->loop = l->out->loops.n;
    vec_push(l->a, &l->out->loops, k);
    bool ok = block(l, close + 1);
    l->loop = outer, l->vars.n = vars;
    return ok;
}

// What asks for errors alone does nothing; else there are two cases.
static bool condition(Launcher *l, int at) {
    int then = launch_closing(l, at + 1), to = past(l, at), other = past(l, then);
    bool error = false, matters = false, launches = false;
    for (int i = at; i < to; i++) {
        error |= i < then && str_among(l->t[i].text, "cudaSuccess cudaGetLastError");
        launches |= is(l, i, "<<<");
        matters |= is(l, i, "<<<") || (is(l, i, "=") && !is(l, i - 2, "cudaError_t"));
    }
    if (!matters && (error || !concerns(l, then, to))) return true;
    const char *c = launch_expression(l, at + 2, then - 1);
    if (!c || l->loop >= 0) return launch_refuse(l, "how often the host launches hangs on conditions");
    bool usual = launches || is(l, other, "else"); // if (n < 1) n = 1; is not
    bool holding = launch_holds(l, usual ? c : arena_printf(l->a, "!(%s)", c)) == usual;
    return holding ? block(l, then) : is(l, other, "else") ? block(l, other + 1) : true;
}

static bool statements(Launcher *l, int at, int end) {
    for (; at < end && !l->left; at = past(l, at)) {
        bool control = str_among(l->t[at].text, "for if while do");
        bool ok = control && l->program && !concerns(l, at + 1, past(l, at)) ? true
                  : is(l, at, "for")  ? loop(l, at)
                  : is(l, at, "if") ? condition(l, at)
                  : is(l, at, "{")  ? block(l, at)
                  : is(l, at, "do") ? once(l, at)
                  : str_among(l->t[at].text, "while switch goto")
                      ? launch_refuse(l, "how often the host launches hangs on conditions")
                      : past(l, at) == at + 1 || statement(l, at, past(l, at) - 1);
        if (!ok) return false;
    }
    return true;
}

static bool launches_in(const HostTok *t, int at, int end) {
    for (; at < end; at++)
        if (str_eq(t[at].text, "<<<")) return true;
    return false;
}

const char *check_read_extent(Arena *a, const char *text, int cases, CheckLaunches *out) {
    HostToks t = host_tokens(a, "--grid", text, strlen(text), 0, NULL);
    Launcher l = {.a = a, .t = t.at, .end = t.n, .out = out, .cases = cases, .loop = -1};
    for (int i = 0; i < t.n; i++)
        if (t.at[i].kind == HT_WORD && !launch_is_type(&l, i))
            vec_push(a, &l.types, ((Typed){t.at[i].text, WHOLE}));
    return launch_expression(&l, 0, t.n);
}

const char *check_read_launches(Arena *a, const char *file, int nflags, const char *const *flags,
                                int cases, CheckLaunches *out) {
    size_t size;
    char *text = file_read(a, file, &size);
    if (!text) return "it can't be read";
    HostToks all = host_tokens(a, file, text, size, nflags, flags);
    for (int i = 0; i + 1 < all.n; i++) { // a function: NAME ( … ) {
        Launcher l = {.a = a, .t = all.at, .end = all.n, .out = out, .cases = cases, .loop = -1};
        if (all.at[i].kind != HT_WORD || !is(&l, i + 1, "(")) continue;
        int open = launch_closing(&l, i + 1);
        if (!is(&l, open, "{")) continue;
        int close = launch_closing(&l, open);
        if (!launches_in(all.at, open, close)) {
            i = open;
            continue;
        }
        if (out->function || out->launches.n)
            return "several functions of the host's code launch kernels";
        int at[32][2], n = launch_arguments(&l, i + 2, open - 1, at, 32);
        l.program = str_eq(all.at[i].text, "main");
        if (!l.program) out->function = all.at[i].text;
        for (int k = 0; k < n && !l.program; k++) {
            bool pointer = false;
            for (int j = at[k][0]; j < at[k][1]; j++) pointer |= is(&l, j, "*");
            CheckParam p = {all.at[at[k][1] - 1].text, .pointer = pointer};
            for (int j = at[k][0]; j < at[k][1]; j++) {
                p.constant |= is(&l, j, "const");
                p.floating |= is(&l, j, "float") || is(&l, j, "double");
            }
            vec_push(a, &out->params, p);
            vec_push(a, &l.types, ((Typed){p.name, launch_kind_of(&l, at[k][0], at[k][1] - 1)}));
        }
        l.at = open + 1, l.first = i;
        l.end = close - 1;
        if (!statements(&l, l.at, l.end)) return l.why ? l.why : "the host's code is not understood";
        i = close - 1;
    }
    return out->launches.n || out->ncases ? NULL : "its host code launches nothing";
}
