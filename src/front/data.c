// SPDX-License-Identifier: MIT
// data.c -- data directives of OpenACC, OpenMP and sculpt as calls of libsculpt.
//
//   #pragma acc data copy(a[0:n])        { void *p = &a[0]; size_t n = …;
//   {                              ─►      sculpt_data_enter(p, n, 3);
//     …                                    { … }
//   }                                      sculpt_data_exit(p, n, 2);
//                                        }
//
// Address and size are taken at the entry: programs swap pointers inside.
// A directive only saves transfers: one that can't be read is left out with a warning.
#include "front/item.h"
#include "front/passes.h"
#include "sculpt/sculpt.h"
#include <ctype.h>
#include <string.h>

typedef struct Data {
    Compile *c;
    Arena *a;
    const AstUnit *u;
    const Pragma *p;
    const Decl *func;
    int number;         // of the pragma, for names
    int nitems;         // so far
    const char *whole;  // the structure of the item before
    const char *cond;   // of its if clause, NULL: none
    Text names;         // declarations of what the calls around a statement keep
    Text enter, leave;  // calls
    Inserts *out;
} Data;

// ---- clauses -----------------------------------------------------------------------------
static void call(Text *t, const char *fn, const Item *it, int how) {
    const char *at = it->address, *more = "";
    if (it->rows) {
        text_printf(t, "{ __SIZE_TYPE__ sculpt_row = 0, sculpt_rows = (__SIZE_TYPE__)(%s); "
                       "for (; sculpt_row < sculpt_rows; sculpt_row++) ", it->rows);
        at = arena_printf(t->arena, "&(%s)[sculpt_row][%s]", at, it->column);
        more = arena_printf(t->arena, " | (sculpt_row + 1 < sculpt_rows ? %d : %d)", SCULPT_ROW | SCULPT_MORE,
                            SCULPT_ROW);
    }
    text_printf(t, "%s((void *)(__UINTPTR_TYPE__)(%s), (__SIZE_TYPE__)(%s)", fn, at, it->bytes);
    if (how >= 0) text_printf(t, ", %d%s", how, more);
    text_put(t, it->rows ? "); } " : "); ");
}

static bool is_scope(const Pragma *p) {
    return p->kind == P_ACC_DATA || p->kind == P_OMP_TARGET_DATA;
}

// A construct that runs on the device: its loops' calls move what they need. What map(always: …) asks for
// is beside them.
static bool is_target(const Pragma *p) {
    bool omp = p->kind == P_OMP_FOR || p->kind == P_OMP_PARALLEL;
    return omp && strstr(p->text, "target");
}

// How an item is moved: bits of sculpt.h; also if it is there already.
typedef struct Motion {
    int how;
    bool always;
} Motion;

// Calls around the statement; address and size are those of the entry.
static void put_around(Data *d, const Item *it, Motion m, int counted) {
    const char *id = arena_printf(d->a, "%d_%d_", d->number, d->nitems);
    Item kept = {.address = arena_printf(d->a, "sculpt_p_%s", id),
                 .bytes = arena_printf(d->a, "sculpt_n_%s", id)};
    if (it->rows) {
        kept.rows = arena_printf(d->a, "sculpt_m_%s", id);
        kept.column = arena_printf(d->a, "sculpt_l_%s", id);
        text_printf(&d->names, "__typeof__(%s) %s = %s; __SIZE_TYPE__ %s = %s, %s = %s; ", it->address,
                    kept.address, it->address, kept.rows, it->rows, kept.column, it->column);
    } else {
        text_printf(&d->names, "void *%s = (void *)(__UINTPTR_TYPE__)(%s); ", kept.address, it->address);
    }
    text_printf(&d->names, "__SIZE_TYPE__ %s = %s%s; ", kept.bytes, it->bytes,
                d->cond ? arena_printf(d->a, "; int sculpt_c_%s = (%s) != 0", id, d->cond) : "");
    const char *guard = d->cond ? arena_printf(d->a, "if (sculpt_c_%s) { ", id) : "{ ";
    text_put(&d->enter, guard);
    if (is_scope(d->p)) call(&d->enter, "sculpt_data_enter", &kept, m.how | counted);
    if (m.always && (m.how & SCULPT_COPYIN)) call(&d->enter, "sculpt_update_device", &kept, -1);
    text_put(&d->enter, "} ");
    text_put(&d->leave, guard);
    if (m.always && (m.how & SCULPT_COPYOUT)) call(&d->leave, "sculpt_update_host", &kept, -1);
    if (is_scope(d->p)) call(&d->leave, "sculpt_data_exit", &kept, (m.how & SCULPT_COPYOUT) | counted);
    text_put(&d->leave, "} ");
}

static bool ends_all(const Pragma *p) {
    for (int i = 0; i < p->nclauses; i++)
        if (str_eq(p->clauses[i].name, "finalize")) return true;
    return false;
}

// How the counts of what is there go with it. OpenMP counts once a directive, and the members of one
// structure together.
static int counting(Data *d, const Item *it) {
    bool also = d->nitems++ > 0, same = it->whole && d->whole && str_eq(it->whole, d->whole);
    d->whole = it->whole;
    switch (d->p->kind) {
    case P_ACC_DATA: return SCULPT_SCOPE;
    case P_OMP_TARGET_DATA: case P_OMP_ENTER_DATA: case P_OMP_EXIT_DATA:
        return also ? SCULPT_ALSO | (same ? SCULPT_MEMBER : 0) : 0;
    default: return 0;
    }
}

static void put_item(Data *d, const Item *it, Motion m) {
    int counted = counting(d, it);
    bool in = m.how & SCULPT_COPYIN, back = m.how & SCULPT_COPYOUT;
    switch (d->p->kind) {
    case P_ACC_UPDATE:
    case P_OMP_UPDATE: call(&d->enter, back ? "sculpt_update_host" : "sculpt_update_device", it, -1); return;
    case P_ACC_EXIT_DATA:
    case P_OMP_EXIT_DATA:
        if (m.always && back) call(&d->enter, "sculpt_update_host", it, -1);
        call(&d->enter, "sculpt_data_exit", it,
             (m.how & (SCULPT_COPYOUT | SCULPT_FINALIZE)) | (ends_all(d->p) ? SCULPT_FINALIZE : 0) | counted);
        return;
    case P_ACC_ENTER_DATA:
    case P_OMP_ENTER_DATA:
        call(&d->enter, "sculpt_data_enter", it, m.how | counted);
        if (m.always && in) call(&d->enter, "sculpt_update_device", it, -1);
        return;
    default:
        if (m.always || is_scope(d->p)) put_around(d, it, m, counted);
    }
}

// Does it name what is on the device already?
static bool is_end(const Pragma *p) {
    return p->kind == P_ACC_EXIT_DATA || p->kind == P_OMP_EXIT_DATA || p->kind == P_ACC_UPDATE ||
           p->kind == P_OMP_UPDATE;
}

static void put_items(Data *d, const char *s, Motion m) {
    const char *end = s + strlen(s);
    ItemPlace at = {d->a, d->u, d->func, d->p, is_end(d->p)};
    while (s < end) {
        const char *stop = item_mark(s, end, ",");
        Item it;
        if (item_read(&at, s, stop, &it)) put_item(d, &it, m);
        else if (m.how != SCULPT_PRESENT)
            diag(d->c, DIAG_WARNING, SC_PRAGMA, d->p->loc,
                 "the size of %s in #pragma %s is not told; give it as [first:count]",
                 item_trimmed(d->a, s, stop), d->p->text);
        s = stop < end ? stop + 1 : end;
    }
}

typedef struct DataHow {
    const char *name;
    int how; // of data and enter data; COPYOUT alone in updates: to the host
} DataHow;

static const DataHow acc_words[] = {{"copy", SCULPT_COPYIN | SCULPT_COPYOUT},
    {"pcopy", SCULPT_COPYIN | SCULPT_COPYOUT}, {"present_or_copy", SCULPT_COPYIN | SCULPT_COPYOUT},
    {"copyin", SCULPT_COPYIN}, {"pcopyin", SCULPT_COPYIN}, {"present_or_copyin", SCULPT_COPYIN},
    {"copyout", SCULPT_COPYOUT}, {"pcopyout", SCULPT_COPYOUT},
    {"present_or_copyout", SCULPT_COPYOUT}, {"create", SCULPT_CREATE}, {"pcreate", SCULPT_CREATE},
    {"present_or_create", SCULPT_CREATE}, {"present", SCULPT_PRESENT}, {"delete", SCULPT_CREATE},
    {"host", SCULPT_COPYOUT}, {"self", SCULPT_COPYOUT}, {"device", SCULPT_COPYIN}, {NULL, 0}};
static const DataHow omp_words[] = {{"tofrom", SCULPT_COPYIN | SCULPT_COPYOUT},
    {"to", SCULPT_COPYIN}, {"from", SCULPT_COPYOUT}, {"alloc", SCULPT_CREATE},
    {"release", SCULPT_CREATE}, {"delete", SCULPT_CREATE | SCULPT_FINALIZE}, {NULL, 0}};

static int how_of(const DataHow *words, const char *name) {
    for (; words->name; words++)
        if (str_eq(words->name, name)) return words->how;
    return 0;
}

// One modifier, name or name(args): what it changes. false: the items can't be read without it.
static bool read_modifier(Data *d, const char *name, const char *args, Motion *m) {
    static const char *const nothing[] = {"close", "present", "readonly", "self", NULL};
    if (str_eq(name, "always")) return m->always = true;
    for (int i = 0; nothing[i]; i++)
        if (str_eq(name, nothing[i])) return true;
    if (str_eq(name, "mapper") && args && str_eq(args, "default")) return true;
    bool iterator = str_eq(name, "iterator");
    diag(d->c, DIAG_WARNING, SC_PRAGMA, d->p->loc, "modifier %s of #pragma %s is not taken; %s", name,
         d->p->text, iterator ? "what it lists is not moved" : "what it says of the items is not done");
    return !iterator;
}

// [always, close, mapper(m)] [to] : items. Returns the items; NULL: they can't be read.
static const char *read_modifiers(Data *d, const char *args, bool map, Motion *m) {
    const char *end = args + strlen(args), *colon = item_mark(args, end, ":"), *s = args;
    if (colon == end || item_mark(args, colon, "?") < colon) return args;
    while (s < colon) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
        char *name = arena_strndup(d->a, s, n), *inside = NULL;
        const char *next = s + (n ? n : 1);
        if (n) next += strspn(next, " ");
        if (n && *next == '(') {
            const char *close = item_mark(next + 1, colon, ")");
            inside = item_trimmed(d->a, next + 1, close);
            next = close < colon ? close + 1 : colon;
        }
        int how = map ? how_of(omp_words, name) : 0;
        if (how) m->how = how;
        else if (n && !read_modifier(d, name, inside, m)) return NULL;
        s = next;
    }
    return colon + 1;
}

static void put_clauses(Data *d) {
    bool omp_update = d->p->kind == P_OMP_UPDATE;
    for (int i = 0; i < d->p->nclauses; i++) {
        const Clause *c = &d->p->clauses[i];
        bool map = str_eq(c->name, "map");
        Motion m = {map               ? SCULPT_COPYIN | SCULPT_COPYOUT
                    : is_target(d->p) ? 0
                                      : how_of(omp_update ? omp_words : acc_words, c->name),
                    false};
        const char *items = c->args && m.how ? read_modifiers(d, c->args, map, &m) : NULL;
        if (items && (m.always || !is_target(d->p))) put_items(d, items, m);
    }
}

static const char *condition(const Pragma *p) {
    for (int i = 0; i < p->nclauses; i++)
        if (str_eq(p->clauses[i].name, "if") && p->clauses[i].args) {
            const char *s = p->clauses[i].args, *end = s + strlen(s);
            const char *colon = item_mark(s, end, ":"), *query = item_mark(s, end, "?");
            if (colon == end || query < end) return s;
            if (strncmp(s + strspn(s, " "), "target", 6) == 0) return colon + 1; // if(target data: x)
        }
    return NULL;
}

// ---- places --------------------------------------------------------------------------------
static void insert(Data *d, size_t at, const char *text, int order) {
    FrontInsert in = {.at = at, .text = text, .begin = 0, .end = d->u->size, .order = order};
    vec_push(d->a, d->out, in);
}

// Does control leave x other than at its end? loops: how many loops of x stand around.
static bool jumps_out(const Ast *x, int loops) {
    if (!x) return false;
    if (x->kind == A_RETURN || x->kind == A_GOTO) return true;
    if ((x->kind == A_BREAK || x->kind == A_CONTINUE) && loops == 0) return true;
    bool loop = x->kind == A_FOR || x->kind == A_WHILE || x->kind == A_DO || x->kind == A_SWITCH;
    for (int i = 0; i < x->nkids; i++)
        if (jumps_out(x->kids[i], loops + loop)) return true;
    return false;
}

static void put_scope(Data *d, const char *enter, const char *leave) {
    const Ast *t = d->p->target;
    if (!t || jumps_out(t, 0)) {
        diag(d->c, DIAG_WARNING, SC_PRAGMA, d->p->loc,
             "#pragma %s needs a statement behind it that is left only at its end", d->p->text);
        return;
    }
    int depth = d->number; // inner scopes close first
    insert(d, is_target(d->p) ? d->p->begin : d->p->end, arena_printf(d->a, "{ %s", enter), depth);
    insert(d, t->end, arena_printf(d->a, "%s}", leave), -depth);
}

static void put_directive(Data *d) {
    d->names = text_new(d->a);
    d->enter = text_new(d->a);
    d->leave = text_new(d->a);
    if (d->p->kind == P_SCULPT_DATA) {
        put_scope(d, "sculpt_data_begin(); ", "sculpt_data_end(); ");
        return;
    }
    d->cond = condition(d->p);
    put_clauses(d);
    const char *enter = text_str(&d->enter);
    if (!*enter) return;
    if (is_scope(d->p) || is_target(d->p))
        put_scope(d, arena_printf(d->a, "%s%s", text_str(&d->names), enter), text_str(&d->leave));
    else if (d->cond) insert(d, d->p->end, arena_printf(d->a, "if (%s) { %s}", d->cond, enter), 0);
    else insert(d, d->p->end, enter, 0);
}

void data_find(Compile *c, const AstUnit *u, Inserts *out) {
    for (int i = 0; i < u->npragmas; i++) {
        const Pragma *p = &u->pragmas[i];
        Data d = {.c = c, .a = c->arena, .u = u, .p = p, .out = out,
                  .func = ast_function_at(u, p->begin), .number = i};
        switch (p->kind) {
        case P_ACC_DATA: case P_ACC_ENTER_DATA: case P_ACC_EXIT_DATA: case P_ACC_UPDATE:
        case P_OMP_TARGET_DATA: case P_OMP_ENTER_DATA: case P_OMP_EXIT_DATA: case P_OMP_UPDATE:
        case P_SCULPT_DATA:
            if (d.func) put_directive(&d);
            break;
        default:
            if (d.func && is_target(p)) put_directive(&d);
            break;
        }
    }
}
