// SPDX-License-Identifier: MIT
// parse.h -- the reader's state, shared by lex.c, parse.c, parse_node.c and parse_expr.c
//
// One token of look-ahead. The first error is reported and turns every further token into
// the end of the text, so no caller needs to unwind by hand: loops test p->tok.
#ifndef SCULPT_IR_PARSE_H
#define SCULPT_IR_PARSE_H
#include "ir/print.h"
#include <string.h>

enum {
    MAX_NESTING = 400,        // parentheses and nodes inside each other
    MAX_HEIGHT = 1000,        // of an expression
    MAX_RANK = 32,
    MAX_TEXT = 16 << 20,
    NAME_BUCKETS = 128,
};

typedef enum TokenKind { TK_END, TK_NAME, TK_NUMBER, TK_STRING, TK_SPECIAL, TK_PUNCT } TokenKind;

typedef struct Token {
    TokenKind kind;
    const char *s; // its text, not terminated; a string without its quotes
    int n;
    int line, col;
    unsigned punct; // the characters of a TK_PUNCT, first in the low byte
} Token;
#define P2(a, b) ((unsigned)(a) | (unsigned)(b) << 8)

typedef enum NameKind { NAME_SYM, NAME_ARRAY, NAME_STMT } NameKind;
typedef struct Name {
    const char *text;
    NameKind kind;
    void *is;        // Sym, Array or Stmt
    unsigned bucket;
    int next;        // in the bucket: index + 1
} Name;

// An instance node whose statement may not be read yet: checked at the end.
typedef struct Instance {
    Node *node;
    int nat;
    Token at;
} Instance;

// Where a head ends (ir_parse_head).
typedef struct Rest {
    const char *file, *at, *line_start;
    int line;
    Token tok;
} Rest;

typedef struct Parser {
    Compile *c;
    Arena *arena;
    const char *file;      // name of the text
    const char *at;        // next character
    const char *line_start;
    int line;
    Token tok;
    bool failed;
    int nesting;
    const char *source;    // the region's file, for places without one
    VEC(Name) names;
    int bucket[NAME_BUCKETS];
    VEC(Instance) instances;
    VEC(const Stmt *) stmts; // of the region, those only mentioned so far included
    Region *region;          // NULL: it is being read
    Rest rest;
} Parser;

// lex.c
void lex_next(Parser *p);
bool lex_accept(Parser *p, unsigned punct);        // ... then skip it
bool lex_expect(Parser *p, unsigned punct);        // ... else an error
bool lex_expect_word(Parser *p, const char *word);
char *lex_name(Parser *p);                         // NULL after an error
char *lex_string(Parser *p);                       // adjacent strings are joined
int64_t lex_int(Parser *p, int64_t lo, int64_t hi);// a plain number, sign allowed
void parse_error(Parser *p, Token at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

// Here, for lengths of words are known where they are asked for.
static inline bool token_is(Token t, const char *text) {
    return (size_t)t.n == strlen(text) && memcmp(t.s, text, (size_t)t.n) == 0;
}
static inline bool lex_is(const Parser *p, unsigned punct) { // is the token that punctuation?
    return p->tok.kind == TK_PUNCT && p->tok.punct == punct;
}
static inline bool lex_word(const Parser *p, const char *word) { // is it that word?
    return p->tok.kind == TK_NAME && token_is(p->tok, word);
}
static inline bool lex_accept_word(Parser *p, const char *word) { // ... then skip it
    return lex_word(p, word) && (lex_next(p), true);
}

// parse.c
void *name_find(const Parser *p, NameKind kind, const char *s, int n);
// An error when a symbol or array (or statement) of that name is there already.
bool name_add(Parser *p, NameKind kind, const char *text, void *is, Token at);
Type parse_type(Parser *p);
Loc parse_loc(Parser *p);           // an optional @place
Array *parse_array(Parser *p, Place place); // after the word
bool parse_enter(Parser *p);        // one level deeper; false: too deep
void parse_leave(Parser *p);
Foot parse_foot(Parser *p);         // after the word

// parse_expr.c
Expr *parse_expr(Parser *p, Type implied);
Expr *parse_index(Parser *p, Type implied); // an integer
Expr **parse_subscripts(Parser *p, const Array *a);

// parse_node.c
Node *parse_node(Parser *p);
Op parse_update(Parser *p);         // "=", "+=", "min =", ...
const char *parse_reserved(const char *name); // the word when no statement may have that label
#endif
