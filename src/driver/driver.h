// SPDX-License-Identifier: MIT
// driver.h -- the command line: what each verb is given, and the helpers that verbs share.
//
//   main.c -> one file a verb -> pipeline.c (the compiler) -> rewrite.c (host text)
//                             -> host.c (the system's C compiler)
#ifndef SCULPT_DRIVER_H
#define SCULPT_DRIVER_H
#include "dep/dep.h"
#include "emit/emit.h"
#include "front/front.h"
#include "ir/show.h"
#include "plan/plan.h"

typedef VEC(const char *) Strings;

// ---- flags.c: a gcc or clang command line, understood as far as a driver must ---------
typedef enum Stage {
    STAGE_LINK,    // no -c, -S, …: a program or a shared library
    STAGE_OBJECT,  // -c
    STAGE_ASM,     // -S
    STAGE_PASS     // -E, -M, -fsyntax-only, -###, or no input: nothing for sculpt to do
} Stage;

// A file on the command line.
typedef struct Input {
    const char *path;
    int at;              // its index in Flags.args
    bool is_c;           // C by its name, or by the -x before it
    bool explicit_lang;  // under -x
    bool is_standard;    // C, but from standard input, which nobody reads twice
} Input;

typedef struct Flags {
    Strings args;        // for the host compiler: inputs included, sculpt's own options removed
    VEC(Input) inputs;
    Strings front;       // those of them that change what the text means, for front_read
    Strings dep_files;   // where -MF, -Wp,-MD and their kin write dependencies
    Stage stage;
    const char *output;  // -o; NULL: the compiler's default
    bool writes_deps;    // -MD or -MMD
    bool openmp, openmp_simd, openacc; // -fopenmp, -fopenmp-simd, -fopenacc
    bool c89;            // -ansi, -std=c89 and its kin
    bool is_static;      // -static, -static-pie
    bool is_shared;      // -shared
    bool no_library;     // -r, -nostdlib, -nodefaultlibs: don't link libsculpt
    bool mute;           // libsculpt can't be called, or not be given a text
    // sculpt's own
    bool auto_mark;      // --auto
    bool quiet;          // --quiet: errors only
    bool no_remarks;     // --no-remarks, -w
    bool all_remarks;    // --remarks: of unmarked loops each, too
    bool verbose;        // --sculpt-verbose
    bool reassociate, approximate, fast_math, unordered; // --permit
    ComplexRules complex_rules; // -fcx-limited-range and its kin
    bool no_contract;    // -ffp-contract=off, or a standard of ISO's without -ffp-contract, as gcc takes it
    bool contract_given; // some -ffp-contract
    bool wraps, traps;   // -fwrapv, -ftrapv
    bool swapped;        // -fsso-struct=
    const char *stays;   // why no kernel means what the host's code does under these options; NULL: it does
    Strings sanitizers;  // -fsanitize=, those that watch what loops do
    bool asks_device;    // the verb is for what loops do on a device
    bool requires;       // SCULPT_REQUIRE, --require-device: a mark that nobody reads is an error
    bool host_fma;       // the host's code may have fused multiply-adds: -mfma, -march
    bool iso;            // -std=c99 and its kin, -ansi; no GNU dialect
    bool confirm;        // --confirm
    const char *recipe;  // --recipe FILE[:LINE]: the steps for one region; NULL: all automatic
    int recipe_line;     // a line of that region in the C file; 0: the only region
    Judging judging;     // --judge each|last|none
    bool one_shape;      // of the shaped nests only the first is asked for; no_shapes: none
    bool no_shapes;
    bool carried;        // nests as a program carries them: plain ones, others being planned where it runs
} Flags;

// Reads compiler arguments. NULL and a sentence in *why: a sculpt option is wrong.
// Response files (@file) are expanded.
Flags *flags_parse(Arena *a, int argc, char **argv, const char **why);
// A word of theirs with two dashes that neither the verb nor a C compiler knows, or that is nearly one of the
// verb's options; NULL: none.
const char *flags_stray(Arena *a, const Flags *f, const char *verb);
// Why loops stay on the host under these flags; NULL: they need not.
const char *flags_stays(Arena *a, const Flags *f);
// Gives a compile what the flags grant.
void flags_grant(const Flags *f, Compile *c);

// ---- pipeline.c: the whole compiler --------------------------------------------------------
// A region and what became of it.
typedef struct Part {
    const FrontRegion *front;
    const DepInfo *dep;   // NULL when front->region is
    Nest *gpu, *cpu;      // NULL: none for that kind of machine
    int nshaped;          // for the GPU, each for some sizes; they go before `gpu` in the chain
    Nest *shaped[PLAN_VARIANTS];
    bool followed;        // gpu is what --recipe makes of the region
    bool taken;           // there is a nest, and the user's text can be replaced
    // What stands in the program: region and nests. A marked region that was not taken has
    // its region alone, or an empty one: then libsculpt makes the host's data current before the
    // loops, trusts no copy on a device after them, and --require-device hears of it.
    // NULL: the loops are left as they are.
    const char *text;
    const char *host_why; // why the text can't be replaced; NULL
    bool shared;          // the mark shares iterations among threads that run already
    bool deferred;        // the host's OpenMP may run the loops later
} Part;

// Nothing of it runs, here or there: its loops have no iterations.
bool part_is_idle(const Part *p);

typedef struct Unit {
    const FrontUnit *front;
    int nparts;
    Part *parts;          // one a FrontRegion, in text order
    int ntaken;           // how many are taken
    int ntexts;           // how many have a text
    int slips;            // misspelt marks
    int noutside;         // included files with marks that are not in the text; in cc with misspelt marks
} Unit;

// FILE.c or FILE.c:LINE as it is read: all of its regions, or those that hold the line, their mark included,
// or else those of the function around it. NULL after diag(): it can't be read, or there are none at the
// line.
FrontUnit *pipeline_front(Compile *c, const char *word, const Flags *f);
// The same to nests.
Unit *pipeline_read(Compile *c, const char *word, const Flags *f);
// The region that a recipe is for: the only one, or the only one that the line names. NULL after diag().
const FrontRegion *pipeline_choose(Compile *c, const FrontUnit *u, int line);
// The nest that --recipe makes of a region. NULL after diag().
Nest *pipeline_follow(Compile *c, const Region *r, const DepInfo *d, const char *target, const Flags *f);
// The text of a region of which nothing is known but that it is marked.
char *pipeline_blank(Compile *c, Loc loc, MarkKind marked);
// "sculpt 1 region… nest…" for a region and those of its nests that exist.
char *pipeline_text(Arena *a, const Region *r, int n, Nest *const *nests);

// ---- summary.c ------------------------------------------------------------------------------------
// The diagnostics of a unit from number `from` on, the deepest loops' first, and one line about all of its
// loops.
void summary_show(Compile *c, int from, const Flags *f, const Unit *u);

// ---- rewrite.c: the host's text ------------------------------------------------------------
// The user's file with each taken region replaced by a guarded call.
char *rewrite_unit(Compile *c, const Unit *u, const Flags *f);
// The same for a file of which nothing is known but that it may hold marked loops.
char *rewrite_unread(Compile *c, const Flat *flat, const Flags *f);
// The same for text that is no file's, or that the preprocessor made; `file` is its name.
char *rewrite_told(Compile *c, const char *text, const char *file);
// Does libsculpt hear of each marked loop where it stands? If not, the text tells it when the program begins.
bool rewrite_tells(const Unit *u);
// Does the region's mark share iterations among threads that run already (omp for)?
bool rewrite_shares(const FrontRegion *r, const Flags *f);
// Why the text of a region cannot be replaced, or NULL.
const char *rewrite_refuses(Arena *a, const FrontUnit *u, const FrontRegion *r, const Flags *f);

// ---- slips.c -----------------------------------------------------------------------------------
// Warns of pragmas whose misspelt words mark nothing; how many there are. u: what was read of the file, or
// NULL.
int slips_note(Compile *c, const char *file, const FrontUnit *u);

// ---- scan.c: C text without understanding it -------------------------------------------------
// The next token at or after `at` (comments, white space and directives skipped):
// [*begin, *end). False at `limit`.
bool scan_token(const char *text, size_t limit, size_t at, size_t *begin, size_t *end);
bool scan_is(const char *text, size_t begin, size_t end, const char *word);
bool scan_has(const char *text, size_t begin, size_t end, const char *word); // is one of the tokens the word?
// Is `at` the '#' of a directive? Its word goes to *word as offsets; *past: behind the newline.
bool scan_directive(const char *text, size_t size, size_t at, size_t word[2], size_t *past);
// The least depth of #if nesting met in a span, and the depth at its end (0: balanced).
void scan_conditionals(const char *text, size_t begin, size_t end, int *least, int *final);
// A copy of a span in which all but the first branch of each #if is blank.
char *scan_first_branches(Arena *a, const char *text, size_t begin, size_t end);
// The first of the pragmas before `at` that bind to the loop at `at` (GCC ivdep, omp simd):
// nothing may come between. `at` when there is none.
size_t scan_bound_pragma(const char *text, size_t at);
// Does nothing stand directly before `at` that could be a macro which binds to what follows?
bool scan_stands_free(const char *text, size_t at);
// Does `at` lie in a function that is inline and not static?
bool scan_open_inline(const char *text, size_t at);
// The declaration outside of functions that holds `at` and ends in a block: the function, if it is one.
bool scan_around(const char *text, size_t size, size_t at, size_t *begin, size_t *end);
// Has the function that begins there the name?
bool scan_is_named(const char *text, size_t begin, const char *name);
// The line at which the function of that name begins; 0: there is none.
int scan_function(const char *text, size_t size, const char *name);
// Names that a span declares at its own level (a heuristic that errs to naming too many).
void scan_declared(Arena *a, const char *text, size_t begin, size_t end, Strings *out);
// Is a name used between `at` and the end of the block that holds `at`?
bool scan_used_after(const char *text, size_t size, size_t at, const char *name);
int scan_line(const char *text, size_t at);

// ---- host.c: the system's compiler, children ---------------------------------------------------
// The words of $SCULPT_CC, or gcc, cc, clang: the first that PATH has. NULL: none.
bool host_compiler(Arena *a, Strings *out);
// What it predefines under these flags, as lines "#define NAME VALUE"; NULL: it could not be asked.
const char *host_macros(Arena *a, const Flags *f);
// The folder with libsculpt.so beside this executable; NULL: not found.
const char *host_library_dir(Arena *a);
// Runs argv with our own stdin, stdout and stderr, hands signals on, and returns waitpid's
// status; -1: could not be started.
int host_spawn(char *const argv[]);
// A waitpid status as an exit status; a signal that killed the child kills us too.
int host_exit(int status);

// ---- verbs ---------------------------------------------------------------------------------
int cc_main(int argc, char **argv);
int run_main(int argc, char **argv);
int emit_main(int argc, char **argv);
int explain_main(int argc, char **argv);
int plan_main(int argc, char **argv);
int check_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int tune_main(int argc, char **argv);
int wisdom_main(int argc, char **argv);
int cache_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int apply_main(int argc, char **argv);
int rules_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int help_main(int argc, char **argv);
// cc.c, for run too: compiles and links, to `output` if given; a waitpid status. strict:
// a C error that clang finds is the end. built: NULL, or for what was met on the way.
typedef struct Built {
    int found;   // marked loops, taken or not
} Built;
int cc_build(Compile *c, const Flags *f, const char *output, bool strict, Built *built);
// run.c, for check: checks when `check`.
int run_program(const char *verb, int argc, char **argv, bool check);
// check.c: says on stderr what a check left in a file.
bool check_report(const char *path); // false: nothing was compared
// legal.c: `explain --why RULE` (why: its name) and `explain --legal` (NULL). The exit status.
int explain_rules(Compile *c, const Flags *f, const char *why, bool json);
int explain_patterns(Compile *c, const Flags *f); // patterns.c: --patterns
// explain_kernel.c: a file of kernels among the words? Then `explain` is about the one that is named, or all.
bool has_kernel_file(int argc, char **argv);
int explain_kernel(int argc, char **argv);
int check_kernel(int argc, char **argv); // check_kernel.c: `check REF.c KERNEL.cu`
// advice_code.c: a CUDA toolkit's program, in PATH or in a toolkit's folder; NULL: it is not here.
const char *advice_tool(Arena *a, const char *name);
const char *verdict_in_short(Arena *a, const Verdict *v); // advice_ladder.c
// ---- words.c: words of a command line ------------------------------------------------------
// "--name=value" or "--name value": 0 not it, else the words used; -1: no value.
int word_valued(const char *name, int i, int argc, char **argv, const char **out);
bool word_is_cpp(const char *path); // a file of C++, by its name's end
// FILE.c:LINE, unless a file has that very name: the file; its line in *line, or 0.
const char *word_line(Arena *a, const char *file, int *line);
// Of FILE:FUNCTION, too: the line at which that function begins.
const char *word_place(Arena *a, const char *word, int *line);

// ---- help.c: the texts of help/*.txt ---------------------------------------------------------------
enum { HELP_VERBS = 13 };
// in the order of the manual, the first are verbs; NULL ends them
extern const char *const help_names[];
const char *help_next(const char *line);     // the line behind it
// the length of "  --option VALUE" before the gap; 0: no such line
size_t help_head(const char *line);
int help_complete(const char *shell);        // complete.c: bash, zsh or fish
const char *help_text(const char *name);     // of a verb or a topic; "sculpt": of all. NULL: there is none
// the verb's option that was meant; NULL: none is near
const char *help_option(Arena *a, const char *verb, const char *word);
const char *help_meant(Arena *a, const char *word); // " (did you mean 'VERB or topic'?)", or ""

// ---- main.c -----------------------------------------------------------------------------------
// "sculpt VERB: error: message", and where to read more, on stderr; returns 2.
int usage_error(const char *verb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// The same of an option that the verb does not have, with the one that is near.
int usage_stray(const char *verb, const char *word);
// "sculpt: error: message [SCnnnn]" on stderr.
void say_error(DiagCode code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// Prints the diagnostics from number `from` on, each once. clang: its own messages too.
void diags_show(const Compile *c, int from, const Flags *f, bool clang);
// The exit status behind what was reported: 2 where the command line asked for what is not there, else 1 for
// an error.
int diags_status(const Compile *c);

// ---- show.c: regions for people (ir/show.h: expressions) -----------------------------------------
const char *show_proof(Proof p);                                  // for people; proof_word: in nests' text
const char *show_stmt(Arena *a, const Stmt *s);
const char *show_array(Arena *a, const Array *array);            // "a[n][m]", "s"
const char *show_loop(Arena *a, const Node *loop);               // "for j = 0 .. n"
const char *show_loc(Arena *a, Loc loc);                         // "file:line:col"
const char *show_source(Arena *a, const char *source);           // a comment at its head in its place
// "S0[i, j] : 0 <= i < n and …" for a statement node and the loops and ifs around it.
const char *show_domain(Arena *a, const Node *root, const Node *stmt);
// "[0 .. n-1][? .. ?]", where loops run at all; ?: not known
const char *show_foot(Arena *a, const Foot *f);
// ---- tree.c
char *show_tree(Arena *a, Node *root);                           // a nest's tree, a line a node
#endif
