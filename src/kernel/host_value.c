// SPDX-License-Identifier: MIT
// host_value.c -- expressions of host code: numbers, dim3, what is assigned on the way.
//
// Every value that does not follow from the text is unknown and says which variable it hangs on.
#include "kernel/host_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 400000, MAX_ARGS = 48 };

typedef struct Ev {
    Host *h;
    int at, end;
    bool dry;              // only read: a branch that is not taken
    const char *path;      // the variable that was read last, ending at path_end
    int path_end;
} Ev;

static HostVal expr(Ev *e);
static HostVal assigned(Ev *e);

// ---- values --------------------------------------------------------------------------------
HostVal host_unknown(const char *why) { return (HostVal){.open = {why ? why : ""}}; }
HostVal host_int(int64_t v) { return (HostVal){.kind = HOST_INT, .i = {v}}; }
static HostVal truth(bool b) { return (HostVal){.kind = HOST_BOOL, .i = {b}}; }
static HostVal real(double f) { return (HostVal){.kind = HOST_FLOAT, .f = f}; }
static bool is_number(HostVal v) { return v.kind == HOST_BOOL || v.kind == HOST_INT || v.kind == HOST_FLOAT; }
static double as_real(HostVal v) { return v.kind == HOST_FLOAT ? v.f : (double)v.i[0]; }
static bool is_true(HostVal v) { return v.kind == HOST_FLOAT ? v.f != 0 : v.i[0] != 0; }

static int64_t as_int(HostVal v) {
    if (v.kind != HOST_FLOAT) return v.i[0];
    return fabs(v.f) < 9e18 ? (int64_t)v.f : 0;
}

HostVal host_sizes(HostVal v) {
    if (v.kind == HOST_SIZES) return v;
    HostVal s = {.kind = HOST_SIZES, .i = {1, 1, 1}};
    if (is_number(v)) s.i[0] = as_int(v);
    else s.open[0] = v.open[0] ? v.open[0] : "";
    return s;
}

static const char *const whole[] = {"int", "unsigned", "long", "short", "char", "size_t", "uint", "int32_t",
    "uint32_t", "int64_t", "uint64_t", "ptrdiff_t", "uchar", "ushort", "ulong", "uint8_t", "int8_t",
    "uint16_t", "int16_t", "signed"};
static const char *const launchers[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
    "hipLaunchKernelGGL"};
static const char *const real_types[] = {"float", "double", "half", "__half"};

static bool among(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (str_eq(word, list[i])) return true;
    return false;
}
#define AMONG(word, list) among(word, list, sizeof list / sizeof *list)

bool host_is_type(const char *w) {
    return AMONG(w, whole) || AMONG(w, real_types) || str_eq(w, "bool") || str_eq(w, "dim3") ||
           str_eq(w, "void") || str_eq(w, "const") || str_eq(w, "auto");
}

HostVal host_convert(HostVal v, const char *type) {
    if (!type) return v;
    if (str_eq(type, "dim3")) return host_sizes(v);
    if (!is_number(v)) return v;
    if (AMONG(type, whole)) {
        int64_t i = as_int(v);
        bool narrow = str_eq(type, "int") || str_eq(type, "int32_t"),
             natural = str_eq(type, "unsigned") || str_eq(type, "uint") || str_eq(type, "uint32_t");
        return host_int(narrow ? (int32_t)i : natural ? (uint32_t)i : i);
    }
    if (AMONG(type, real_types)) return real(str_eq(type, "double") ? as_real(v) : (double)(float)as_real(v));
    return str_eq(type, "bool") ? truth(is_true(v)) : v;
}

// ---- variables -----------------------------------------------------------------------------------
static HostVar *find_in(const HostVars *v, const char *name) {
    for (int i = v ? v->n - 1 : -1; i >= 0; i--)
        if (str_eq(v->at[i].name, name)) return &v->at[i];
    return NULL;
}

bool host_is_variable(const Host *h, const char *name) {
    return find_in(h->frame, name) || find_in(&h->globals, name);
}

static const KernelArg *given(const Host *h, const char *name) {
    for (int i = 0; i < h->nargs; i++)
        if (str_eq(h->args[i].name, name)) return &h->args[i];
    return NULL;
}

// v.x of a dim3: the variable, and which component.
static HostVar *component(Host *h, const char *path, int *d) {
    const char *dot = strrchr(path, '.');
    if (!dot || dot[1] < 'x' || dot[1] > 'z' || dot[2]) return NULL;
    *d = dot[1] - 'x';
    char *base = arena_strndup(h->a, path, (size_t)(dot - path));
    HostVar *v = find_in(h->frame, base);
    if (!v) v = find_in(&h->globals, base);
    return v && v->v.kind == HOST_SIZES ? v : NULL;
}

static HostVal lookup(Host *h, const char *path) {
    const KernelArg *g = given(h, path);
    if (g) return g->is_float ? real(g->value) : host_int((int64_t)g->value);
    HostVar *v = find_in(h->frame, path);
    if (!v) v = find_in(&h->globals, path);
    if (v) return v->v;
    int d;
    if ((v = component(h, path, &d))) return v->v.open[d] ? host_unknown(v->v.open[d]) : host_int(v->v.i[d]);
    static const struct { const char *name; int64_t v; } known[] = {{"argc", 1}, {"NULL", 0}, {"nullptr", 0},
        {"warpSize", 32},
        {"INT_MAX", INT32_MAX}, {"UINT_MAX", UINT32_MAX}, {"cudaSuccess", 0}, {"EXIT_SUCCESS", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq(path, known[i].name)) return host_int(known[i].v);
    // of cudaDeviceProp: the same for all that is sold
    static const struct { const char *end; int64_t v; } device[] = {
        {".maxThreadsPerBlock", 1024}, {".warpSize", 32}, {".maxGridSize[0]", INT32_MAX},
        {".maxGridSize[1]", 65535},
        {".maxGridSize[2]", 65535}, {".maxThreadsDim[0]", 1024}, {".maxThreadsDim[1]", 1024},
        {".maxThreadsDim[2]", 64}};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        if (str_has_suffix(path, device[i].end)) return host_int(device[i].v);
    if (str_eq(path, "true") || str_eq(path, "false")) return truth(path[0] == 't');
    if (host_is_type(path)) return (HostVal){.kind = HOST_TYPE, .open = {path}};
    return host_unknown(path);
}

void host_set(Host *h, const char *path, HostVal v, bool declared) {
    int d;
    HostVar *c = declared ? NULL : component(h, path, &d);
    if (v.kind == HOST_UNKNOWN && (!v.open[0] || !*v.open[0])) v.open[0] = path;
    if (c) {
        c->v.i[d] = as_int(v);
        c->v.open[d] = is_number(v) ? NULL : v.open[0];
        return;
    }
    HostVar *old = find_in(h->frame, path);
    if (!old && !declared) old = find_in(&h->globals, path);
    if (old) {
        old->v = old->v.kind == HOST_SIZES && !declared ? host_sizes(v) : v;
        return;
    }
    HostVar var = {path, v};
    vec_push(h->a, h->frame ? h->frame : &h->globals, var);
}

// ---- tokens ------------------------------------------------------------------------------------------
static bool sees(const Ev *e, const char *text) {
    return e->at < e->end && e->h->t[e->at].kind != HT_TEXT && str_eq(e->h->t[e->at].text, text);
}

static bool take(Ev *e, const char *text) { return sees(e, text) && ++e->at; }

int host_closing(const Host *h, int at, int end) {
    int depth = 0;
    bool angle = str_eq(h->t[at].text, "<");
    for (; at < end; at++) {
        const char *s = h->t[at].kind == HT_SIGN ? h->t[at].text : "";
        if (strchr("([{", *s) && *s) depth++;
        else if (strchr(")]}", *s) && *s) depth--;
        else if (angle && *s == '<') depth += (int)strlen(s);
        else if (angle && *s == '>') depth -= (int)strlen(s);
        else if (angle && *s == ';') return end;
        if (depth <= 0) return at + 1;
    }
    return end;
}

// ---- arithmetic ------------------------------------------------------------------------------------
static HostVal whole_op(const char *op, int64_t x, int64_t y) {
    uint64_t u = (uint64_t)x, w = (uint64_t)y;
    bool shift = y >= 0 && y < 63;
    switch (op[0]) {
    case '+': return host_int((int64_t)(u + w));
    case '-': return host_int((int64_t)(u - w));
    case '*': return host_int((int64_t)(u * w));
    case '/': return y && !(x == INT64_MIN && y == -1) ? host_int(x / y) : host_unknown(NULL);
    case '%': return y && !(x == INT64_MIN && y == -1) ? host_int(x % y) : host_unknown(NULL);
    case '&': return op[1] == '&' ? truth(x && y) : host_int(x & y);
    case '|': return op[1] == '|' ? truth(x || y) : host_int(x | y);
    case '^': return host_int(x ^ y);
    case '<':
        return op[1] == '<' ? (shift ? host_int((int64_t)(u << y)) : host_unknown(NULL))
                            : truth(op[1] ? x <= y : x < y);
    case '>':
        return op[1] == '>' ? (shift ? host_int(x >> y) : host_unknown(NULL)) : truth(op[1] ? x >= y : x > y);
    case '=': return truth(x == y);
    case '!': return truth(x != y);
    default: return host_unknown(NULL);
    }
}

static HostVal real_op(const char *op, double x, double y) {
    switch (op[0]) {
    case '+': return real(x + y);
    case '-': return real(x - y);
    case '*': return real(x * y);
    case '/': return real(x / y);
    case '<': return truth(op[1] ? x <= y : x < y);
    case '>': return truth(op[1] ? x >= y : x > y);
    case '=': return truth(x == y);
    case '!': return truth(x != y);
    case '&': return truth(x != 0 && y != 0);
    case '|': return truth(x != 0 || y != 0);
    default: return host_unknown(NULL);
    }
}

static HostVal computed(const char *op, HostVal x, HostVal y) {
    bool both = is_number(x) && is_number(y), logic = str_eq(op, "&&") || str_eq(op, "||");
    bool one = logic && ((is_number(x) && is_true(x) == (op[0] == '|')) ||
                         (is_number(y) && is_true(y) == (op[0] == '|')));
    if (one) return truth(op[0] == '|');
    if (!both) return host_unknown(is_number(x) ? y.open[0] : x.open[0]);
    if (x.kind == HOST_FLOAT || y.kind == HOST_FLOAT) return real_op(op, as_real(x), as_real(y));
    return whole_op(op, x.i[0], y.i[0]);
}

// ---- types ------------------------------------------------------------------------------------------
static int64_t size_of_type(Host *h, int at, int end) {
    static const struct { const char *name; int size; } sizes[] = {{"char", 1}, {"bool", 1}, {"uchar", 1},
        {"uint8_t", 1},
        {"int8_t", 1}, {"short", 2}, {"half", 2}, {"__half", 2}, {"ushort", 2}, {"uint16_t", 2}, {"int", 4},
        {"unsigned", 4}, {"uint", 4},
        {"float", 4}, {"int32_t", 4}, {"uint32_t", 4}, {"double", 8}, {"size_t", 8}, {"int64_t", 8},
        {"uint64_t", 8}, {"ulong", 8}};
    int64_t n = 0;
    for (; at < end; at++) {
        const char *w = h->t[at].text;
        HostVal named = h->t[at].kind == HT_WORD ? lookup(h, w) : host_unknown(NULL);
        if (named.kind == HOST_TYPE) w = named.open[0];
        if (str_eq(w, "*")) return 8;
        if (str_eq(w, "long")) return 8;
        size_t len = strlen(w);
        int lanes = len > 2 && w[len - 1] >= '2' && w[len - 1] <= '4' ? w[len - 1] - '0' : 1; // float4
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            size_t k = strlen(sizes[i].name);
            if (!strncmp(w, sizes[i].name, k) && (len == k || (lanes > 1 && len == k + 1)))
                n = n && len == k && str_eq(w, "int") ? n : sizes[i].size * (len == k ? 1 : lanes);
        }
    }
    return n;
}

// Behind a type of words, stars and a template's arguments; `at`: there is none.
static int type_end(const Host *h, int at, int end, const char **type) {
    int from = at;
    bool known = false;
    *type = NULL;
    while (at < end && h->t[at].kind == HT_WORD && (host_is_type(h->t[at].text) || (!known && at == from))) {
        known |= host_is_type(h->t[at].text);
        if (!*type || !str_eq(h->t[at].text, "int") || str_eq(*type, "const")) *type = h->t[at].text;
        at++;
    }
    bool stars = false;
    while (at < end && (str_eq(h->t[at].text, "*") || str_eq(h->t[at].text, "&"))) stars = true, at++;
    if (stars) *type = "*";
    return known || stars ? at : from;
}

// ---- calls ---------------------------------------------------------------------------------------------
typedef struct Call {
    const char *name;
    int at, nargs, ntypes;
    HostVal v[MAX_ARGS], types[MAX_ARGS];
    const char *names[MAX_ARGS]; // where an argument is a variable, or its address
    bool address[MAX_ARGS];
    int span[MAX_ARGS][2];
} Call;

static void read_call_args(Ev *e, Call *c, const char *close) {
    Host *h = e->h;
    while (e->at < e->end && !sees(e, close)) {
        int from = e->at, k = c->nargs;
        HostVal v = assigned(e);
        if (k < MAX_ARGS) {
            c->v[k] = v;
            c->span[k][0] = from, c->span[k][1] = e->at;
            c->names[k] = e->path && e->path_end == e->at ? e->path : NULL;
            for (int i = from; i < e->at; i++)
                c->address[k] |= str_eq(h->t[i].text, "&") && i + 1 < e->at && h->t[i + 1].kind == HT_WORD;
            c->nargs++;
        }
        if (!take(e, ",") && !sees(e, close)) { // something else: on to the next argument
            if (e->at >= e->end) break;
            bool opens = strchr("([{", *h->t[e->at].text) && *h->t[e->at].text && h->t[e->at].kind == HT_SIGN;
            e->at = opens ? host_closing(h, e->at, e->end) : e->at + 1;
        }
    }
    take(e, close);
}

static HostVal math(const Call *c, bool *done) {
    size_t len = strlen(c->name);
    char name[16] = "";
    if (len && len < sizeof name) memcpy(name, c->name, len + 1);
    if (len > 3 && len < sizeof name && name[len - 1] == 'f' && strcmp(name, "erf") != 0) name[len - 1] = 0;
    static const struct { const char *name; double (*f)(double); } one[] = {{"ceil", ceil}, {"floor", floor},
        {"round", round},
        {"trunc", trunc}, {"sqrt", sqrt}, {"log2", log2}, {"log", log}, {"log10", log10}, {"exp", exp},
        {"exp2", exp2}, {"fabs", fabs}};
    *done = true;
    for (size_t i = 0; c->nargs == 1 && i < sizeof one / sizeof *one; i++)
        if (str_eq(name, one[i].name)) return is_number(c->v[0]) ? real(one[i].f(as_real(c->v[0]))) : c->v[0];
    bool both = c->nargs == 2 && is_number(c->v[0]) && is_number(c->v[1]);
    bool least = str_eq(name, "min") || str_eq(name, "fmin") || str_eq(name, "MIN"),
         most = str_eq(name, "max") || str_eq(name, "fmax") || str_eq(name, "MAX");
    if (c->nargs == 2 && (least || most || str_eq(name, "pow"))) {
        if (!both) return host_unknown(is_number(c->v[0]) ? c->v[1].open[0] : c->v[0].open[0]);
        if (name[0] == 'p') return real(pow(as_real(c->v[0]), as_real(c->v[1])));
        bool first = (as_real(c->v[0]) < as_real(c->v[1])) == least;
        return c->v[first ? 0 : 1];
    }
    if (c->nargs == 1 && str_eq(name, "abs"))
        return is_number(c->v[0])
                   ? (c->v[0].kind == HOST_FLOAT ? real(fabs(c->v[0].f)) : host_int(llabs(c->v[0].i[0])))
                   : c->v[0];
    *done = false;
    return host_unknown(NULL);
}

static HostVal sizes_built(const Call *c) {
    HostVal s = {.kind = HOST_SIZES, .i = {1, 1, 1}};
    if (c->nargs == 1) return host_sizes(c->v[0]);
    for (int d = 0; d < 3 && d < c->nargs; d++) {
        s.i[d] = as_int(c->v[d]);
        if (!is_number(c->v[d])) s.open[d] = c->v[d].open[0] ? c->v[d].open[0] : "";
    }
    return s;
}

bool host_is_launcher(const char *w) { return AMONG(w, launchers); }

static HostVal called(Ev *e, Call *c) {
    Host *h = e->h;
    const char *colon = strrchr(c->name, ':'), *dot = strrchr(c->name, '.');
    if (colon) c->name = colon + 1;
    else if (dot && host_find(h, dot + 1)) c->name = dot + 1; // a method
    if (e->dry) return host_unknown(NULL);
    if (str_eq(c->name, "dim3")) return sizes_built(c);
    if (host_is_type(c->name)) return c->nargs ? host_convert(c->v[0], c->name) : host_int(0);
    if (host_is_launcher(c->name)) host_launch_call(h, c->at, c->nargs, c->span);
    HostFunc *f = host_find(h, c->name);
    if (f) return host_call(h, f, c->nargs, c->v, c->names, c->ntypes, c->types);
    bool done;
    HostVal v = math(c, &done);
    if (done) return v;
    if (strstr(c->name, "CmdLine") || str_eq(c->name, "getopt") || str_eq(c->name, "getopt_long"))
        return host_int(str_has_prefix(c->name, "getopt") ? -1 : 0);
    for (int i = 0; i < c->nargs; i++) // the function may set it
        if (c->address[i] && c->names[i]) host_set(h, c->names[i], host_unknown(c->names[i]), false);
    return host_unknown(NULL);
}

// ---- operands --------------------------------------------------------------------------------------------
static HostVal literal(const char *s) {
    char *end;
    bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    bool fraction = strchr(s, '.') || (!hex && strpbrk(s, "eEfF"));
    if (fraction) return real(strtod(s, &end));
    bool binary = s[0] == '0' && (s[1] == 'b' || s[1] == 'B');
    return host_int((int64_t)strtoull(binary ? s + 2 : s, &end, binary ? 2 : 0));
}

static HostVal unary(Ev *e);

// Parentheses: a cast, or an expression.
static HostVal parenthesis(Ev *e) {
    const char *type;
    int end = type_end(e->h, e->at, e->end, &type);
    bool operand = end + 1 < e->end && str_eq(e->h->t[end].text, ")") &&
                   (e->h->t[end + 1].kind != HT_SIGN || strchr("(~!&-*", *e->h->t[end + 1].text));
    if (end > e->at && operand) {
        e->at = end + 1;
        HostVal v = unary(e);
        return str_eq(type, "*") ? v : host_convert(v, type);
    }
    HostVal v = expr(e);
    const char *path = e->path_end == e->at ? e->path : NULL; // (n) is n
    if (!take(e, ")")) while (e->at < e->end && !take(e, ")")) e->at++;
    e->path = path, e->path_end = e->at;
    return v;
}

static HostVal size_of(Ev *e) {
    if (!sees(e, "(")) return unary(e), host_unknown(NULL);
    int from = e->at + 1, end = host_closing(e->h, e->at, e->end);
    e->at = end;
    int64_t n = size_of_type(e->h, from, end - 1);
    return n ? host_int(n) : host_unknown(NULL);
}

// The name with its scopes, members and subscripts; *indexed: an element, which nobody follows.
static const char *read_path(Ev *e, bool *indexed) {
    Host *h = e->h;
    Text t = text_new(h->a);
    while (take(e, "::")) {}
    text_printf(&t, "%s", h->t[e->at++].text);
    for (;;) {
        bool member = (sees(e, ".") || sees(e, "->") || sees(e, "::")) && e->at + 1 < e->end &&
                      h->t[e->at + 1].kind == HT_WORD;
        if (member) {
            bool scope = sees(e, "::");
            e->at++;
            if (scope && str_eq(text_str(&t), "std")) t = text_new(h->a);
            else text_printf(&t, "%s", scope ? "::" : ".");
            text_printf(&t, "%s", h->t[e->at++].text);
        } else if (sees(e, "[")) {
            int close = host_closing(h, e->at, e->end);
            int from = e->at + 1;
            HostVal i = host_eval(h, &from, close - 1);
            e->at = close;
            if (is_number(i)) text_printf(&t, "[%lld]", (long long)as_int(i));
            else *indexed = true;
        } else return text_str(&t);
    }
}

static HostVal builder(Ev *e, const char *name, int at) {
    Call c = {.name = name, .at = at};
    const char *close = sees(e, "{") ? "}" : ")";
    e->at++;
    read_call_args(e, &c, close);
    return called(e, &c);
}

// name<16, float>(…) of a function of the file; false: no such thing.
static bool template_call(Ev *e, const char *name, int at, HostVal *v) {
    Host *h = e->h;
    bool known = host_find(h, name) || str_eq(name, "min") || str_eq(name, "max") || strstr(name, "_cast");
    int close = known && sees(e, "<") ? host_closing(h, e->at, e->end) : 0;
    if (!close || close >= e->end || !str_eq(h->t[close].text, "(")) return false;
    if (strstr(name, "_cast")) {
        const char *type;
        type_end(h, e->at + 1, close - 1, &type);
        e->at = close + 1;
        *v = parenthesis(e);
        *v = type && !str_eq(type, "*") ? host_convert(*v, type) : *v;
        return true;
    }
    Call c = {.name = name, .at = at};
    for (int i = e->at + 1; i < close - 1 && c.ntypes < MAX_ARGS;) {
        HostVal x = host_eval(h, &i, close - 1);
        c.types[c.ntypes++] = x;
        if (i < close - 1) i++;
    }
    e->at = close + 1;
    read_call_args(e, &c, ")");
    *v = called(e, &c);
    return true;
}

static HostVal named(Ev *e) {
    Host *h = e->h;
    int at = e->at;
    const char *word = h->t[at].text;
    if (str_eq(word, "sizeof")) return e->at++, size_of(e);
    if (str_eq(word, "new") || str_eq(word, "delete")) {
        for (e->at++; e->at < e->end && h->t[e->at].kind == HT_WORD; e->at++) {}
        while (sees(e, "*") || sees(e, "::")) e->at++;
        while (sees(e, "[") || sees(e, "(") || sees(e, "{")) e->at = host_closing(h, e->at, e->end);
        return host_unknown(NULL);
    }
    bool indexed = false;
    const char *path = read_path(e, &indexed);
    HostVal v;
    if (template_call(e, path, at, &v)) return v;
    if (sees(e, "(") || (sees(e, "{") && host_is_type(path))) return builder(e, path, at);
    e->path = indexed ? NULL : path;
    e->path_end = e->at;
    return indexed ? host_unknown(NULL) : lookup(h, path);
}

static HostVal primary(Ev *e) {
    if (e->at >= e->end) return host_unknown(NULL);
    const HostTok *t = &e->h->t[e->at];
    if (t->kind == HT_NUMBER) return e->at++, literal(t->text);
    if (t->kind == HT_TEXT) return e->at++, t->text[0] == '\'' ? host_int(t->text[1]) : host_unknown(NULL);
    if (t->kind == HT_WORD || str_eq(t->text, "::")) return named(e);
    if (take(e, "(")) return parenthesis(e);
    if (sees(e, "{")) { // a list: a dim3's components
        Call c = {.name = "dim3"};
        e->at++;
        read_call_args(e, &c, "}");
        return sizes_built(&c);
    }
    if (sees(e, "[")) { // a lambda
        while (sees(e, "[") || sees(e, "(") || sees(e, "{")) e->at = host_closing(e->h, e->at, e->end);
        return host_unknown(NULL);
    }
    e->at++;
    return host_unknown(NULL);
}

static void step(Ev *e, HostVal v, int by) {
    bool own = e->path && e->path_end == e->at - 1 && !e->dry;
    if (own) host_set(e->h, e->path, is_number(v) ? host_int(as_int(v) + by) : v, false);
    e->path = NULL;
}

static HostVal postfix(Ev *e) {
    HostVal v = primary(e);
    if (take(e, "++")) step(e, v, 1);
    else if (take(e, "--")) step(e, v, -1);
    return v;
}

static HostVal unary(Ev *e) {
    if (take(e, "-")) return computed("-", host_int(0), unary(e));
    if (take(e, "+")) return unary(e);
    if (take(e, "!")) {
        HostVal v = unary(e);
        return is_number(v) ? truth(!is_true(v)) : v;
    }
    if (take(e, "~")) {
        HostVal v = unary(e);
        return is_number(v) ? host_int(~as_int(v)) : v;
    }
    if (take(e, "&")) {
        unary(e); // the name stays the one read last
        return host_unknown(NULL);
    }
    if (take(e, "*")) {
        unary(e);
        e->path = NULL;
        return host_unknown(NULL);
    }
    if (sees(e, "++") || sees(e, "--")) {
        int by = sees(e, "++") ? 1 : -1;
        e->at++;
        HostVal v = unary(e);
        const char *path = e->path_end == e->at ? e->path : NULL;
        v = is_number(v) ? host_int(as_int(v) + by) : v;
        if (path && !e->dry) host_set(e->h, path, v, false);
        return v;
    }
    return postfix(e);
}

// ---- operators
// ---------------------------------------------------------------------------------------------
static int level_of(const Ev *e) {
    static const char *const levels[10][5] = {{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="},
        {"<", ">", "<=", ">="},
                                              {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    for (int l = 0; l < 10; l++)
        for (int k = 0; levels[l][k]; k++)
            if (sees(e, levels[l][k])) return l;
    return -1;
}

static HostVal binary(Ev *e, int least) {
    HostVal x = unary(e);
    for (int l = level_of(e); l >= least; l = level_of(e)) {
        const char *op = e->h->t[e->at++].text;
        bool dry = e->dry, decided = l <= 1 && is_number(x) && is_true(x) == (l == 0);
        e->dry |= decided;
        HostVal y = binary(e, l + 1);
        e->dry = dry;
        x = computed(op, x, y);
        e->path = NULL;
    }
    return x;
}

static HostVal chosen(Ev *e) {
    HostVal c = binary(e, 0);
    if (!take(e, "?")) return c;
    bool known = is_number(c), dry = e->dry;
    e->dry = dry || (known && !is_true(c));
    HostVal x = assigned(e);
    take(e, ":");
    e->dry = dry || (known && is_true(c));
    HostVal y = assigned(e);
    e->dry = dry;
    e->path = NULL;
    if (known) return is_true(c) ? x : y;
    return is_number(x) && is_number(y) && as_real(x) == as_real(y) ? x : host_unknown(c.open[0]);
}

static HostVal assigned(Ev *e) {
    static const char *const ops[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    if (++e->h->steps > MAX_STEPS) {
        e->at = e->end;
        return host_unknown(NULL);
    }
    e->path = NULL;
    HostVal x = chosen(e);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (!sees(e, ops[i])) continue;
        const char *path = e->path_end == e->at ? e->path : NULL;
        e->at++;
        HostVal y = assigned(e);
        if (i) {
            char op[3] = {ops[i][0], ops[i][2] ? ops[i][1] : 0, 0};
            y = computed(op, x, y);
        }
        if (is_number(x) && x.kind != HOST_FLOAT && y.kind == HOST_FLOAT) y = host_int(as_int(y));
        else if (x.kind == HOST_FLOAT && y.kind == HOST_INT) y = real(as_real(y));
        if (path && !e->dry) host_set(e->h, path, y, false);
        e->path = NULL;
        return y;
    }
    return x;
}

static HostVal expr(Ev *e) {
    HostVal v = assigned(e);
    while (take(e, ",")) v = assigned(e);
    return v;
}

HostVal host_eval(Host *h, int *at, int end) {
    Ev e = {.h = h, .at = *at, .end = end};
    HostVal v = assigned(&e);
    *at = e.at;
    return v;
}

HostVal host_constant(Arena *a, const HostToks *t) {
    Host h = {.a = a, .t = t->at, .n = t->n};
    int at = 0;
    return host_eval(&h, &at, t->n);
}
