// SPDX-License-Identifier: MIT
// dump.c -- an Ast as indented text, for people who debug this room.
#include "parse/ast.h"

static const char *const kind_names[] = {"int", "float", "string", "ref", "index", "field",
    "deref", "addr", "unary", "binary", "assign", "incdec", "cond", "cast", "call", "comma",
    "init-list", "statement-expr", "expr", "decls", "block", "if", "for", "while", "do", "switch", "break",
    "continue", "return", "goto", "label", "empty", "barrier", "other"};

static void dump_at(FILE *out, const Ast *x, int indent);

static void dump_decl(FILE *out, const Decl *d, int indent) {
    fprintf(out, "%*s%s : %s%s%s%s\n", indent, "", d->name, d->type->text,
            d->is_global ? " global" : "", d->is_static ? " static" : "",
            d->address_taken ? " address-taken" : "");
    for (const CType *t = d->type; t && (t->kind == CT_ARRAY || t->kind == CT_POINTER); t = t->of)
        if (t->kind == CT_ARRAY && t->size) dump_at(out, t->size, indent + 4);
    if (d->init) dump_at(out, d->init, indent + 2);
}

static void dump_at(FILE *out, const Ast *x, int indent) {
    if (!x) {
        fprintf(out, "%*s-\n", indent, "");
        return;
    }
    fprintf(out, "%*s%s %d:%d [%zu,%zu)", indent, "", kind_names[x->kind], x->loc.line, x->loc.col,
            x->begin, x->end);
    if (x->type) fprintf(out, " : %s", x->type->text);
    if (x->kind == A_INT) fprintf(out, " %lld", (long long)x->i);
    if (x->kind == A_FLOAT) fprintf(out, " %.17g", x->f);
    if (x->kind == A_UNARY || x->kind == A_BINARY || x->kind == A_ASSIGN || x->kind == A_INCDEC)
        fprintf(out, " %s", op_text(x->op));
    if (x->compute) fprintf(out, " in %s", x->compute->text);
    if (x->postfix) fputs(" postfix", out);
    if (x->arrow) fputs(" arrow", out);
    if (x->decl) fprintf(out, " %s", x->decl->name);
    else if (x->name) fprintf(out, " '%s'", x->name);
    fputc('\n', out);
    for (int i = 0; i < x->ndecls; i++) dump_decl(out, x->decls[i], indent + 2);
    for (int i = 0; i < x->nkids; i++) dump_at(out, x->kids[i], indent + 2);
}

void ast_dump(FILE *out, const Ast *x) { dump_at(out, x, 0); }
