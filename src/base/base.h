// SPDX-License-Identifier: MIT
// base.h -- what every room may use: arena, text, vectors, diagnostics, processes, folders of one's own.
//
// Values live in an Arena and are freed together with it; nothing here has a
// free function of its own. No function here exits or prints, but diag_print.
#ifndef SCULPT_BASE_H
#define SCULPT_BASE_H
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- arena ---------------------------------------------------------------
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a); // NULL is allowed
// Zeroed memory, aligned for any type. Out of memory aborts: no caller could go on.
void *arena_alloc(Arena *a, size_t bytes);
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// Runs drop(object) when the arena is freed, last registered first. Returns object.
void *arena_own(Arena *a, void *object, void (*drop)(void *));
#define NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define NEW_N(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))
// A T with the value of another, which may be a literal: NEW_AS(a, Loc, (Loc){file, 1, 1}).
#define NEW_AS(a, T, ...) ((T *)arena_copy((a), 1 ? &(__VA_ARGS__) : (const T *)NULL, sizeof(T)))
void *arena_copy(Arena *a, const void *from, size_t bytes);

// ---- vectors -------------------------------------------------------------
// VEC(T) is a struct {T *at; int n, cap;}; storage comes from an arena.
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        int n, cap;                                                                                \
    }
#define vec_push(a, v, x)                                                                          \
    (((v)->n == (v)->cap                                                                           \
          ? (void)((v)->at = vec_grow_((a), (v)->at, (v)->n, &(v)->cap, sizeof *(v)->at))          \
          : (void)0),                                                                              \
     (v)->at[(v)->n++] = (x))
void *vec_grow_(Arena *a, void *at, int n, int *cap, size_t size);
// Is the pointer one of the n in the array `at` of such?
bool has_pointer(int n, const void *at, const void *x);

// ---- text ----------------------------------------------------------------
// A growing string; .s is NUL-terminated once anything was written, else NULL.
typedef struct Text {
    Arena *arena;
    char *s;
    size_t n, cap;
} Text;
Text text_new(Arena *a);
void text_put(Text *t, const char *s);
void text_putn(Text *t, const char *s, size_t n);
void text_printf(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *t, const char *fmt, va_list ap);
const char *text_str(const Text *t); // "" when empty
bool str_eq(const char *a, const char *b); // NULL equals only NULL
// Is the name one of those in the list, which blanks or commas part? NULL: an empty list.
bool str_among(const char *name, const char *list);
bool str_has_prefix(const char *s, const char *prefix);
bool str_has_suffix(const char *s, const char *suffix);
// The name of a list (NULL ends it) that one or two slips of the finger make of the word; NULL: none.
const char *word_nearest(const char *word, const char *const *names);
// " (did you mean 'NAME'?)", or ""
const char *word_meant(Arena *a, const char *word, const char *const *names);
uint64_t hash_bytes(const void *p, size_t n, uint64_t seed); // FNV-1a, 64 bits
// Stands for a text: two hashes of it, eight bytes at a time.
typedef struct Digest {
    uint64_t word[2];
} Digest;
Digest digest_of(const void *p, size_t n);
char *digest_text(Arena *a, Digest d); // 32 hexadecimal digits

// ---- places and diagnostics ----------------------------------------------
typedef struct Loc {
    const char *file; // NULL: no place known
    int line, col;    // from 1
} Loc;

typedef enum DiagLevel { DIAG_NOTE, DIAG_REMARK, DIAG_WARNING, DIAG_ERROR } DiagLevel;

// The number of a diagnostic; diag.def documents each.
typedef enum DiagCode {
#define DIAG(code, name, what) SC_##name = code,
#include "base/diag.def"
#undef DIAG
} DiagCode;

typedef struct Diag {
    DiagLevel level;
    DiagCode code;
    Loc loc;
    const char *text;
} Diag;

// ---- one compile -----------------------------------------------------------
// State of one compile, passed first everywhere; there are no mutable globals.
typedef struct isl_ctx isl_ctx;
typedef struct Watch Watch;
typedef struct Poly Poly;
typedef struct Ground Ground;
// What is known from one planning to the next: texts by keys of any length.
typedef struct Recall {
    const char *(*find)(void *arg, Arena *a, const char *key); // NULL: it is not known
    void (*keep)(void *arg, const char *key, const char *text);
    void *arg;
} Recall;
// How products and quotients of complex numbers are computed: as Annex G of C says; so, but there is no NaN;
// without a look at NaN, but scaled; as the formulas have it.
typedef enum ComplexRules { COMPLEX_FULL, COMPLEX_FINITE, COMPLEX_FORTRAN, COMPLEX_LIMITED } ComplexRules;

typedef struct Compile {
    Arena *arena;
    isl_ctx *isl;      // made on first use by ir/poly; owned by the arena
    Poly *poly;        // ir/poly's, likewise
    Ground *ground;    // rule/known's: what was found out about places
    struct Trees *trees; // ir/once's: of those that are alike one
    struct Part *parts; // plan/part's: those of the plans at hand
    struct ChainMemos *chains; // plan/chain's: loops that were looked at
    struct StartMemo *starts; // plan/start's: regions that were begun with
    struct TakenMemos *taken; // plan/taken's: steps that were taken
    struct VerdictMemos *verdicts; // plan/judge's: nests that were judged
    Watch *watch;      // ir/watch; stops isl when an analysis takes too long
    double deadline;   // time_used() at which the analysis at hand gives up
    double limit;      // time_used() from which on each analysis gets little; 0: never
    bool soon;         // that limit is for one of several tries: who was over it may be asked again
    Loc at;            // the region at hand: the place of what analyses say
    // seconds that an analysis may take are times that (0 as 1): where operations alone shall bound it
    int patience;
    // an analysis has that part of its budget (0 as 1): what nobody asked for is worth less
    int thrift;
    VEC(size_t) apart; // where host loops begin of which each marked loop is a region by itself (front)
    VEC(Diag) diags;   // in the order found
    int errors;        // how many of them are errors
    bool fp_contract;  // a*b+c becomes fma (default true)
    bool reassociate;  // --permit reassociate / -ffast-math: for the whole program
    bool unordered;    // --permit unordered: floating atomics
    bool fast_math;    // --permit fast-math
    bool approximate;  // --permit approximate: rule math alone
    bool confirm;      // --confirm: the judge looks at each finished nest
    bool wraps, traps; // signed arithmetic that overflows: -fwrapv, -ftrapv
    ComplexRules complex_rules; // of complex products and quotients
    bool in_order;     // recurrences stay as they are written: to be compared with somebody else's (front)
    bool swapped;      // members may have their bytes in another order: -fsso-struct
    const char *predefined; // the host compiler's own macros, lines "#define NAME VALUE"; NULL: not known
    const Recall *recall;    // NULL: nothing is known
    const atomic_bool *stop; // once it is set all analyses give up; NULL: it never is
} Compile;
Compile *compile_new(void);
void compile_free(Compile *c);
// Reports once, at the place in the user's file. The text says what and, for a
// remark, the cure.
void diag(Compile *c, DiagLevel level, DiagCode code, Loc loc, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
// What was tried is taken back, with what was said meanwhile; mistakes of sculpt's own stay.
void diag_forget(Compile *c, int from);
// "file:line:col: remark: text [SC0104]" with the source line and a caret when
// the file can be read.
void diag_print(FILE *out, const Diag *d, bool with_source_line);
const char *diag_level_name(DiagLevel level);
const char *diag_explain(DiagCode code); // the sentence in diag.def

// ---- files and processes ---------------------------------------------------
char *file_read(Arena *a, const char *path, size_t *size); // NULL: unreadable (errno says why)
bool file_write(const char *path, const char *text, size_t n);
// Runs argv (PATH searched), waits; returns the exit status, 127 when it can't be started, 128+signal when
// killed. out, err: when not NULL, what it printed ("": nothing, or it can't be started). A process that may
// do more than its user starts programs of the usual folders only, with an empty environment.
int process_run(Arena *a, char *const argv[], char **out, char **err);
// The same, in a process group of its own, which is ended once *stop is set; NULL: never.
int process_run_until(Arena *a, char *const argv[], char **out, char **err, const atomic_bool *stop);
// ---- the environment, and folders of one's own (folder.c) ---------------------
// $NAME; NULL: not set, empty, or not to be believed, because this process may do more than the user
// who started it (set-user-ID). Nothing else here reads the environment.
const char *env_get(const char *name);
// Calls tell for each variable whose name is nearly one of ours; once a process.
void env_misspelt(void (*tell)(const char *name, const char *meant));
const char *env_path(void); // $PATH, or the usual folders
// The first file NAME in the folders of a colon-separated list; its real path, NULL: none.
char *path_find(Arena *a, const char *folders, const char *name);
// The file that this code was loaded from, libsculpt or the program that holds it; NULL: it can't be told.
const char *path_self(Arena *a);
// Why others may have written what is in a folder or file: it belongs to somebody else, or not only its
// owner may write to it. NULL: it is the user's alone.
const char *path_shared(Arena *a, const char *path);
// A folder with those above it, for the user alone; false with errno. The path is as before when it returns.
bool folder_make(char *path);
// The folder for temporary ones: $TMPDIR, or where others could change files there, /tmp or its like, and
// the reason in *why, else "". NULL: there is none.
const char *temp_base(Arena *a, const char **why);
// A new folder below it for this process alone, removed when the arena is freed; NULL: *why says why.
const char *temp_folder(Arena *a, const char **why);

// ---- the clock -------------------------------------------------------------------
double time_now(void); // seconds, monotonic
double time_used(void); // seconds of a processor that the calling thread has had
#endif
