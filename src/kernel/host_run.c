// SPDX-License-Identifier: MIT
// host_run.c -- statements of host code, run as far as numbers go, and the launches met on the way.
#include "kernel/host_run.h"
#include <string.h>

enum { MAX_ROUNDS = 64, MAX_DEPTH = 24, MAX_STEPS = 400000 };

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } Flow;

static Flow statement(Host *h, int *at, int end);
static Flow simple(Host *h, int at, int end);

static bool is(const Host *h, int at, const char *text) {
    return at >= 0 && at < h->n && h->t[at].kind != HT_TEXT && str_eq(h->t[at].text, text);
}
static bool is_number(HostVal v) { return v.kind == HOST_BOOL || v.kind == HOST_INT || v.kind == HOST_FLOAT; }
static bool is_true(HostVal v) { return v.kind == HOST_FLOAT ? v.f != 0 : v.i[0] != 0; }

// Where the ';' of a statement stands.
int host_semicolon(const Host *h, int at, int end) {
    while (at < end && !is(h, at, ";")) {
        bool opens = is(h, at, "(") || is(h, at, "[") || is(h, at, "{");
        at = opens ? host_closing(h, at, end) : at + 1;
    }
    return at < end ? at : end;
}

// ---- launches ------------------------------------------------------------------------------
static const char *arg_text(Host *h, int at, int end) {
    int from = at;
    HostVal v = host_eval(h, &at, end);
    if (at == end && v.kind == HOST_BOOL) return v.i[0] ? "true" : "false";
    if (at == end && v.kind == HOST_INT) return arena_printf(h->a, "%lld", (long long)v.i[0]);
    if (at == end && v.kind == HOST_TYPE) return v.open[0];
    Text t = text_new(h->a);
    for (int i = from; i < end; i++) text_printf(&t, "%s%s", i > from ? " " : "", h->t[i].text);
    return text_str(&t);
}

// "<16,float>" between two tokens.
static const char *instance_text(Host *h, int at, int end) {
    Text t = text_new(h->a);
    int n = 0;
    while (at < end) {
        int from = at;
        for (; at < end && !is(h, at, ","); at++)
            if (is(h, at, "(") || is(h, at, "<")) at = host_closing(h, at, end) - 1;
        text_printf(&t, "%s%s", n++ ? "," : "", arg_text(h, from, at));
        at++;
    }
    return arena_printf(h->a, "<%s>", text_str(&t));
}

static bool is_told(const HostLaunch *l) {
    for (int d = 0; d < 3; d++)
        if (l->grid.open[d] || l->block.open[d]) return false;
    return true;
}

static void keep(Host *h, int mark, HostLaunch *l) {
    for (int i = 0; i < h->launched.n; i++) {
        if (h->launched.at[i] != mark) continue;
        if (!is_told(&h->launches.at[i]) && is_told(l)) h->launches.at[i] = *l;
        return;
    }
    vec_push(h->a, &h->launched, mark);
    vec_push(h->a, &h->launches, *l);
}

// The name of the kernel that ends before `at`, with what a template was given.
static void kernel_before(Host *h, int from, int at, HostLaunch *l) {
    if (is(h, at - 1, ">") || is(h, at - 1, ">>")) {
        int depth = 0, k = at - 1;
        for (; k > from; k--) {
            if (h->t[k].kind == HT_SIGN && h->t[k].text[0] == '>') depth += (int)strlen(h->t[k].text);
            if (h->t[k].kind == HT_SIGN && h->t[k].text[0] == '<') depth -= (int)strlen(h->t[k].text);
            if (depth == 0) break;
        }
        l->instance = instance_text(h, k + 1, at - 1);
        at = k;
    }
    l->kernel = at > from && h->t[at - 1].kind == HT_WORD ? h->t[at - 1].text : NULL;
    l->loc = h->t[at > from ? at - 1 : from].loc;
}

static HostVal next_value(Host *h, int *at, int end) {
    HostVal v = host_eval(h, at, end);
    while (*at < end && !is(h, *at, ",")) *at = is(h, *at, "(") ? host_closing(h, *at, end) : *at + 1;
    if (*at < end) ++*at;
    return v;
}

static void read_launch_args(Host *h, int at, int end, HostLaunch *l) {
    VEC(HostVal) args = {0};
    while (at < end) vec_push(h->a, &args, next_value(h, &at, end));
    l->nargs = args.n;
    l->args = args.at;
}

// The launch that tokens from..end say; mark: of `<<<` or of the call's name.
static void host_launch(Host *h, int mark, int from, int end) {
    HostLaunch l = {.shared = host_int(0)};
    int at = mark + 1, close = at;
    while (close < end && !is(h, close, ">>>"))
        close = is(h, close, "(") || is(h, close, "{") ? host_closing(h, close, end) : close + 1;
    kernel_before(h, from, mark, &l);
    if (!l.kernel || close >= end) return;
    l.grid = host_sizes(next_value(h, &at, close));
    l.block = host_sizes(next_value(h, &at, close));
    if (at < close) l.shared = next_value(h, &at, close);
    if (is(h, close + 1, "(")) read_launch_args(h, close + 2, host_closing(h, close + 1, end) - 1, &l);
    keep(h, mark, &l);
}

// cudaLaunchKernel((void *)k<16>, grid, block, …)
void host_launch_call(Host *h, int mark, int nargs, const int (*args)[2]) {
    if (nargs < 3) return;
    HostLaunch l = {.shared = host_unknown("")};
    int end = args[0][1];
    while (end > args[0][0] && is(h, end - 1, ")")) end--;
    kernel_before(h, args[0][0], end, &l);
    if (!l.kernel) return;
    int at = args[1][0];
    l.grid = host_sizes(host_eval(h, &at, args[1][1]));
    at = args[2][0];
    l.block = host_sizes(host_eval(h, &at, args[2][1]));
    keep(h, mark, &l);
}

// ---- what a branch leaves ------------------------------------------------------------------------
static HostVars copy_of(Host *h, const HostVars *v) {
    HostVars c = {0};
    for (int i = 0; i < v->n; i++) vec_push(h->a, &c, v->at[i]);
    return c;
}

static bool same(HostVal x, HostVal y) {
    if (x.kind != y.kind) return false;
    bool equal = x.f == y.f;
    for (int d = 0; d < 3; d++) equal &= x.i[d] == y.i[d] && !x.open[d] == !y.open[d];
    return equal;
}

// After one of two branches, and nobody knows which.
static void merge(Host *h, HostVars *into, const HostVars *other) {
    for (int i = 0; i < into->n; i++) {
        HostVar *v = &into->at[i];
        const HostVal *w = NULL;
        for (int k = i < other->n && str_eq(other->at[i].name, v->name) ? i : 0; k < other->n && !w; k++)
            if (str_eq(other->at[k].name, v->name)) w = &other->at[k].v;
        if (!w || same(v->v, *w)) continue;
        v->v = v->v.kind == HOST_SIZES ? host_sizes(host_unknown(v->name)) : host_unknown(v->name);
    }
    (void)h;
}

// Behind the statement at `at`, without running it.
int host_statement_end(const Host *h, int at, int end) {
    if (at >= end) return end;
    if (is(h, at, "{")) return host_closing(h, at, end);
    bool loop = is(h, at, "for") || is(h, at, "while") || is(h, at, "switch"), branch = is(h, at, "if");
    if (loop || branch) {
        while (at < end && !is(h, at, "(")) at++;
        at = host_statement_end(h, host_closing(h, at, end), end);
        return branch && is(h, at, "else") ? host_statement_end(h, at + 1, end) : at;
    }
    if (is(h, at, "do")) at = host_statement_end(h, at + 1, end);
    at = host_semicolon(h, at, end);
    return at < end ? at + 1 : end;
}

static Flow run_if(Host *h, int *at, int end) {
    int p = *at + 1;
    while (p < end && !is(h, p, "(")) p++; // if constexpr (…)
    int close = host_closing(h, p, end), k = p + 1;
    HostVal c = host_eval(h, &k, close - 1);
    int then = close, other = host_statement_end(h, then, end);
    bool has_else = is(h, other, "else");
    *at = has_else ? host_statement_end(h, other + 1, end) : other;
    int other_at = has_else ? other + 1 : *at;
    if (is_number(c)) {
        int from = is_true(c) ? then : other_at;
        return is_true(c) || has_else ? statement(h, &from, *at) : FLOW_ON;
    }
    HostVars globals = copy_of(h, &h->globals), frame = h->frame ? copy_of(h, h->frame) : (HostVars){0};
    Flow x = statement(h, &then, other), y = FLOW_ON;
    HostVars globals2 = h->globals, frame2 = h->frame ? *h->frame : (HostVars){0};
    h->globals = globals;
    if (h->frame) *h->frame = frame;
    if (has_else) y = statement(h, &other_at, *at);
    if (y != FLOW_ON && x == FLOW_ON) { // the way out was the other one
        h->globals = globals2;
        if (h->frame) *h->frame = frame2;
    } else if (x == FLOW_ON) {
        merge(h, &h->globals, &globals2);
        if (h->frame) merge(h, h->frame, &frame2);
    }
    return x != FLOW_ON && y != FLOW_ON && x == y ? x : FLOW_ON;
}

// ---- loops -----------------------------------------------------------------------------------------
// What a loop of unknown length changed is unknown behind it.
static Flow rounds(Host *h, int cond, int cond_end, int step, int step_end, int body, int body_end,
                   bool first) {
    Flow f = FLOW_ON;
    for (int round = 0; h->steps < MAX_STEPS; round++) {
        int k = cond;
        HostVal c = cond < cond_end ? host_eval(h, &k, cond_end) : host_unknown("");
        bool enters = first && round == 0;
        if (is_number(c) && !is_true(c) && !enters) break;
        bool last = !is_number(c) || round == MAX_ROUNDS;
        HostVars globals = {0}, frame = {0};
        if (last) globals = copy_of(h, &h->globals), frame = h->frame ? copy_of(h, h->frame) : frame;
        k = body;
        f = statement(h, &k, body_end);
        if (f == FLOW_BREAK || f == FLOW_RETURN) break;
        for (k = step; k < step_end; k++) host_eval(h, &k, step_end);
        if (!last) continue;
        merge(h, &h->globals, &globals);
        if (h->frame) merge(h, h->frame, &frame);
        break;
    }
    return f == FLOW_RETURN ? f : FLOW_ON;
}

static Flow run_for(Host *h, int *at, int end) {
    int open = *at + 1, close = host_closing(h, open, end), k = open + 1;
    int init = host_semicolon(h, k, close - 1), cond = host_semicolon(h, init + 1, close - 1);
    *at = host_statement_end(h, close, end);
    if (init >= close - 1) return statement(h, &close, *at), FLOW_ON; // for (x : all)
    if (init > k) simple(h, k, init);
    return rounds(h, init + 1, cond, cond + 1, close - 1, close, *at, false);
}

static Flow run_while(Host *h, int *at, int end) {
    int open = *at + 1, close = host_closing(h, open, end);
    *at = host_statement_end(h, close, end);
    return rounds(h, open + 1, close - 1, 0, 0, close, *at, false);
}

static Flow run_do(Host *h, int *at, int end) {
    int body = *at + 1, body_end = host_statement_end(h, body, end), open = body_end + 1;
    int close = is(h, open, "(") ? host_closing(h, open, end) : open;
    *at = host_semicolon(h, close, end) + 1;
    return rounds(h, open + 1, close - 1, 0, 0, body, body_end, true);
}

static Flow run_switch(Host *h, int *at, int end) {
    int open = *at + 1, close = host_closing(h, open, end), k = open + 1;
    HostVal v = host_eval(h, &k, close - 1);
    int body_end = host_statement_end(h, close, end);
    *at = body_end;
    int entry = -1;
    for (int i = close + 1; i < body_end - 1 && is_number(v); i++) {
        if (is(h, i, "{") || is(h, i, "(")) i = host_closing(h, i, body_end) - 1;
        int c = i + 1;
        if (is(h, i, "default") && entry < 0) entry = i;
        if (!is(h, i, "case")) continue;
        HostVal w = host_eval(h, &c, body_end - 1);
        if (is_number(w) && w.i[0] == v.i[0]) {
            entry = i;
            break;
        }
    }
    if (is_number(v) && entry < 0) return FLOW_ON;
    if (is_number(v)) { // from the label on
        Flow f = FLOW_ON;
        for (int i = entry; i < body_end - 1 && f == FLOW_ON;) f = statement(h, &i, body_end - 1);
        return f == FLOW_BREAK ? FLOW_ON : f;
    }
    HostVars globals = copy_of(h, &h->globals), frame = h->frame ? copy_of(h, h->frame) : (HostVars){0};
    for (int i = close + 1; i < body_end - 1;) statement(h, &i, body_end - 1);
    merge(h, &h->globals, &globals);
    if (h->frame) merge(h, h->frame, &frame);
    return FLOW_ON;
}

// ---- declarations --------------------------------------------------------------------------------------
// Two words beside each other, stars between them: the second is declared.
bool host_declares(const Host *h, int at, int end, int *name) {
    int i = at;
    while (i < end && (h->t[i].kind == HT_WORD || is(h, i, "::"))) {
        if (is(h, i + 1, "<") && !host_is_type(h->t[i].text)) { // vector<int> v
            int close = host_closing(h, i + 1, end);
            if (close >= end || h->t[close].kind != HT_WORD) return false;
            *name = close;
            return true;
        }
        int k = i + 1;
        bool stars = false;
        for (; k < end && (is(h, k, "*") || is(h, k, "&") || is(h, k, "const") || is(h, k, "__restrict__"));
             k++)
            stars |= !is(h, k, "const");
        bool more = k < end && h->t[k].kind == HT_WORD;
        if (!more) break;
        bool ends = k + 1 >= end || is(h, k + 1, "=") || is(h, k + 1, ",") || is(h, k + 1, "(") ||
                    is(h, k + 1, "[") || is(h, k + 1, "{") || is(h, k + 1, ";");
        if (ends && (!stars || host_is_type(h->t[i].text) || is(h, k + 1, "=") || k + 1 >= end))
            return *name = k, true;
        if (stars && !ends) return false;
        i = k;
    }
    return false;
}

static void declare(Host *h, int at, int name, int end) {
    const char *type = NULL;
    for (int i = at; i < name; i++) {
        bool counts =
            h->t[i].kind == HT_WORD && host_is_type(h->t[i].text) && !is(h, i, "const") && !is(h, i, "auto");
        if (counts && (!type || !is(h, i, "int"))) type = h->t[i].text;
    }
    for (int i = at; i < name; i++)
        if (is(h, i, "*")) type = "*";
    for (int i = name; i < end;) {
        while (i < end && h->t[i].kind != HT_WORD) i++;
        if (i >= end) return;
        const char *word = h->t[i++].text;
        HostVal v =
            type && str_eq(type, "dim3") ? (HostVal){.kind = HOST_SIZES, .i = {1, 1, 1}} : host_unknown(word);
        bool array = is(h, i, "[");
        while (is(h, i, "[")) i = host_closing(h, i, end);
        bool set = is(h, i, "="), built = is(h, i, "(") || is(h, i, "{");
        if (set) {
            i++;
            v = host_eval(h, &i, end);
        } else if (built && type && str_eq(type, "dim3")) {
            HostTok *t = (HostTok *)&h->t[i - 1], was = *t; // name(…) is read as dim3(…)
            *t = (HostTok){HT_WORD, "dim3", was.loc};
            int k = i - 1;
            v = host_eval(h, &k, end);
            *t = was;
            i = k;
        } else if (built) {
            int k = i + 1, close = host_closing(h, i, end);
            if (k < close - 1) v = host_eval(h, &k, close - 1);
            i = close;
        }
        if (array || (type && str_eq(type, "*"))) v = host_unknown(word);
        if (v.kind == HOST_UNKNOWN && !*v.open[0]) v.open[0] = word;
        host_set(h, word, host_convert(v, type), true);
        while (i < end && !is(h, i, ","))
            i = is(h, i, "(") || is(h, i, "{") ? host_closing(h, i, end) : i + 1;
        i++;
    }
}

// ---- statements -----------------------------------------------------------------------------------------
bool host_leaves(const Host *h, int at) {
    return (is(h, at, "exit") || is(h, at, "abort") || is(h, at, "_exit")) && is(h, at + 1, "(");
}

static Flow simple(Host *h, int at, int end) {
    int name;
    if (is(h, at, "return") || host_leaves(h, at)) {
        bool value = is(h, at, "return") && at + 1 < end;
        int k = at + 1;
        h->result = value ? host_eval(h, &k, end) : host_unknown(NULL);
        return FLOW_RETURN;
    }
    if (is(h, at, "break")) return FLOW_BREAK;
    if (is(h, at, "continue")) return FLOW_CONTINUE;
    if (is(h, at, "typedef") || is(h, at, "using") || is(h, at, "struct") || is(h, at, "template"))
        return FLOW_ON;
    for (int i = at; i < end; i++)
        if (is(h, i, "<<<")) return host_launch(h, i, at, end), FLOW_ON;
    if (host_declares(h, at, end, &name)) return declare(h, at, name, end), FLOW_ON;
    while (at < end) {
        int from = at;
        host_eval(h, &at, end);
        if (at == from || is(h, at, ",")) at++;
    }
    return FLOW_ON;
}

static Flow block(Host *h, int at, int end) {
    Flow f = FLOW_ON;
    while (at < end && f == FLOW_ON) f = statement(h, &at, end);
    return f;
}

// Behind a statement that no launch needs. The counter that a loop would have begun anew is unknown then.
static void pass(Host *h, int *at, int end) {
    int from = *at, head = is(h, from, "for") ? host_semicolon(h, from + 2, end) : from;
    *at = host_statement_end(h, from, end);
    for (int i = from + 2; i < head; i++)
        if (is(h, i + 1, "=") && host_is_variable(h, h->t[i].text))
            host_set(h, h->t[i].text, host_unknown(h->t[i].text), false);
}

static bool is_needed(const Host *h, int from, int end) {
    return !h->needed || h->needed[end] > h->needed[from];
}

static Flow statement(Host *h, int *at, int end) {
    if (*at >= end || ++h->steps > MAX_STEPS || h->depth > 200) return *at = end, FLOW_ON;
    bool begins = is(h, *at, "{") || is(h, *at, "if") || is(h, *at, "for") || is(h, *at, "while") ||
                  is(h, *at, "switch") || is(h, *at, "do");
    if (begins && !is_needed(h, *at, host_statement_end(h, *at, end))) return pass(h, at, end), FLOW_ON;
    Flow f;
    h->depth++;
    if (is(h, *at, "{")) {
        int from = *at + 1, close = host_closing(h, *at, end);
        *at = close;
        f = block(h, from, close - 1);
    } else if (is(h, *at, "if")) f = run_if(h, at, end);
    else if (is(h, *at, "for")) f = run_for(h, at, end);
    else if (is(h, *at, "while")) f = run_while(h, at, end);
    else if (is(h, *at, "do")) f = run_do(h, at, end);
    else if (is(h, *at, "switch")) f = run_switch(h, at, end);
    else if (is(h, *at, "case") || is(h, *at, "default") || is(h, *at, "public") || is(h, *at, "private")) {
        while (*at < end && !is(h, *at, ":")) ++*at;
        ++*at;
        f = FLOW_ON;
    } else if (is(h, *at, "try")) ++*at, f = FLOW_ON;
    else if (is(h, *at, "catch"))
        *at = host_statement_end(h, host_closing(h, *at + 1, end), end), f = FLOW_ON;
    else {
        int from = *at, close = host_semicolon(h, from, end);
        *at = close < end ? close + 1 : end;
        f = is_needed(h, from, close) ? simple(h, from, close) : FLOW_ON;
    }
    h->depth--;
    return f;
}

// ---- functions ------------------------------------------------------------------------------------------
HostFunc *host_find(Host *h, const char *name) {
    for (int i = h->funcs.n - 1; i >= 0; i--)
        if (str_eq(h->funcs.at[i].name, name) && !h->funcs.at[i].device) return &h->funcs.at[i];
    return NULL;
}

HostVal host_call(Host *h, HostFunc *f, int nargs, const HostVal *args, const char *const *names, int ntypes,
                  const HostVal *types) {
    if (h->depth > MAX_DEPTH * 4 || h->steps > MAX_STEPS) return host_unknown(NULL);
    HostVars frame = {0}, *outer = h->frame;
    f->reached = true;
    for (int i = 0; i < f->ntypes; i++) {
        HostVar v = {f->types[i], i < ntypes    ? types[i]
                                  : f->instance ? f->instance[i]
                                                : host_unknown(f->types[i])};
        vec_push(h->a, &frame, v);
    }
    for (int i = 0; i < f->nparams; i++) {
        int k = f->params[i].init;
        HostVal v = i < nargs              ? args[i]
                    : k < f->params[i].end ? host_eval(h, &k, f->params[i].end)
                                           : host_unknown(f->params[i].name);
        if (i >= nargs && str_eq(f->params[i].name, "argc")) v = host_int(1); // the program's name alone
        if (v.kind == HOST_UNKNOWN && !*v.open[0]) v.open[0] = f->params[i].name;
        HostVar p = {f->params[i].name, host_convert(v, f->params[i].type)};
        vec_push(h->a, &frame, p);
    }
    h->frame = &frame;
    h->depth += 4;
    h->result = host_unknown(NULL);
    block(h, f->body, f->end);
    h->depth -= 4;
    h->frame = outer;
    HostVal result = h->result;
    for (int i = 0; i < f->nparams && i < nargs; i++)
        if (f->params[i].by_reference && names[i]) host_set(h, names[i], frame.at[f->ntypes + i].v, false);
    return result;
}

static void read_params(Host *h, HostFunc *f, int at, int end) {
    VEC(HostParam) params = {0};
    while (at < end) {
        HostParam p = {0};
        int name = -1, k = at;
        for (; k < end && !is(h, k, ","); k++) {
            if (is(h, k, "=")) break;
            if (is(h, k, "&")) p.by_reference = true;
            if (is(h, k, "<")) k = host_closing(h, k, end) - 1;
            else if (is(h, k, "[") || is(h, k, "(")) p.type = "*", k = host_closing(h, k, end) - 1;
            else if (is(h, k, "*")) p.type = "*";
            else if (h->t[k].kind == HT_WORD) {
                bool counts = host_is_type(h->t[k].text) && !is(h, k, "const") && !p.type;
                if (counts || (p.type && is(h, k, "unsigned"))) p.type = h->t[k].text;
                name = k;
            }
        }
        if (is(h, k, "=")) {
            p.init = k + 1;
            for (k++; k < end && !is(h, k, ","); k++)
                if (is(h, k, "(")) k = host_closing(h, k, end) - 1;
            p.end = k;
        }
        p.name = name >= 0 ? h->t[name].text : "";
        vec_push(h->a, &params, p);
        at = k + 1;
    }
    f->nparams = params.n;
    f->params = params.at;
}

static void read_types(Host *h, HostFunc *f, int from, int to) {
    VEC(const char *) types = {0};
    for (int i = from; i < to; i++) {
        if (!is(h, i, "template") || !is(h, i + 1, "<")) continue;
        int close = host_closing(h, i + 1, to);
        for (int k = i + 2; k < close; k++) // the last word before a comma, or the end
            if (h->t[k].kind == HT_WORD && (is(h, k + 1, ",") || is(h, k + 1, "=") || k + 2 == close))
                vec_push(h->a, &types, h->t[k].text);
    }
    f->ntypes = types.n;
    f->types = types.at;
}

// The function whose braces open at `brace`, declared from `from` on; false: it is something else.
static bool read_function(Host *h, int from, int brace, int close) {
    HostFunc f = {.body = brace + 1, .end = close - 1};
    int open = from;
    bool host = false;
    for (; open < brace && !is(h, open, "("); open++) {
        if (is(h, open, "template") && is(h, open + 1, "<")) open = host_closing(h, open + 1, brace) - 1;
        f.device |= is(h, open, "__global__") || is(h, open, "__device__");
        host |= is(h, open, "__host__");
        if (is(h, open, "__launch_bounds__") || is(h, open, "__attribute__"))
            open = host_closing(h, open + 1, brace) - 1;
        if (is(h, open, "=")) return false;
    }
    if (open >= brace || open == from || h->t[open - 1].kind != HT_WORD) return false;
    f.device &= !host;
    f.name = h->t[open - 1].text;
    read_types(h, &f, from, open);
    read_params(h, &f, open + 1, host_closing(h, open, brace) - 1);
    vec_push(h->a, &h->funcs, f);
    return true;
}

static void read_enum(Host *h, int at, int end) {
    HostVal next = host_int(0);
    while (at < end) {
        const char *name = h->t[at++].text;
        if (is(h, at, "=")) at++, next = host_eval(h, &at, end);
        host_set(h, name, next, true);
        if (next.kind == HOST_INT) next.i[0]++;
        while (at < end && !is(h, at, ",")) at++;
        at++;
    }
}

// template void f<int>(…); the types with which f is meant.
static void read_instance(Host *h, int from, int end) {
    int open = from + 1;
    while (open < end && !is(h, open, "<")) open++;
    if (!is(h, from, "template") || is(h, from + 1, "<") || open >= end) return;
    HostFunc *f = host_find(h, h->t[open - 1].text);
    int close = host_closing(h, open, end) - 1;
    if (!f || f->instance) return;
    f->instance = NEW_N(h->a, HostVal, f->ntypes + 1);
    for (int i = 0, at = open + 1; i < f->ntypes && at < close; i++) {
        f->instance[i] = host_eval(h, &at, close);
        while (at < close && !is(h, at, ",")) at++;
        at++;
    }
}

static void read_tops(Host *h) {
    for (int from = 0, at = 0; at < h->n;) {
        if (is(h, at, ";") || is(h, at, "}")) {
            int name;
            bool device = false;
            read_instance(h, from, at);
            for (int i = from; i < at; i++) device |= is(h, i, "__constant__") || is(h, i, "__device__");
            if (!device && is(h, at, ";") && host_declares(h, from, at, &name) && !is(h, from, "extern") &&
                !is(h, from, "return"))
                declare(h, from, name, at);
            from = ++at;
        } else if (is(h, at, "(") || is(h, at, "[")) {
            at = host_closing(h, at, h->n);
        } else if (!is(h, at, "{")) {
            at++;
        } else {
            int close = host_closing(h, at, h->n);
            bool set = at > from && is(h, at - 1, "="),
                 list = is(h, from, "enum") || (is(h, from, "typedef") && is(h, from + 1, "enum"));
            if (list) read_enum(h, at + 1, close - 1);
            if (list || set) at = close;
            else if (read_function(h, from, at, close)) from = at = close;
            else from = ++at; // a namespace, a class
        }
    }
}

// The name before the first parenthesis behind `__global__` or `__kernel`.
KernelNames host_kernels(Arena *a, const HostToks *t) {
    Host h = {.a = a, .t = t->at, .n = t->n};
    KernelNames names = {0};
    for (int i = 0; i < h.n; i++) {
        if (!is(&h, i, "__global__") && !is(&h, i, "__kernel") && !is(&h, i, "kernel")) continue;
        int k = i + 1;
        while (k < h.n && !is(&h, k, "(") && !is(&h, k, ";") && !is(&h, k, "}")) {
            bool extra = is(&h, k, "__launch_bounds__") || is(&h, k, "__attribute__");
            k = extra && is(&h, k + 1, "(") ? host_closing(&h, k + 1, h.n) : k + 1;
        }
        int close = is(&h, k, "(") ? host_closing(&h, k, h.n) : k;
        bool known = false;
        for (int j = 0; j < names.n; j++) known |= is(&h, k - 1, names.at[j]);
        if (close > k && is(&h, close, "{") && h.t[k - 1].kind == HT_WORD && !known)
            vec_push(a, &names, h.t[k - 1].text);
    }
    return names;
}

HostLaunches host_launches(Arena *a, const HostToks *t, int nargs, const KernelArg *args) {
    Host h = {.a = a, .t = t->at, .n = t->n, .nargs = nargs, .args = args};
    read_tops(&h);
    host_slice(&h);
    HostFunc *main = host_find(&h, "main");
    if (main) host_call(&h, main, 0, NULL, NULL, 0, NULL);
    for (int i = h.funcs.n - 1; i >= 0; i--) { // those that nobody called, callers before what they call
        HostFunc *f = &h.funcs.at[i];
        h.steps = h.depth = 0;
        if (!f->reached && !f->device && f->launches) host_call(&h, f, 0, NULL, NULL, 0, NULL);
    }
    return h.launches;
}
