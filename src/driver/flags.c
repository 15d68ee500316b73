// SPDX-License-Identifier: MIT
// flags.c -- gcc and clang command lines: inputs, stage, and what changes the meaning of C.
//
// Everything that is not sculpt's own goes to the host compiler in the order given; this
// file only has to know which options take a separate argument, so that no argument is
// taken for an input.
#include "driver/driver.h"
#include "parse/ast.h"
#include <ctype.h>
#include <string.h>
#include <unistd.h>

// ---- tables ------------------------------------------------------------------------------
// Options whose argument is the next word when nothing is joined to them.
static const char *const takes_word[] = {
    "-o", "-I", "-D", "-U", "-L", "-l", "-x", "-A", "-B", "-T", "-u", "-z", "-e", "-G", "-V", "-b",
    "-include", "-imacros", "-iquote", "-isystem", "-idirafter", "-iprefix", "-iwithprefix",
    "-iwithprefixbefore", "-isysroot", "-imultilib", "-cxx-isystem", "-iframework", "-framework",
    "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm",
    "-aux-info", "-arch", "-target", "--target", "--param", "--sysroot", "-dumpbase", "-dumpdir",
    "-dumpbase-ext", "-wrapper", "-rpath", "-soname", "--entry", "-gcc-toolchain",
    "--include", "--output", "--language", "--define-macro", "--undefine-macro",
    "--include-directory", "--library-directory", "--std", "-install_name", NULL};

// Long options of gcc and clang, by how they begin behind the dashes.
static const char *const long_options[] = {"param", "sysroot", "std", "target", "include", "imacros",
    "define", "undefine", "library", "language", "output", "optimize", "debug", "warn", "no-", "all-warnings",
    "extra-warnings", "ansi", "pedantic", "machine-", "static", "shared", "profile", "print-", "pipe",
    "save-temps", "trace", "traditional", "trigraphs", "verbose", "version", "entry", "for-", "prefix",
    "preprocess", "compile", "assemble", "comments", "coverage", "dependencies", "write-", "user-", "gcc-",
    "config", "offload", "cuda", NULL};

static bool in_table(const char *const *table, const char *s) {
    for (; *table; table++)
        if (str_eq(*table, s)) return true;
    return false;
}

static bool prefix_in(const char *const *table, const char *s) {
    for (; *table; table++)
        if (str_has_prefix(s, *table)) return true;
    return false;
}

// ---- response files ------------------------------------------------------------------------
// One word of a response file at *p: quotes group, a backslash takes the next byte as it is.
static const char *response_word(Arena *a, const char **p) {
    while (isspace((unsigned char)**p)) (*p)++;
    if (!**p) return NULL;
    Text t = text_new(a);
    char quote = 0;
    for (; **p && (quote || !isspace((unsigned char)**p)); (*p)++) {
        if (**p == '\\' && (*p)[1]) text_putn(&t, ++*p, 1);
        else if (quote ? **p == quote : **p == '\'' || **p == '"') quote = quote ? 0 : **p;
        else text_putn(&t, *p, 1);
    }
    return text_str(&t);
}

// Appends a word, or the words of the file it names. What can't be read stays as it is,
// as gcc does; depth stops files that name themselves.
static void expand(Arena *a, const char *word, int depth, Strings *out) {
    const char *text = word[0] == '@' && depth < 16 ? file_read(a, word + 1, NULL) : NULL;
    if (!text) {
        vec_push(a, out, word);
        return;
    }
    for (const char *w; (w = response_word(a, &text));) expand(a, w, depth + 1, out);
}

// ---- sculpt's own options ---------------------------------------------------------------------
static bool permit(Flags *f, const char *what, const char **why) {
    if (str_eq(what, "reassociate")) return f->reassociate = true;
    if (str_eq(what, "fast-math")) return f->fast_math = f->reassociate = true;
    if (str_eq(what, "approximate")) return f->approximate = true;
    if (str_eq(what, "unordered")) return f->unordered = f->reassociate = true;
    *why = "--permit takes reassociate, approximate, fast-math or unordered";
    return false;
}

static bool judging(Flags *f, const char *what, const char **why) {
    if (str_eq(what, "each")) return f->judging = JUDGE_EACH, true;
    if (str_eq(what, "last")) return f->judging = JUDGE_LAST, true;
    if (str_eq(what, "none")) return f->judging = JUDGE_NONE, true;
    *why = "--judge takes each, last or none";
    return false;
}

static bool recipe(Arena *a, Flags *f, const char *file, const char **why) {
    f->recipe = file ? word_line(a, file, &f->recipe_line) : NULL;
    if (f->recipe && access(f->recipe, R_OK) == 0) return true;
    *why = file ? arena_printf(a, "the recipe '%s' can't be read", f->recipe) : "--recipe needs a file";
    return false;
}

// 0: not ours; 1: taken; 2: taken with the next word; -1: wrong.
static int own_option(Arena *a, Flags *f, const char *w, const char *next, const char **why) {
    if (str_eq(w, "--auto")) return f->auto_mark = true, 1;
    if (str_eq(w, "--confirm")) return f->confirm = true, 1;
    if (str_eq(w, "--quiet")) return f->quiet = true, 1;
    if (str_eq(w, "--no-remarks")) return f->no_remarks = true, 1;
    if (str_eq(w, "--remarks")) return f->all_remarks = true, 1;
    if (str_eq(w, "--sculpt-verbose")) return f->verbose = true, 1;
    if (str_has_prefix(w, "--permit=")) return permit(f, w + 9, why) ? 1 : -1;
    if (str_eq(w, "--permit")) return permit(f, next, why) ? 2 : -1;
    if (str_has_prefix(w, "--recipe=")) return recipe(a, f, w + 9, why) ? 1 : -1;
    if (str_eq(w, "--recipe")) return recipe(a, f, next, why) ? 2 : -1;
    if (str_has_prefix(w, "--judge=")) return judging(f, w + 8, why) ? 1 : -1;
    if (str_eq(w, "--judge")) return judging(f, next, why) ? 2 : -1;
    return 0;
}

// ---- the host compiler's options --------------------------------------------------------------
static void note_math(Flags *f, const char *w) {
    if (str_eq(w, "-ffast-math") || str_eq(w, "-Ofast"))
        f->reassociate = f->fast_math = true;
    else if (str_eq(w, "-fcx-limited-range"))
        f->complex_rules = COMPLEX_LIMITED;
    else if (str_eq(w, "-fcx-fortran-rules"))
        f->complex_rules = COMPLEX_FORTRAN;
    else if (str_eq(w, "-ffinite-math-only"))
        f->complex_rules = f->complex_rules ? f->complex_rules : COMPLEX_FINITE;
    else if (str_eq(w, "-fno-cx-limited-range") || str_eq(w, "-fno-cx-fortran-rules"))
        f->complex_rules = COMPLEX_FULL;
    else if (str_eq(w, "-fassociative-math"))
        f->reassociate = true;
    else if (str_eq(w, "-fno-fast-math"))
        f->reassociate = f->fast_math = false;
    else if (str_eq(w, "-fno-associative-math"))
        f->reassociate = false;
    else if (str_has_prefix(w, "-ffp-contract="))
        f->no_contract = str_eq(w, "-ffp-contract=off"), f->contract_given = true;
    else if (str_eq(w, "-mfma") || (str_has_prefix(w, "-march=") && !str_has_prefix(w, "-march=x86-64")) ||
             str_has_prefix(w, "-march=x86-64-v3") || str_has_prefix(w, "-march=x86-64-v4"))
        f->host_fma = true;
}

static void note_stage(Flags *f, const char *w) {
    static const char *const pass[] = {"-E", "-M", "-MM", "-fsyntax-only", "-###", "--preprocess",
        "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--version", "--help",
        "-emit-ast", NULL};
    if (in_table(pass, w) || str_has_prefix(w, "-print-") || str_has_prefix(w, "--print-") ||
        str_has_prefix(w, "--help="))
        f->stage = STAGE_PASS;
    else if ((str_eq(w, "-S") || str_eq(w, "--assemble")) && f->stage != STAGE_PASS)
        f->stage = STAGE_ASM;
    else if ((str_eq(w, "-c") || str_eq(w, "--compile")) && f->stage == STAGE_LINK)
        f->stage = STAGE_OBJECT;
}

static void note_standard(Flags *f, const char *w) {
    if (str_has_prefix(w, "-std=") || str_has_prefix(w, "--std=")) {
        const char *std = strchr(w, '=') + 1;
        f->c89 = str_has_suffix(std, "89") || str_has_suffix(std, "90") ||
                 str_eq(std, "iso9899:199409");
        f->iso = !str_has_prefix(std, "gnu");
    } else if (str_eq(w, "-ansi")) {
        f->c89 = f->iso = true;
    }
}

static void note_link(Flags *f, const char *w) {
    if (str_eq(w, "-shared") || str_eq(w, "--shared")) f->is_shared = true;
    if (str_eq(w, "-static") || str_eq(w, "--static") || str_eq(w, "-static-pie")) f->is_static = true;
    if (str_eq(w, "-r") || str_eq(w, "-nostdlib") || str_eq(w, "-nodefaultlibs")) f->no_library = true;
    if (str_has_prefix(w, "-fopenmp-simd")) f->openmp_simd = true;
    else if (str_has_prefix(w, "-fopenmp")) f->openmp = true;
    if (str_eq(w, "-fno-openmp")) f->openmp = false;
    if (str_has_prefix(w, "-fopenacc")) f->openacc = true;
    if (str_eq(w, "-w")) f->no_remarks = true;
}

// Where dependencies are written: -MF x, -MFx; a preprocessor's own -MD x.
static void note_deps(Arena *a, Flags *f, const char *w, const char *value) {
    if (str_eq(w, "-MD") || str_eq(w, "-MMD")) f->writes_deps = true;
    if (str_eq(w, "-MF") && value) vec_push(a, &f->dep_files, value);
    else if (str_has_prefix(w, "-MF")) vec_push(a, &f->dep_files, w + 3);
}

static void note_front(Arena *a, Flags *f, const char *w, const char *value) {
    if (str_eq(w, "-Ofast") || !ast_takes_flag(w, value != NULL)) return;
    vec_push(a, &f->front, w);
    if (value) vec_push(a, &f->front, value);
}

// What signed arithmetic does when it overflows, the last word counts; and where members keep their bytes.
static void note_overflow(Flags *f, const char *w) {
    if (str_eq(w, "-fwrapv") || str_eq(w, "-fno-strict-overflow")) f->wraps = true, f->traps = false;
    else if (str_eq(w, "-ftrapv")) f->traps = true, f->wraps = false;
    else if (str_eq(w, "-fno-wrapv") || str_eq(w, "-fstrict-overflow")) f->wraps = false;
    else if (str_eq(w, "-fno-trapv")) f->traps = false;
    else if (str_has_prefix(w, "-fsso-struct=")) f->swapped = !str_eq(w, "-fsso-struct=native");
}

// Options after which the host compiler's code means what no kernel does.
static void note_stays(Flags *f, const char *w) {
    static const struct {
        const char *word, *why;
        bool mute;
    } all[] = {{"-fsso-struct=", "-fsso-struct gives the bytes of members another order", true},
        {"-fsingle-precision-constant", "-fsingle-precision-constant changes constants", false},
        {"-mfpmath=387", "-mfpmath=387 computes with more digits than there are in a double", false},
        {"-fpack-struct", "-fpack-struct moves members that have an alignment of their own", true},
        {"-fexec-charset=", "-fexec-charset changes the texts that programs carry", true},
        {"-ffreestanding", "-ffreestanding leaves no library to call", true},
        {"-static", "a static program cannot open a device's driver; drop -static", true},
        {"--static", "a static program cannot open a device's driver; drop --static", true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (str_has_prefix(w, all[i].word) && !str_has_prefix(w, "-static-lib") &&
            !str_has_suffix(w, "=native") && !str_has_suffix(w, "=UTF-8")) {
            f->stays = all[i].why;
            f->mute |= all[i].mute;
        }
}

static Strings at_commas(Arena *a, const char *text) {
    Strings v = {0};
    for (char *w = strtok(arena_strdup(a, text), ","); w; w = strtok(NULL, ","))
        vec_push(a, &v, (const char *)w);
    return v;
}

// Sanitizers but that of leaks, which looks at what the host allocates alone.
static void note_sanitizers(Arena *a, Flags *f, const char *w) {
    bool off = str_has_prefix(w, "-fno-sanitize=");
    if (!off && !str_has_prefix(w, "-fsanitize=")) return;
    Strings names = at_commas(a, strchr(w, '=') + 1);
    for (int i = 0; i < names.n; i++) {
        int kept = 0;
        for (int k = 0; k < f->sanitizers.n; k++)
            if (!str_eq(names.at[i], f->sanitizers.at[k]) && !(off && str_eq(names.at[i], "all")))
                f->sanitizers.at[kept++] = f->sanitizers.at[k];
        f->sanitizers.n = kept;
        if (!off && !str_eq(names.at[i], "leak")) vec_push(a, &f->sanitizers, names.at[i]);
    }
}

const char *flags_stays(Arena *a, const Flags *f) {
    if (f->stays || !f->sanitizers.n || f->asks_device || f->requires) return f->stays;
    return arena_printf(
        a, "-fsanitize=%s watches the host alone, so loops stay there unless SCULPT_REQUIRE=1 is set",
        f->sanitizers.at[0]);
}

static void note_meaning(Arena *a, Flags *f, const char *w, const char *value) {
    note_math(f, w);
    note_overflow(f, w);
    note_stays(f, w);
    note_sanitizers(a, f, w);
    note_standard(f, w);
    note_link(f, w);
    note_front(a, f, w, value);
}

// Words of an option that is for the preprocessor (-Wp,-DX,-MD,x.d; each of -Xpreprocessor), or of SCULPT_CC.
static void note_words(Arena *a, Flags *f, const Strings *words, bool preprocessor) {
    for (int i = 0; i < words->n; i++) {
        const char *w = words->at[i], *next = i + 1 < words->n ? words->at[i + 1] : NULL;
        bool deps = preprocessor && (str_eq(w, "-MD") || str_eq(w, "-MMD"));
        const char *value = deps || in_table(takes_word, w) ? next : NULL;
        if (deps && next) vec_push(a, &f->dep_files, next);
        else if (w[0] == '-') note_meaning(a, f, w, value);
        i += value != NULL;
    }
}

static void note_input(Arena *a, Flags *f, const char *path, const char *lang) {
    int line; // explain and its like take FILE.c:LINE
    bool c = lang ? str_eq(lang, "c") : str_has_suffix(word_place(a, path, &line), ".c");
    bool standard = str_eq(path, "-");
    Input in = {path, f->args.n, c && !standard, lang != NULL, c && standard};
    vec_push(a, &f->inputs, in);
    vec_push(a, &f->args, path);
}

// One option and, when it takes one, its separate value.
static void note_option(Arena *a, Flags *f, const char *w, const char *value, const char **lang) {
    if (str_eq(w, "-o") || str_eq(w, "--output")) f->output = value;
    else if (str_has_prefix(w, "-o") && !value) f->output = w + 2;
    const char *x = str_eq(w, "-x") || str_eq(w, "--language") ? value
                    : str_has_prefix(w, "-x") && w[2] ? w + 2 : NULL;
    if (x) *lang = str_eq(x, "none") ? NULL : x;
    note_stage(f, w);
    note_deps(a, f, w, value);
    note_meaning(a, f, w, value);
    if (str_has_prefix(w, "-Wp,")) {
        Strings v = at_commas(a, w + 4);
        note_words(a, f, &v, true);
    }
    vec_push(a, &f->args, w);
    if (value) vec_push(a, &f->args, value);
}

Flags *flags_parse(Arena *a, int argc, char **argv, const char **why) {
    Flags *f = NEW(a, Flags);
    const char *asked = env_get("SCULPT_REQUIRE");
    f->judging = JUDGE_LAST;
    f->requires = asked && !str_eq(asked, "0");
    Strings words = {0}, host = {0}, preprocessor = {0};
    if (host_compiler(a, &host)) note_words(a, f, &host, false);
    for (int i = 0; i < argc; i++) expand(a, argv[i], 0, &words);
    const char *lang = NULL;
    for (int i = 0; i < words.n; i++) {
        const char *w = words.at[i], *next = i + 1 < words.n ? words.at[i + 1] : NULL;
        int own = own_option(a, f, w, next, why);
        if (own < 0) return NULL;
        if (own) {
            i += own - 1;
            continue;
        }
        if (w[0] != '-' || !w[1]) {
            note_input(a, f, w, lang);
            continue;
        }
        const char *value = next && in_table(takes_word, w) ? next : NULL;
        if (!next && str_eq(w, "-o")) return *why = "-o needs the name of a file", NULL;
        if (value && str_eq(w, "-Xpreprocessor")) vec_push(a, &preprocessor, value);
        note_option(a, f, w, value, &lang);
        if (value) i++;
    }
    note_words(a, f, &preprocessor, true);
    if (!f->inputs.n) f->stage = STAGE_PASS;
    f->no_contract |= f->iso && !f->contract_given;
    return f;
}

const char *flags_stray(Arena *a, const Flags *f, const char *verb) {
    for (int i = 0; i < f->args.n; i++) {
        const char *w = f->args.at[i];
        if (!str_has_prefix(w, "--")) continue;
        if (!prefix_in(long_options, w + 2) || help_option(a, verb, w)) return w;
    }
    return NULL;
}

void flags_grant(const Flags *f, Compile *c) {
    c->reassociate |= f->reassociate;
    c->fast_math |= f->fast_math;
    c->approximate |= f->approximate;
    c->confirm |= f->confirm;
    c->unordered |= f->unordered;
    c->wraps = f->wraps;
    c->traps = f->traps;
    c->swapped = f->swapped;
    c->complex_rules = f->complex_rules;
    if (f->no_contract) c->fp_contract = false;
}
