// SPDX-License-Identifier: MIT
// unit.c -- one C file through libclang: flags in, clang's errors or an AstUnit out.
//
// Functions of the main file are all read; a function of a header only when one that was
// read calls it, so the bodies of the system's headers cost nothing.
#include "parse/reader.h"
#include "parse/lex.h"
#include <dlfcn.h>
#include <glob.h>
#include <string.h>
#include <stdlib.h>

// ---- cursors ---------------------------------------------------------------------------
typedef struct Collect {
    Arena *a;
    bool expressions; // nothing else
    Cursors out;
} Collect;

static enum CXChildVisitResult collect(CXCursor x, CXCursor parent, CXClientData arg) {
    (void)parent;
    Collect *c = arg;
    if (!c->expressions || is_expression(x)) vec_push(c->a, &c->out, x);
    return CXChildVisit_Continue;
}

Cursors children(Reader *r, CXCursor x) {
    Collect c = {r->a};
    clang_visitChildren(x, collect, &c);
    return c.out;
}

Cursors expressions(Reader *r, CXCursor x) {
    Collect c = {r->a, true};
    clang_visitChildren(x, collect, &c);
    return c.out;
}

bool is_expression(CXCursor x) { return clang_isExpression(clang_getCursorKind(x)); }

bool is_statement(CXCursor x) {
    enum CXCursorKind k = clang_getCursorKind(x);
    return clang_isStatement(k) || clang_isExpression(k);
}

// ---- places ----------------------------------------------------------------------------
static const char *file_name(Reader *r, CXFile f) {
    if (!f) return NULL;
    if (clang_File_isEqual(f, r->main)) return r->u->file;
    if (!r->last_file || !clang_File_isEqual(f, r->last_file)) {
        r->last_file = f;
        r->last_name = read_string(r, clang_getFileName(f));
    }
    return r->last_name;
}

Loc read_loc(Reader *r, CXSourceLocation at) {
    CXFile f;
    unsigned line, col;
    clang_getExpansionLocation(at, &f, &line, &col, NULL);
    Loc loc = {file_name(r, f), (int)line, (int)col};
    return f && clang_File_isEqual(f, r->main) ? flat_loc(r->u->flat, loc) : loc;
}

// The text of a cursor. Inside a macro's argument nothing has a place of its own, and
// nothing has one in a header: begin == end there.
static void place(Reader *r, Ast *n, CXCursor x) {
    CXSourceRange range = clang_getCursorExtent(x);
    CXSourceLocation first = clang_getRangeStart(range), last = clang_getRangeEnd(range);
    CXFile f, ended;
    unsigned line, col, begin, in_arg, end;
    clang_getExpansionLocation(first, &f, &line, &col, &begin);
    n->loc = (Loc){file_name(r, f), (int)line, (int)col};
    if (!f || !clang_File_isEqual(f, r->main)) return;
    n->loc = flat_loc(r->u->flat, n->loc);
    clang_getFileLocation(first, NULL, NULL, NULL, &in_arg);
    clang_getFileLocation(last, &ended, NULL, NULL, &end);
    n->begin = n->end = begin;
    bool here = ended && clang_File_isEqual(ended, r->main);
    if (here && in_arg == begin && end > begin && end <= r->u->size) n->end = end;
}

Ast *ast_new(Reader *r, AstKind kind, CXCursor x) {
    Ast *n = NEW(r->a, Ast);
    n->kind = kind;
    place(r, n, x);
    return n;
}

void ast_kids(Reader *r, Ast *n, int nkids, Ast *const *kids) {
    n->nkids = nkids;
    n->kids = NEW_N(r->a, Ast *, nkids + 1);
    for (int i = 0; i < nkids; i++) n->kids[i] = kids[i];
}

// ---- flags -----------------------------------------------------------------------------
typedef VEC(const char *) Args;

// The folder with stddef.h and its kin that belongs to this libclang, else gcc's.
static void add_builtin_headers(Arena *a, Args *out) {
    Dl_info info;
    if (dladdr((void *)(uintptr_t)clang_createIndex, &info) && info.dli_fname) {
        char path[4096], *real = realpath(info.dli_fname, NULL);
        const char *lib = real ? real : info.dli_fname, *slash = strrchr(lib, '/');
        static const char *const around[] = {"clang", "../lib/clang"};
        for (int k = 0; slash && k < 2; k++) {
            snprintf(path, sizeof path, "%.*s/%s/[1-9]*/include/stddef.h", (int)(slash - lib), lib,
                     around[k]);
            glob_t g;
            if (glob(path, 0, NULL, &g) == 0) {
                const char *hit = g.gl_pathv[g.gl_pathc - 1];
                vec_push(a, out, "-resource-dir");
                vec_push(a, out, arena_strndup(a, hit, strlen(hit) - strlen("/include/stddef.h")));
                k = 2;
            }
            globfree(&g);
        }
        free(real);
    }
}

static int gcc_version(const char *folder) {
    const char *triple = strstr(folder, "linux-gnu");
    return atoi(strchr(triple, '/') + 1);
}

// The folder of omp.h, openacc.h and other headers that only gcc brings, of the latest one that is here;
// NULL: none is.
static const char *gcc_headers(Arena *a) {
    glob_t g;
    const char *latest = NULL;
    int found = glob("/usr/lib/gcc/*-linux-gnu*/[1-9]*/include", 0, NULL, &g);
    for (size_t i = 0; found == 0 && i < g.gl_pathc; i++)
        if (!latest || gcc_version(g.gl_pathv[i]) > gcc_version(latest)) latest = g.gl_pathv[i];
    if (latest) latest = arena_strdup(a, latest);
    globfree(&g);
    return latest;
}

static void add_gcc_headers(Arena *a, Args *out) {
    const char *folder = gcc_headers(a);
    if (!folder) return;
    vec_push(a, out, "-idirafter");
    vec_push(a, out, folder);
}

// gcc's header of atomic objects. Its atomic_flag is an _Atomic struct, of which clang takes no initial
// value; here it is a struct, and only calls look into it.
static struct CXUnsavedFile atomic_header(Arena *a) {
    static const char flag[] = "typedef _Atomic struct", plain[] = "typedef struct        ";
    const char *folder = gcc_headers(a);
    const char *path = folder ? arena_printf(a, "%s/stdatomic.h", folder) : UNDEFINED_PATH ".none";
    char *text = folder ? file_read(a, path, NULL) : NULL, *at = text ? strstr(text, flag) : NULL;
    if (at) memcpy(at, plain, strlen(plain));
    return (struct CXUnsavedFile){path, text ? text : "", text ? strlen(text) : 0};
}

// ---- flags ---------------------------------------------------------------------------------
static bool is_among(const char *f, const char *const *words) {
    while (*words && !str_eq(f, *words)) words++;
    return *words;
}

static bool is_openmp(const char *f) {
    return str_has_prefix(f, "-fopenmp") && !str_has_prefix(f, "-fopenmp-simd");
}

// clang's OpenMP stays off (its pragmas are read as text), but the macro must be seen.
bool ast_takes_flag(const char *f, bool value) {
    static const char *const words[] = {"-I", "-D", "-U", "-include", "-imacros", "-iquote", "-isystem",
        "-idirafter", "-isysroot", "--sysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-target",
        "--target", "--include", "--define-macro", "--undefine-macro", "--include-directory", "--std", NULL};
    static const char *const prefixes[] = {"-I", "-D", "-U", "-std=", "--std=", "-iquote", "-isystem",
        "-idirafter", "-isysroot", "--sysroot=", "--include=", "--include-directory=", "--define-macro=",
        "--undefine-macro=", "--target=", "-march=", "-mavx", "-msse", "-mfma", "-mno-", "-O",
        "-fpack-struct", "-mlong-double-", NULL};
    static const char *const exact[] = {"-ansi", "-trigraphs", "-undef", "-nostdinc", "-m32", "-m64",
        "-funsigned-char", "-fsigned-char", "-fno-signed-char", "-fno-unsigned-char", "-fshort-enums",
        "-fms-extensions", "-fgnu89-inline", "-cl-no-stdinc", "-fno-builtin", "-ffast-math", "-pthread",
        "-fno-asm", "-mms-bitfields", "-fshort-wchar", "-fopenacc", "-fno-openmp", NULL};
    if (value) return is_among(f, words);
    for (const char *const *p = prefixes; *p; p++)
        if (str_has_prefix(f, *p)) return true;
    return is_among(f, exact) || is_openmp(f);
}

static void add_flags(Arena *a, Args *out, int nflags, const char *const *flags) {
    for (int i = 0; i < nflags; i++) {
        if (is_openmp(flags[i])) vec_push(a, out, "-D_OPENMP=201511");
        else if (str_eq(flags[i], "-fopenacc")) vec_push(a, out, "-D_OPENACC=201711");
        else if (str_eq(flags[i], "-fno-openmp")) vec_push(a, out, "-U_OPENMP");
        else if (i + 1 < nflags && ast_takes_flag(flags[i], true)) {
            vec_push(a, out, flags[i]);
            vec_push(a, out, flags[++i]);
        } else if (ast_takes_flag(flags[i], false))
            vec_push(a, out, flags[i]);
    }
}

static void add_language(Arena *a, Args *out, Language language) {
    static const char *const c[] = {"-xc", "-include", PRELUDE_PATH, NULL};
    static const char *const cuda[] = {"-xcuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
        "--cuda-gpu-arch=sm_70", "-std=c++17", "-nostdinc", "-include", PRELUDE_PATH, NULL};
    static const char *const opencl[] = {"-xcl", "-cl-std=CL2.0", "-cl-no-stdinc", "-fno-builtin", "-Xclang",
        "-fdeclare-opencl-builtins", "-include", PRELUDE_PATH, NULL};
    const char *const *words = language == LANGUAGE_C ? c : language == LANGUAGE_CUDA ? cuda : opencl;
    for (; *words; words++) vec_push(a, out, *words);
}

static void make_args(Arena *a, Args *out, Language language, int nflags, const char *const *flags) {
    static const char *const always[] = {"-w", "-Wno-everything", "-fno-spell-checking",
        "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-register", "-Wno-int-conversion",
        "-Wno-incompatible-function-pointer-types", "-Wno-return-type", "-Qunused-arguments",
        "-ferror-limit=0"};
    vec_push(a, out, "clang");
    add_language(a, out, language);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) vec_push(a, out, always[i]);
    add_builtin_headers(a, out);
    if (language == LANGUAGE_C) add_gcc_headers(a, out);
    add_flags(a, out, nflags, flags);
}

// ---- reading ---------------------------------------------------------------------------
// Nodes below which & or an array's decay lets a variable's address out.
static void escape_root(Ast *x) {
    while (x && (x->kind == A_FIELD || x->kind == A_INDEX)) {
        const CType *t = x->kids[0]->type;
        if (x->arrow || !t || t->kind == CT_POINTER) return;
        x = x->kids[0];
    }
    if (x && x->kind == A_REF && x->decl) x->decl->address_taken = true;
}

// bare: the value of x goes elsewhere, it is not indexed or dereferenced on the spot.
static void find_escapes(Ast *x, bool bare) {
    if (!x) return;
    if (x->kind == A_ADDR) escape_root(x->kids[0]);
    bool array = x->type && x->type->kind == CT_ARRAY;
    if (bare && array && x->kind == A_FIELD) escape_root(x);
    for (int i = 0; i < x->nkids; i++) {
        bool spot = (x->kind == A_INDEX && i == 0) || x->kind == A_DEREF || x->kind == A_FIELD;
        find_escapes(x->kids[i], !spot);
    }
    for (int i = 0; i < x->ndecls; i++) find_escapes(x->decls[i]->init, true);
}

static bool is_broken(const Reader *r, const Decl *d) {
    for (int i = 0; i < r->errors.n; i++)
        if (d->loc.file == r->u->file && r->errors.at[i].first <= d->loc.line &&
            d->loc.line <= r->errors.at[i].last)
            return true;
    return false;
}

static bool in_main(Reader *r, CXCursor x) {
    CXFile f;
    clang_getExpansionLocation(clang_getCursorLocation(x), &f, NULL, NULL, NULL);
    return f && clang_File_isEqual(f, r->main);
}

static size_t offset_of(CXSourceLocation at) {
    unsigned offset;
    clang_getExpansionLocation(at, NULL, NULL, NULL, &offset);
    return offset;
}

// What clang dropped with an error may have taken any address.
static void escape_globals(Reader *r) {
    for (int i = 0; i < r->decls.cap; i++) {
        Decl *d = r->decls.value[i];
        if (d && d->is_global) d->address_taken = true;
    }
}

static void read_bodies(Reader *r) {
    for (int i = 0; i < r->todo.n; i++) { // grows while it is read
        Body b = r->todo.at[i];
        Cursors cs = {0};
        b.decl->is_broken = is_broken(r, b.decl);
        if (in_main(r, b.cursor))
            b.decl->begin = offset_of(clang_getRangeStart(clang_getCursorExtent(b.cursor)));
        r->self = b.decl->has_self ? b.decl->params[0] : NULL;
        if (!b.decl->is_broken) cs = children(r, b.cursor);
        for (int k = 0; k < cs.n; k++)
            if (clang_getCursorKind(cs.at[k]) == CXCursor_CompoundStmt) {
                b.decl->body = read_stmt(r, cs.at[k]);
                b.decl->error = clang_error_inside(r, cs.at[k]);
            }
        find_escapes(b.decl->body, true);
        vec_push(r->a, &r->funcs, b.decl);
    }
    for (int i = 0; i < r->funcs.n; i++)
        if (r->funcs.at[i]->error) escape_globals(r);
}

static bool in_system(CXCursor x) {
    return clang_Location_isInSystemHeader(clang_getCursorLocation(x));
}

// Of a CUDA file only the kernel is read, and what it calls, and the function that names an instance.
static bool is_wanted(Reader *r, CXCursor x) {
    if (r->language != LANGUAGE_CUDA) return true;
    if (clang_getCursorKind(x) == CXCursor_VarDecl) return kernel_is_device(x);
    char *name = read_string(r, clang_getCursorSpelling(x));
    return str_eq(name, "sculpt_use_") || kernel_is_wanted(r, x, name);
}

// In the main file; kernels may stand in files that it includes.
static bool is_here(Reader *r, CXCursor x) {
    if (in_main(r, x)) return true;
    CXFile f;
    clang_getExpansionLocation(clang_getCursorLocation(x), &f, NULL, NULL, NULL);
    return r->language == LANGUAGE_CUDA && f && !is_prelude(read_string(r, clang_getFileName(f))) &&
           !in_system(x);
}

static void read_top_of(Reader *r, CXCursor x) {
    Cursors tops = children(r, x);
    for (int i = 0; i < tops.n; i++) {
        enum CXCursorKind k = clang_getCursorKind(tops.at[i]);
        if (k == CXCursor_LinkageSpec || k == CXCursor_Namespace) read_top_of(r, tops.at[i]);
        bool body = k == CXCursor_FunctionDecl && clang_isCursorDefinition(tops.at[i]);
        if (body && is_here(r, tops.at[i]) && is_wanted(r, tops.at[i])) read_decl(r, tops.at[i]);
        if (k == CXCursor_VarDecl && !in_system(tops.at[i]) && is_wanted(r, tops.at[i]))
            find_escapes(read_decl(r, tops.at[i])->init, true);
    }
}

static void read_top(Reader *r) {
    read_top_of(r, clang_getTranslationUnitCursor(r->tu));
    if (r->language == LANGUAGE_CUDA) clang_launched(r);
    read_bodies(r);
}

// ---- device code -----------------------------------------------------------------------
static int line_of(CXSourceLocation at) {
    unsigned line;
    clang_getExpansionLocation(at, NULL, &line, NULL, NULL);
    return (int)line;
}

// The device function around a line of the main file; null: none.
static CXCursor device_code_at(Reader *r, CXCursor x, int line) {
    Cursors tops = children(r, x);
    for (int i = 0; i < tops.n; i++) {
        enum CXCursorKind k = clang_getCursorKind(tops.at[i]);
        if (!in_main(r, tops.at[i])) continue;
        bool outer = k == CXCursor_LinkageSpec || k == CXCursor_Namespace;
        CXCursor in = outer ? device_code_at(r, tops.at[i], line) : clang_getNullCursor();
        if (!clang_Cursor_isNull(in)) return in;
        CXSourceRange range = clang_getCursorExtent(tops.at[i]);
        bool around =
            line_of(clang_getRangeStart(range)) <= line && line <= line_of(clang_getRangeEnd(range));
        bool device =
            r->language == LANGUAGE_OPENCL ? k == CXCursor_FunctionDecl : kernel_is_device(tops.at[i]);
        if (around && device) return tops.at[i];
    }
    return clang_getNullCursor();
}

// "'a.h' file not found"
static void note_missing(Reader *r, const char *text) {
    const char *end = strstr(text, " file not found");
    if (!end) return;
    const char *name = arena_strndup(r->a, text, (size_t)(end - text));
    if (r->u->missing && strstr(r->u->missing, name)) return;
    r->u->missing = r->u->missing ? arena_printf(r->a, "%s %s", r->u->missing, name) : name;
}

// Errors of the host's part of a CUDA file say nothing about its kernels, those of one kernel
// nothing about another.
static void keep_errors(Reader *r) {
    unsigned n = clang_getNumDiagnostics(r->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(r->tu, i);
        AstError e = {.loc = read_loc(r, clang_getDiagnosticLocation(d))};
        note_missing(r, read_string(r, clang_getDiagnosticSpelling(d)));
        bool main = e.loc.file == r->u->file && clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        CXCursor f = main ? device_code_at(r, clang_getTranslationUnitCursor(r->tu), e.loc.line)
                          : clang_getNullCursor();
        if (!clang_Cursor_isNull(f)) {
            CXSourceRange range = clang_getCursorExtent(f);
            e.text = read_string(r, clang_getDiagnosticSpelling(d));
            e.first = line_of(clang_getRangeStart(range)), e.last = line_of(clang_getRangeEnd(range));
            vec_push(r->a, &r->errors, e);
            clang_note_undefined(r, d, &e);
        }
        clang_disposeDiagnostic(d);
    }
    r->u->nerrors = r->errors.n;
    r->u->errors = r->errors.at;
}

static void read_skipped(Reader *r) {
    CXSourceRangeList *list = clang_getSkippedRanges(r->tu, r->main);
    if (!list) return;
    r->u->skipped = arena_alloc(r->a, sizeof *r->u->skipped * (list->count + 1));
    for (unsigned i = 0; i < list->count; i++) {
        size_t *span = r->u->skipped[r->u->nskipped++];
        span[0] = offset_of(clang_getRangeStart(list->ranges[i]));
        span[1] = offset_of(clang_getRangeEnd(list->ranges[i]));
    }
    clang_disposeSourceRangeList(list);
}

static void look_into_included(CXFile f, CXSourceLocation *stack, unsigned depth, CXClientData arg) {
    (void)stack;
    Reader *r = arg;
    size_t size;
    CXSourceLocation begin = clang_getLocation(r->tu, f, 1, 1);
    const char *text =
        depth && !clang_Location_isInSystemHeader(begin) ? clang_getFileContents(r->tu, f, &size) : NULL;
    if (text) r->u->noutside += flat_leaves(r->c, read_string(r, clang_getFileName(f)), text, size);
}

static AstUnit *read_unit(Reader *r) {
    r->main = clang_getFile(r->tu, r->u->file);
    if (r->language != LANGUAGE_C) keep_errors(r);
    else if (!clang_note_errors(r)) return NULL;
    read_skipped(r);
    if (r->language == LANGUAGE_C) clang_note_macros(r), clang_getInclusions(r->tu, look_into_included, r);
    read_top(r);
    r->u->nfuncs = r->funcs.n;
    r->u->funcs = r->funcs.at;
    return r->u;
}

// ---- a file, parsed once for all that is read of it --------------------------------------------------
struct AstFile {
    Language language;
    const char *file;
    char *text;
    size_t size;
    int nflags;
    const char *const *flags;
    const Flat *flat;      // of C
    bool no_bodies;        // those of functions are skipped
    CXIndex index;
    CXTranslationUnit tu;
};

static void drop_file(void *arg) {
    AstFile *f = arg;
    if (f->tu) clang_disposeTranslationUnit(f->tu);
    clang_disposeIndex(f->index);
}

// The machine that the flags have clang compile for; NULL: this one.
static const char *target_of(const AstFile *f) {
    const char *target = NULL;
    for (int i = 0; i < f->nflags; i++) {
        const char *w = f->flags[i];
        if (str_has_prefix(w, "--target="))
            target = strchr(w, '=') + 1;
        else if (i + 1 < f->nflags && (str_eq(w, "--target") || str_eq(w, "-target")))
            target = f->flags[++i];
    }
    return target;
}

static void say_unparsed(Compile *c, const AstFile *f) {
    static const char *const known[] = {"x86_64",  "i686",        "aarch64", "arm",
                                        "riscv64", "powerpc64le", "s390x",   NULL};
    const char *target = target_of(f);
    if (!target) {
        diag(c, DIAG_ERROR, SC_CLANG, (Loc){f->file, 1, 1}, "libclang could not parse the file");
        return;
    }
    const char *processor = arena_strndup(c->arena, target, strcspn(target, "-"));
    Text names = text_new(c->arena);
    for (int i = 0; known[i]; i++) text_printf(&names, "%s%s", i ? ", " : "", known[i]);
    diag(c, DIAG_ERROR, SC_USAGE, (Loc){0},
         "clang compiles for no target '%s'%s; it knows %s, and these with a system (x86_64-linux-gnu). "
         "Machines to explain kernels for are named by --machine",
         target, word_meant(c->arena, processor, known), text_str(&names));
}

// extra: declarations that stand before everything else; NULL: none.
static bool parse(Compile *c, AstFile *f, const char *extra) {
    Arena *a = c->arena;
    Args args = {0};
    make_args(a, &args, f->language, f->nflags, f->flags);
    const char *prelude = f->language == LANGUAGE_OPENCL ? prelude_opencl()
                          : f->language == LANGUAGE_CUDA
                              ? arena_printf(a, "%s%s", prelude_cuda(), prelude_libraries(a))
                              : clang_predefined(a, c->predefined);
    const char *before = extra ? extra : "";
    struct CXUnsavedFile text[] = {{f->file, f->text, f->size},
                                   {PRELUDE_PATH, prelude, strlen(prelude)},
                                   {UNDEFINED_PATH, before, strlen(before)},
                                   atomic_header(a)};
    if (extra) {
        vec_push(a, &args, "-include");
        vec_push(a, &args, UNDEFINED_PATH);
    }
    unsigned options = CXTranslationUnit_DetailedPreprocessingRecord; // for the spans that #if skips
    options |= CXTranslationUnit_KeepGoing; // what is missing in a system's header ends nothing
    if (f->no_bodies) options |= CXTranslationUnit_SkipFunctionBodies;
    enum CXErrorCode e =
        clang_parseTranslationUnit2FullArgv(f->index, f->file, args.at, args.n, text, 4, options, &f->tu);
    if (e == CXError_Success) return true;
    say_unparsed(c, f);
    return false;
}

static AstFile *parse_file(Compile *c, const AstFile *like, const char *extra) {
    AstFile *f = NEW_AS(c->arena, AstFile, *like);
    f->tu = NULL;
    f->index = clang_createIndex(0, 0);
    arena_own(c->arena, f, drop_file);
    return parse(c, f, extra) ? f : NULL;
}

static AstFile *open_file(Compile *c, const char *file, Language language, int nflags,
                          const char *const *flags, const char *use) {
    AstFile f = {.language = language,
                 .file = arena_strdup(c->arena, file),
                 .nflags = nflags,
                 .flags = flags};
    f.text = file_read(c->arena, file, &f.size);
    if (!f.text) {
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){f.file, 0, 0}, "cannot read %s", file);
        return NULL;
    }
    if (use) {
        f.text = arena_printf(c->arena, "%s\n__host__ void sculpt_use_() { (void)&%s; }\n", f.text, use);
        f.size = strlen(f.text);
    }
    return parse_file(c, &f, NULL);
}

static AstUnit *read_file(Compile *c, const AstFile *f, const KernelLaunch *launch) {
    AstUnit *u = NEW(c->arena, AstUnit);
    u->flat = f->flat;
    u->file = f->file;
    u->text = f->text;
    u->size = f->size;
    u->nflags = f->nflags;
    u->flags = f->flags;
    Reader r = {.c = c, .a = c->arena, .u = u, .language = f->language, .launch = launch, .tu = f->tu};
    return read_unit(&r);
}

CXTranslationUnit clang_parse_declarations(Compile *c, const AstUnit *u, const char *text) {
    AstFile like = {.file = u->file,
                    .text = arena_strdup(c->arena, text),
                    .size = strlen(text),
                    .nflags = u->nflags,
                    .flags = u->flags,
                    .no_bodies = true};
    const AstFile *f = parse_file(c, &like, NULL);
    return f ? f->tu : NULL;
}

AstUnit *ast_read(Compile *c, const Flat *flat, int nflags, const char *const *flags) {
    AstFile like = {.language = LANGUAGE_C,
                    .file = flat->file,
                    .text = flat->text,
                    .size = flat->size,
                    .flat = flat,
                    .nflags = nflags,
                    .flags = flags};
    const AstFile *f = parse_file(c, &like, NULL);
    return f ? read_file(c, f, NULL) : NULL;
}

AstFile *ast_open_kernels(Compile *c, const char *file, int nflags, const char *const *flags,
                          const char *use) {
    Language language = str_has_suffix(file, ".cl") ? LANGUAGE_OPENCL : LANGUAGE_CUDA;
    return open_file(c, file, language, nflags, flags, use);
}

static int count_broken(const AstUnit *u) {
    int n = 0;
    for (int i = 0; i < u->nfuncs; i++) n += u->funcs[i]->is_broken;
    return n;
}

AstUnit *ast_read_kernels(Compile *c, const AstFile *f, const KernelLaunch *launch) {
    AstUnit *first = read_file(c, f, launch), *u = first;
    // one name declared, others are met
    for (int round = 0; round < 4 && u && u->nundefined && count_broken(u); round++) {
        clang_join_undefined(c->arena, first, u);
        const char *extra = clang_declare_undefined(c->arena, first, f->language == LANGUAGE_OPENCL, launch);
        const AstFile *again = *extra ? parse_file(c, f, extra) : NULL;
        u = again ? read_file(c, again, launch) : NULL;
    }
    if (!u || u == first || count_broken(u) >= count_broken(first)) return first;
    u->nundefined = first->nundefined;
    u->undefined = first->undefined;
    return u;
}
