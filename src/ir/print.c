// SPDX-License-Identifier: MIT
// print.c -- regions and nests as text
//
// The text form, read back by parse.c; printing what was read gives the same text again.
//
//   sculpt 1
//   region gemm_7 @"gemm.c":7:3 scop reassociate fast {
//       param n: i32 = "p->n"                        // no "= …": an inspect computes it
//       array c[?][n]: f32 = "c" live                // ?: the first extent is not known
//       array px[n]: f64 object p stride 24 offset 8 = "p->at" live constant
//       array t[?][t_pitch]: f64 = "*t" live apart   // rows that are objects of their own
//       array s: f32 = "&s"                          // rank 0: a scalar
//       array p_n: i32 = "&p->n" watched             // where a parameter is read from
//       assume n >= 1
//       inspect x dim 0 as x_lo to x_hi [loose] [distinct x_d] for i: i32 = 0 .. n { value i64(col[i]) }
//       do {
//           for j: i32 = 0 .. n step 2 mark (parallel @6:1 reduce + s) @7:3 {
//               local t[5]: f32                      // arrays that live in this block
//               S0[j] @9:5
//               if (j < n - 1) S1[j] else S2[j]
//           }
//       }
//       stmt S0[j] @9:5: c[j][0] += t[0] * s fused atomic
//   }
//   nest "gpu" {
//       when n > 0                                   // proved; or: when tested "why" n > 0
//       fact c_at misalign c                         // before `when`: see Fact in ir.h;
//       fact sms processors                          // or: travels, link, copy_rate, fma_rate
//       distinct idx, rising ptr                     // behind facts: see Promise in ir.h
//       foot c[0 to n - 1][0 to n - 1] in out exact
//       foot d[0 to n][0 to n - 1] within [0][0] to [n][0] in out loose   // or: out if n > 0; and: pinned,
//       managed flops 2.0 * f64(n) bytes 4.0 * f64(n) work 6.0 * f64(n) recipe "map j\n"           // one
//       string a line, joined do {
//           temp u[n]: f32                           // also: local, shared
//           kernel k0 min_blocks 2 streamed              // streamed: data move launch by launch,
//                   foot c[0 to n - 1][0 to n - 1] in out // these boxes of them
//                   outline (c out, n) shared 64 launch 0 phases 256 waits // no body but the grid's loops
//           {
//               for j0: i32 = 0 .. n block {         // serial, block, thread, coop, vector, unroll
//                   register r[8][4]: f32 digits 1   // the first subscript names the thread
//                   shared w[8]: f32 of c origin (j0, 0)
//                   // a loop of the host may say graph: its launches are noted and replayed
//                   // a loop inside thread loops may say matrix m16n8k8: it is done by such instructions
//                   for j1: i32 = j0 .. min(j0 + 8, n) thread unroll 4 {
//                       copy w[j1][0] = c[j1][0]     // or += and the like; async at the end
//                       S0[j1] via (w, -, r[j1 - j0][0]) atomic
//                                                    // -: this access stays as it is
//                   }
//               }
//           }
//       }
//   }
//   more unordered                                   // where the program runs others are planned; see IrFile
//
// A counter is named with its type at each loop; the same name is the same counter. `i: i32 of
// u8 exactly` is Sym.counted and Sym.exactly. A
// local that the region or an earlier block declares already is `local t`, nothing more.
// The body of a loop, kernel or branch is any node; { } is a sequence. `(if …)` keeps the
// else of an outer `if` from the inner one. Places are @line:col, in the region's file
// unless one is named (@?: none is). // begins a comment.
//
// Expressions are C's, with C's precedences, and:
//   min(x, y) max(x, y) fdiv(x, y) fmod(x, y) fma(x, y, z)     operators of op.def
//   f64(x)                                                     a cast
//   sqrt.f64(x)                                                a math function and its type
//   5 5i64 1.5 1.5f32 0x1p-3 #inf64 -#nan32 #nan64(0x7ff8…)    literals
// A literal without a type has that of the operand beside it, else that of the place (a
// loop's bounds: the counter's; a right-hand side: the element's; a footprint or an
// inspected value: i64; a count: f64), else i32 or f64.
#include "ir/print.h"
#include "ir/table.h"
#include <inttypes.h>
#include <string.h>

static void line(Printer *p) {
    text_put(&p->text, "\n");
    for (int k = 0; k < p->indent; k++) text_put(&p->text, "    ");
}

static void put(Printer *p, const char *s) { text_put(&p->text, s); }

// A string that C could read, one for each line of s.
static void put_string(Printer *p, const char *s) {
    put(p, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') text_printf(&p->text, "\\%c", c);
        else if (c == '\n') put(p, s[1] ? "\\n\" \"" : "\\n");
        else if (c < 32 || c == 127) text_printf(&p->text, "\\x%02x", c);
        else text_putn(&p->text, s, 1);
    }
    put(p, "\"");
}

static void put_loc(Printer *p, Loc loc) {
    if (!loc.file && !loc.line && !loc.col) return;
    put(p, " @");
    if (!loc.file) put(p, "?:");
    else if (!p->file || strcmp(loc.file, p->file) != 0) {
        put_string(p, loc.file);
        put(p, ":");
    }
    text_printf(&p->text, "%d:%d", loc.line, loc.col);
}

static void put_list(Printer *p, Expr *const *x, int n) {
    for (int k = 0; k < n; k++) {
        if (k) put(p, ", ");
        print_expr(p, x[k], T_NONE);
    }
}

static void put_update(Printer *p, Op op) {
    text_printf(&p->text, op == OP_MIN || op == OP_MAX || op == OP_SET ? " %s" : " %s=",
                op_text(op));
    put(p, op == OP_MIN || op == OP_MAX ? "= " : " ");
}

static void put_element(Printer *p, const Array *a, Expr *const *sub) {
    put(p, a->name);
    for (int k = 0; k < a->rank; k++) {
        put(p, "[");
        print_expr(p, sub[k], T_NONE);
        put(p, "]");
    }
}

// ---- arrays --------------------------------------------------------------------------
static bool is_known(const Printer *p, const Array *a) { return has_pointer(p->known.n, p->known.at, a); }

static void put_layout(Printer *p, const Array *a) {
    if (a->object && !str_eq(a->object, a->name)) text_printf(&p->text, " object %s", a->object);
    if (a->stride != type_size(a->elem)) text_printf(&p->text, " stride %" PRId64, a->stride);
    if (a->offset) text_printf(&p->text, " offset %" PRId64, a->offset);
    if (a->packed) text_printf(&p->text, " packed %d", a->packed);
    if (a->of) text_printf(&p->text, " of %s", a->of->name);
    if (a->origin) {
        put(p, " origin (");
        put_list(p, a->origin, a->rank);
        put(p, ")");
    }
    if (a->digits) text_printf(&p->text, " digits %d", a->digits);
    if (a->source) {
        put(p, " = ");
        put_string(p, a->source);
    }
    if (a->live_out) put(p, " live");
    if (a->constant_size) put(p, " constant");
    else if (a->rows) put(p, " rows");
    if (a->apart) put(p, " apart");
    if (a->guessed) put(p, " guessed");
    for (int k = 0; k < a->nvalues; k++) {
        put(p, k ? ", " : " values (");
        print_expr(p, table_element(p->text.arena, a, k), a->elem);
    }
    if (a->nvalues) put(p, ")");
    if (a->watched) put(p, " watched");
    if (a->counter) put(p, " counter");
}

static void put_array(Printer *p, const Array *a) {
    static const char *const places[] = {"array", "local", "temp", "shared", "register"};
    line(p);
    text_printf(&p->text, "%s %s", places[a->place], a->name);
    if (is_known(p, a)) return;
    vec_push(p->text.arena, &p->known, a);
    for (int k = 0; k < a->rank; k++) {
        put(p, "[");
        if (a->extent[k]) print_expr(p, a->extent[k], T_NONE);
        else put(p, "?");
        put(p, "]");
    }
    text_printf(&p->text, ": %s", type_name(a->elem));
    put_layout(p, a);
}

// ---- nodes ----------------------------------------------------------------------------
static void put_node(Printer *p, const Node *n);

// Below a head that stands on the line already: a sequence goes on in the same line.
static void put_body(Printer *p, const Node *n) {
    if (n && n->kind == N_SEQ) {
        put(p, " ");
        put_node(p, n);
        return;
    }
    p->indent++;
    line(p);
    put_node(p, n);
    p->indent--;
}

static void put_seq(Printer *p, const Node *n) {
    put(p, "{");
    put_loc(p, n->loc);
    p->indent++;
    for (int k = 0; k < n->nlocals; k++) put_array(p, n->locals[k]);
    for (int k = 0; k < n->nkids; k++) {
        line(p);
        put_node(p, n->kids[k]);
    }
    p->indent--;
    line(p);
    put(p, "}");
}

static void put_mark(Printer *p, const Mark *m) {
    static const char *const words[] = {"none", "parallel", "seq"};
    text_printf(&p->text, " mark (%s", words[m->assert]);
    put_loc(p, m->loc);
    for (int k = 0; k < m->nred; k++)
        text_printf(&p->text, " reduce %s %s", op_text(m->redop[k]), m->red[k]->name);
    put(p, ")");
}

static void put_for(Printer *p, const Node *n) {
    text_printf(&p->text, "for %s: %s", n->iter->name, type_name(n->iter->type));
    if (n->iter->counted)
        text_printf(&p->text, " of %s%s", type_name(n->iter->counted), n->iter->exactly ? " exactly" : "");
    put(p, " = ");
    print_expr(p, n->lo, n->iter->type);
    put(p, " .. ");
    print_expr(p, n->hi, n->iter->type);
    if (n->step != 1) text_printf(&p->text, " step %" PRId64, n->step);
    if (n->how != HOW_SERIAL) text_printf(&p->text, " %s", how_name(n->how));
    if (n->unroll) text_printf(&p->text, " unroll %d", n->unroll);
    if (n->graph) put(p, " graph");
    if (n->matrix) text_printf(&p->text, " matrix %s", n->matrix->name);
    if (n->mark) put_mark(p, n->mark);
    put_loc(p, n->loc);
    put_body(p, n->body);
}

static void put_if(Printer *p, const Node *n) {
    put(p, "if (");
    print_expr(p, n->cond, T_NONE);
    put(p, ")");
    put_loc(p, n->loc);
    bool group = n->other && n->then && n->then->kind != N_SEQ; // else may be taken for its own
    if (group) put(p, " (");
    put_body(p, n->then);
    if (group) put(p, ")");
    if (!n->other) return;
    if (n->then && n->then->kind == N_SEQ) put(p, " ");
    else line(p);
    put(p, "else");
    put_body(p, n->other);
}

static void put_stmt_node(Printer *p, const Node *n) {
    text_printf(&p->text, "%s[", n->stmt->label);
    put_list(p, n->at, n->stmt->depth);
    put(p, "]");
    if (n->nvia) {
        put(p, " via (");
        for (int k = 0; k < n->nvia; k++) {
            put(p, k ? ", " : "");
            if (!n->via[k]) put(p, "-");
            else if (n->via_sub && n->via_sub[k]) put_element(p, n->via[k], n->via_sub[k]);
            else put(p, n->via[k]->name);
        }
        put(p, ")");
    }
    if (n->atomic) put(p, " atomic");
    if (n->forms) text_printf(&p->text, " math (%s)", forms_text(p->text.arena, n->forms));
    put_loc(p, n->loc);
}

static void put_copy(Printer *p, const Node *n) {
    if (n->dst) {
        put(p, "copy ");
        put_element(p, n->dst, n->sub);
        put_update(p, n->op);
    } else {
        put(p, "value ");
    }
    print_expr(p, n->src, n->dst ? n->dst->elem : T_I64);
    if (n->atomic) put(p, " atomic");
    if (n->async) put(p, " async");
    put_loc(p, n->loc);
}

static void put_corner(Printer *p, const Foot *f, Expr *const *at) {
    for (int k = 0; k < f->array->rank; k++) {
        put(p, "[");
        print_expr(p, at[k], T_I64);
        put(p, "]");
    }
}

static void put_foot(Printer *p, const Foot *f) {
    line(p);
    text_printf(&p->text, "foot %s", f->array->name);
    for (int k = 0; k < f->array->rank; k++) {
        put(p, "[");
        print_expr(p, f->lo[k], T_I64);
        put(p, " to ");
        print_expr(p, f->hi[k], T_I64);
        put(p, "]");
    }
    if (f->first) {
        put(p, " within ");
        put_corner(p, f, f->first);
        put(p, " to ");
        put_corner(p, f, f->last);
    }
    if (f->in) put(p, " in");
    if (f->out) put(p, " out");
    if (f->exact) put(p, " exact");
    if (f->loose) put(p, " loose");
    if (f->sparse) put(p, " sparse");
    if (f->gaps) put(p, " gaps");
    if (f->written) put(p, " if "), print_expr(p, f->written, T_I32);
    if (f->place == HOST_LOCKED) put(p, " pinned");
    if (f->place == HOST_UNIFIED) put(p, " managed");
}

// The boxes of a streamed kernel, a line each.
static void put_moves(Printer *p, const Node *n) {
    p->indent += 2;
    for (int k = 0; k < n->nmoves; k++) put_foot(p, &n->moves[k]);
    p->indent -= 2;
    if (n->nmoves && n->body && n->body->kind == N_SEQ) line(p);
}

static void put_outline(Printer *p, const Outline *o) {
    const KernelSig *s = &o->sig;
    put(p, " outline (");
    for (int k = 0; k < s->narrays; k++)
        text_printf(&p->text, "%s%s%s", k ? ", " : "", s->arrays[k]->name, s->written[k] ? " out" : "");
    for (int k = 0; k < s->nsyms; k++)
        text_printf(&p->text, "%s%s", k + s->narrays ? ", " : "", s->syms[k]->name);
    text_printf(&p->text, ") shared %" PRId64 " launch %" PRId64, o->shared, o->at_launch);
    if (o->threads) text_printf(&p->text, " phases %" PRId64, o->threads);
    if (o->waits) put(p, " waits");
}

static void put_node(Printer *p, const Node *n) {
    if (!n) {
        put(p, "#null"); // no valid tree has one; the reader says so
        return;
    }
    switch (n->kind) {
    case N_SEQ: put_seq(p, n); break;
    case N_FOR: put_for(p, n); break;
    case N_IF: put_if(p, n); break;
    case N_STMT: put_stmt_node(p, n); break;
    case N_COPY: put_copy(p, n); break;
    case N_KERNEL:
        text_printf(&p->text, "kernel %s", n->name);
        if (n->min_blocks) text_printf(&p->text, " min_blocks %d", n->min_blocks);
        if (n->streamed) put(p, " streamed");
        put_loc(p, n->loc);
        put_moves(p, n);
        if (n->outline) put_outline(p, n->outline);
        put_body(p, n->body);
        break;
    case N_BARRIER: // in dumps alone; the reader knows no such node
        put(p, n->warp ? "barrier warp" : "barrier");
        if (n->pending >= 0) text_printf(&p->text, " pending %d", n->pending);
        break;
    }
}

// ---- regions ---------------------------------------------------------------------------
static void put_param(Printer *p, const Sym *s) {
    line(p);
    text_printf(&p->text, "param %s: %s", s->name, type_name(s->type));
    if (!s->source) return;
    put(p, " = ");
    put_string(p, s->source);
}

static void put_inspect(Printer *p, const Inspect *i) {
    line(p);
    text_printf(&p->text, "inspect %s dim %d as %s to %s %s", i->array->name, i->dim, i->lo->name,
                i->hi->name, i->loose ? "loose " : "");
    if (i->differ) text_printf(&p->text, "distinct %s ", i->differ->name);
    put_node(p, i->tree);
}

static void put_stmt(Printer *p, const Stmt *s) {
    line(p);
    text_printf(&p->text, "stmt %s[", s->label);
    for (int k = 0; k < s->depth; k++) text_printf(&p->text, "%s%s", k ? ", " : "", s->iters[k]->name);
    put(p, "]");
    put_loc(p, s->loc);
    put(p, ": ");
    put_element(p, s->lhs, s->sub);
    put_update(p, s->op);
    print_expr(p, s->rhs, s->lhs->elem);
    if (s->fused) put(p, " fused");
    if (s->atomic) put(p, " atomic");
}

char *ir_print_region(Arena *a, const Region *r) {
    static const char *const marks[] = {"auto", "scop", "sculpt", "acc", "omp"};
    Printer pr = {.text = text_new(a)}, *p = &pr;
    text_printf(&p->text, "region %s", r->name);
    put_loc(p, r->loc);
    p->file = r->loc.file;
    text_printf(&p->text, " %s%s%s%s%s {", marks[r->marked], r->reassociate ? " reassociate" : "",
                r->fast_math ? " fast" : "", r->approximate && !r->fast_math ? " approximate" : "",
                r->chunks ? " chunks" : "");
    p->indent++;
    for (int k = 0; k < r->nparams; k++) put_param(p, r->params[k]);
    for (int k = 0; k < r->narrays; k++) put_array(p, r->arrays[k]);
    for (int k = 0; k < r->nassumes; k++) {
        line(p);
        put(p, "assume ");
        print_expr(p, r->assumes[k], T_NONE);
    }
    for (int k = 0; k < r->ninspects; k++) put_inspect(p, r->inspects[k]);
    line(p);
    put(p, "do ");
    put_node(p, r->root);
    for (int k = 0; k < r->nstmts; k++) put_stmt(p, r->stmts[k]);
    put(p, "\n}\n");
    return p->text.s;
}

// ---- nests ------------------------------------------------------------------------------
static void put_field(Printer *p, const char *word, const Expr *x, Type t) {
    if (!x) return;
    line(p);
    put(p, word);
    print_expr(p, x, t);
}

const char *promise_word(const Promise *p) { return p->rises ? "rising" : "distinct"; }

static void put_when(Printer *p, const Nest *n) {
    if (!n->when) return;
    line(p);
    put(p, "when ");
    if (n->proof != PROOF_PROVED) put(p, proof_word(n->proof)), put(p, " ");
    if (n->proof != PROOF_PROVED && n->reason) put_string(p, n->reason), put(p, " ");
    print_expr(p, n->when, T_I32);
}

char *ir_print_nest(Arena *a, const Nest *n) {
    Printer pr = {.text = text_new(a), .file = n->region->loc.file}, *p = &pr;
    node_each(m, n->region->root)
        for (int k = 0; k < m->nlocals; k++)
            if (!is_known(p, m->locals[k])) vec_push(a, &p->known, m->locals[k]);
    put(p, "nest ");
    put_string(p, n->target ? n->target : "");
    put(p, " {");
    p->indent++;
    for (int k = 0; k < n->nfacts; k++) {
        line(p);
        const Fact *f = &n->facts[k];
        text_printf(&p->text, "fact %s %s%s%s", f->sym->name, fact_word(f->kind), f->array ? " " : "",
                    f->array ? f->array->name : "");
    }
    for (int k = 0; k < n->npromised; k++) {
        line(p);
        text_printf(&p->text, "%s %s", promise_word(&n->promised[k]), n->promised[k].array->name);
    }
    put_when(p, n);
    for (int k = 0; k < n->nfeet; k++) put_foot(p, &n->feet[k]);
    put_field(p, "flops ", n->flops, T_F64);
    put_field(p, "bytes ", n->bytes, T_F64);
    put_field(p, "work ", n->work, T_F64);
    put_field(p, "cost ", n->cost, T_F64);
    if (n->recipe && *n->recipe) {
        line(p);
        put(p, "recipe ");
        put_string(p, n->recipe);
    }
    line(p);
    put(p, "do ");
    put_node(p, n->root);
    put(p, "\n}\n");
    return p->text.s;
}

char *ir_print_node(Arena *a, const Node *n, int indent) {
    Printer p = {.text = text_new(a), .indent = indent};
    for (int k = 0; k < indent; k++) put(&p, "    ");
    put_node(&p, n);
    put(&p, "\n");
    return p.text.s;
}

char *ir_print_expr(Arena *a, const Expr *x) {
    Printer p = {.text = text_new(a)};
    print_expr(&p, x, T_NONE);
    return p.text.s;
}
