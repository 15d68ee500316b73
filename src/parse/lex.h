// SPDX-License-Identifier: MIT
// lex.h -- C text as bytes: comments, strings and lines, for finding where things end.
#ifndef SCULPT_PARSE_LEX_H
#define SCULPT_PARSE_LEX_H
#include "base/base.h"

// May c stand in an identifier?
bool lex_word_char(char c);
// Past white space, comments and backslash-newlines.
size_t lex_blank(const char *text, size_t size, size_t at);
// Does a preprocessor line begin with the '#' at `at`?
bool lex_is_directive(const char *text, size_t size, size_t at);
// Past white space, comments, backslash-newlines and whole preprocessor lines.
size_t lex_skip(const char *text, size_t size, size_t at);
// Past one token (an identifier, a number, a string, or one character) at `at`.
size_t lex_token(const char *text, size_t size, size_t at);
// Past the newline that ends the logical line at `at` (backslash-newline continues it).
size_t lex_line_end(const char *text, size_t size, size_t at);
// The same of a directive, in which comments may hold more newlines.
size_t lex_directive_end(const char *text, size_t size, size_t at);
// Where the next directive begins that no comment and no string holds; `at` is between two tokens. Or size.
size_t lex_next_directive(const char *text, size_t size, size_t at);
// The first place at or after `want` where every bracket opened since `at` is closed.
size_t lex_balance(const char *text, size_t size, size_t at, size_t want);
// Where the next `mark` character stands outside brackets opened since `at`; size: nowhere.
size_t lex_find(const char *text, size_t size, size_t at, char mark);
// Does the word `word` stand at `at`, as a whole token?
bool lex_word_is(const char *text, size_t size, size_t at, const char *word);
#endif
