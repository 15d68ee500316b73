// SPDX-License-Identifier: MIT
// marks_words.h -- the vocabulary of pragmas: directives and clauses.
#ifndef SCULPT_PARSE_MARKS_WORDS_H
#define SCULPT_PARSE_MARKS_WORDS_H
#include "parse/ast.h"

typedef enum ClauseUse {
    CLAUSE_UNKNOWN, // a warning
    CLAUSE_USED,    // has a meaning here, or none that could change a result
    CLAUSE_HINT     // a remark
} ClauseUse;
ClauseUse clause_use(const char *name);
// " (did you mean 'CLAUSE'?)", or ""
const char *clause_meant(Arena *a, const char *name);

// The kind of the directive that begins with words[0..n-1]; *used: how many of them name it,
// the rest being clauses. False: a pragma of somebody else.
bool directive_kind(int n, const char *const *words, PragmaKind *kind, int *used);
// Does the directive apply to the statement that follows it?
bool directive_has_target(PragmaKind kind);
#endif
