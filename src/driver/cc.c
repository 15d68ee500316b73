// SPDX-License-Identifier: MIT
// cc.c -- `sculpt cc`: a C compiler driver that puts regions on devices and changes nothing else.
//
//   sculpt cc -O2 -c a.c b.s -o …   →   $SCULPT_CC -O2 -c TMP/0/a.c b.s -o …
//
// Only C files with a replaced region are handed over as a changed copy; the copy has the
// original's base name, names the original in #line, and finds its includes by -iquote, so
// outputs, messages, debug information and dependency files are those of the original.
#include "driver/driver.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One command of the host compiler in the making.
typedef struct Job {
    Compile *c;
    const Flags *f;
    Strings cc;            // the host compiler's own words
    const char **path;     // [inputs]: the changed copy, NULL: as it is
    const char **dir;      // [inputs]: the folder of the original, for -iquote
    const Flat **flat;     // [inputs]: what the copy was made of
    int nchanged;
    const char *temp;      // temporary folder; NULL: none was needed
    Built built;
} Job;

// ---- which files are read ------------------------------------------------------------------
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *folder_of(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return ".";
    return slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

static bool write_copy(Job *j, int i, const char *text) {
    Arena *a = j->c->arena;
    const char *path = j->f->inputs.at[i].path;
    const char *why = "";
    if (!j->temp) j->temp = temp_folder(a, &why);
    const char *dir = arena_printf(a, "%s/%d", j->temp ? j->temp : "", i);
    const char *copy = arena_printf(a, "%s/%s", dir, file_name(path));
    if (!j->temp || mkdir(dir, 0700) != 0 || !file_write(copy, text, strlen(text))) {
        diag(j->c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot write the changed copy of '%s': %s",
             path, j->temp ? strerror(errno) : why);
        return false;
    }
    j->path[i] = copy;
    j->dir[i] = folder_of(a, path);
    j->nchanged++;
    return true;
}

// What clang could not read goes to the host compiler as it is. It may be C that only gcc
// takes; if not, the error is told by whom the user called.
static void forgive(Compile *c, int from, const char *file) {
    const char *first = NULL;
    for (int i = from; i < c->diags.n; i++)
        if (c->diags.at[i].level == DIAG_ERROR && !first)
            first = arena_printf(c->arena, "%s: %s", show_loc(c->arena, c->diags.at[i].loc),
                                 c->diags.at[i].text);
    c->diags.n = from;
    c->errors = 0;
    diag(c, DIAG_REMARK, SC_CLANG, (Loc){file, 1, 1},
         "all loops stay on the host, because clang could not read the file: %s",
         first ? first : "no reason given");
}

// Says of a text that may hold marks why nobody reads them. False: a device is required, the build must stop.
static bool tell_left(Job *j, const char *file, const char *why) {
    const Flags *f = j->f;
    diag(j->c, f->requires ? DIAG_ERROR : DIAG_REMARK, SC_NO_REGION, (Loc){file, 1, 1},
         "%s; its marks are left to the host compiler", why);
    diags_show(j->c, j->c->diags.n - 1, f, false);
    return !f->requires;
}

// A file whose marks, if it has any, go to the host compiler with the rest of it. A C program tells that
// where it runs, if it is asked to.
static bool leave_file(Job *j, int i, const char *why) {
    const Flags *f = j->f;
    const Input *in = &f->inputs.at[i];
    const Flat *flat = front_flatten(j->c, in->path, f->front.n, f->front.at, false);
    if (!flat || !flat->may_mark) return true;
    if (!tell_left(j, in->path, why)) return false;
    if (f->mute || word_is_cpp(in->path)) return true;
    j->flat[i] = flat;
    return write_copy(j, i, in->is_c ? rewrite_unread(j->c, flat, f)
                                     : rewrite_told(j->c, flat->text, in->path));
}

// Standard input is read here, and once more, from a file, by the host compiler.
static bool leave_standard(Job *j) {
    const Flags *f = j->f;
    Arena *a = j->c->arena;
    Text in = text_new(a);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;) text_putn(&in, block, n);
    const char *text = text_str(&in), *why = "";
    if (!j->temp) j->temp = temp_folder(a, &why);
    const char *path = arena_printf(a, "%s/input.c", j->temp ? j->temp : "");
    if (!j->temp || !file_write(path, text, strlen(text))) {
        say_error(SC_FILE_IO, "standard input can't be kept: %s", j->temp ? strerror(errno) : why);
        return false;
    }
    const Flat *flat = front_flatten(j->c, path, f->front.n, f->front.at, false);
    bool marks = flat && flat->may_mark;
    if (marks && !tell_left(j, "<stdin>", "standard input is not read")) return false;
    if (marks && !f->mute) text = rewrite_told(j->c, text, "<stdin>");
    if (file_write(path, text, strlen(text)) && freopen(path, "r", stdin)) return true;
    say_error(SC_FILE_IO, "standard input can't be kept: %s", strerror(errno));
    return false;
}

// strict: C errors are the end. False: the build must stop.
static bool translate(Job *j, int i, bool strict) {
    const Flags *f = j->f;
    const char *path = f->inputs.at[i].path;
    Compile *c = j->c;
    int from = c->diags.n;
    if (access(path, R_OK) != 0) return true; // the system's compiler says it
    const Flat *flat = strict || f->auto_mark ? NULL : front_flatten(c, path, f->front.n, f->front.at, false);
    bool bare = flat && !flat->may_mark;
    int before = c->diags.n;
    if (bare && !slips_note(c, path, NULL)) {
        diags_show(c, from, f, false);
        return true;
    }
    diag_forget(c, before); // it is said when the file has been read
    Unit *u = pipeline_read(c, path, f);
    if (!u && (strict || f->recipe)) { // a recipe that doesn't fit is no matter of taste
        diags_show(c, from, f, true);
        return false;
    }
    if (!u) forgive(c, from, path), slips_note(c, path, NULL);
    if (u) j->built.found += u->noutside + u->nparts;
    else j->built.found++; // what clang can't read may hold any
    if (u) u->noutside += u->slips, summary_show(c, from, f, u); // loops that were to be marked stay
    else diags_show(c, from, f, false);
    if (u && !u->ntexts && !u->front->ninserts && !rewrite_tells(u)) return true;
    j->flat[i] = u ? u->front->flat : front_flatten(c, path, f->front.n, f->front.at, false);
    if (!j->flat[i] || (!u && !j->flat[i]->may_mark)) return true;
    if (write_copy(j, i, u ? rewrite_unit(c, u, f) : rewrite_unread(c, j->flat[i], f))) return true;
    diags_show(c, c->diags.n - 1, f, false);
    return false;
}

// ---- the commands --------------------------------------------------------------------------
static void push_compiler(Job *j, Strings *v) {
    for (int i = 0; i < j->cc.n; i++) vec_push(j->c->arena, v, j->cc.at[i]);
}

// How the copy's includes and debug names become the original's.
static void push_places(Job *j, Strings *v, int i) {
    Arena *a = j->c->arena;
    vec_push(a, v, "-iquote");
    vec_push(a, v, j->dir[i]);
    const char *dir = str_has_prefix(j->f->inputs.at[i].path, "/") || !str_eq(j->dir[i], ".")
                          ? arena_printf(a, "%s/", j->dir[i]) : "";
    const char *map = arena_printf(a, "-ffile-prefix-map=%s/%d/=%s", j->temp, i, dir);
    vec_push(a, v, map);
}

static void push_library(Job *j, Strings *v) {
    Arena *a = j->c->arena;
    const Flags *f = j->f;
    const char *dir = host_library_dir(a);
    if (f->stage != STAGE_LINK || f->no_library || f->is_static || !dir) return;
    vec_push(a, v, "-x");
    vec_push(a, v, "none");
    vec_push(a, v, arena_printf(a, "-L%s", dir));
    // With -fopenmp threads are libgomp's; a shared library's are those of the program that loads it.
    if (!f->openmp && !f->is_shared) vec_push(a, v, "-lsculpt_serial");
    vec_push(a, v, "-lsculpt_api");
    vec_push(a, v, "-Wl,--push-state,--as-needed");
    vec_push(a, v, "-lsculpt");
    vec_push(a, v, "-Wl,--pop-state");
    if (!str_has_prefix(dir, "/usr/lib")) vec_push(a, v, arena_printf(a, "-Wl,-rpath,%s", dir));
}

// The dependency files that gcc and clang may have written for this command.
static void dep_candidates(Job *j, Strings *out) {
    Arena *a = j->c->arena;
    const Flags *f = j->f;
    for (int i = 0; i < f->dep_files.n; i++) vec_push(a, out, f->dep_files.at[i]);
    if (!f->writes_deps) return;
    const char *stem = f->output;
    if (stem) {
        const char *dot = strrchr(stem, '.');
        if (dot && !strchr(dot, '/')) stem = arena_strndup(a, stem, (size_t)(dot - stem));
        vec_push(a, out, arena_printf(a, "%s.d", stem));
        vec_push(a, out, arena_printf(a, "%s.d", f->output));
    }
    for (int i = 0; i < f->inputs.n; i++) {
        if (!j->path[i]) continue;
        const char *name = file_name(f->inputs.at[i].path), *dot = strrchr(name, '.');
        int n = (int)(dot ? (size_t)(dot - name) : strlen(name));
        vec_push(a, out, arena_printf(a, "%.*s.d", n, name));
        vec_push(a, out, arena_printf(a, "a-%.*s.d", n, name));
        if (f->output) vec_push(a, out, arena_printf(a, "%s-%.*s.d", f->output, n, name));
    }
}

static char *replace_all(Arena *a, const char *text, const char *from, const char *to, bool *any) {
    Text t = text_new(a);
    for (const char *p; (p = strstr(text, from)); text = p + strlen(from)) {
        text_putn(&t, text, (size_t)(p - text));
        text_put(&t, to);
        *any = true;
    }
    text_put(&t, text);
    return (char *)text_str(&t);
}

// A path as it stands in a makefile.
static const char *make_name(Arena *a, const char *path) {
    Text t = text_new(a);
    for (; *path; path++)
        text_printf(&t, *path == '$' ? "$%c" : strchr(" \t#", *path) ? "\\%c" : "%c", *path);
    return text_str(&t);
}

// A file and those that its copy holds.
static const char *with_included(Arena *a, const char *path, const Flat *flat) {
    Text t = text_new(a);
    text_put(&t, make_name(a, path));
    for (int i = 0; i < flat->files.n; i++) {
        bool again = false;
        for (int k = 0; k < i; k++) again |= str_eq(flat->files.at[k], flat->files.at[i]);
        if (!again) text_printf(&t, " \\\n %s", make_name(a, flat->files.at[i]));
    }
    return text_str(&t);
}

// What -MP writes of each of them, so that make goes on where one is gone.
static const char *phony_targets(Arena *a, const Flags *f, const Flat *flat) {
    Text t = text_new(a);
    bool wanted = false;
    for (int i = 0; i < f->args.n; i++) wanted |= str_eq(f->args.at[i], "-MP");
    for (int i = 0; wanted && i < flat->files.n; i++)
        text_printf(&t, "%s:\n", make_name(a, flat->files.at[i]));
    return text_str(&t);
}

// Dependency files name the copies; make must hear of the originals.
static void mend_deps(Job *j) {
    Arena *a = j->c->arena;
    Strings files = {0};
    dep_candidates(j, &files);
    for (int k = 0; k < files.n; k++) {
        char *text = file_read(a, files.at[k], NULL);
        bool any = false;
        for (int i = 0; text && i < j->f->inputs.n; i++) {
            if (!j->path[i]) continue;
            const char *path = j->f->inputs.at[i].path;
            const char *from = make_name(a, arena_printf(a, "%s/%d/%s", j->temp, i, file_name(path)));
            bool here = false;
            text = replace_all(a, text, from, with_included(a, path, j->flat[i]), &here);
            if (here) text = arena_printf(a, "%s%s", text, phony_targets(a, j->f, j->flat[i]));
            any |= here;
        }
        if (any) file_write(files.at[k], text, strlen(text));
    }
}

static int spawn(Job *j, Strings *v) {
    vec_push(j->c->arena, v, (const char *)NULL);
    if (j->f->verbose) {
        fputs("sculpt:", stderr);
        for (int i = 0; v->at[i]; i++) fprintf(stderr, " %s", v->at[i]);
        fputc('\n', stderr);
    }
    return host_spawn((char *const *)v->at);
}

// The compiler and the words of the command but `without`, with copies in the place of inputs.
static Strings command(Job *j, const char *without) {
    Strings v = {0};
    push_compiler(j, &v);
    for (int i = 0; i < j->f->inputs.n; i++)
        if (j->path[i]) push_places(j, &v, i);
    int input = 0;
    for (int i = 0; i < j->f->args.n; i++) {
        const char *word = j->f->args.at[i];
        bool here = input < j->f->inputs.n && j->f->inputs.at[input].at == i;
        const char *copy = here ? j->path[input++] : NULL;
        if (!without || !str_eq(word, without)) vec_push(j->c->arena, &v, copy ? copy : word);
    }
    return v;
}

// One command for all inputs; `output`, when given, is where the program goes.
static int run_together(Job *j, const char *output) {
    Arena *a = j->c->arena;
    Strings v = command(j, NULL);
    if (output) vec_push(a, &v, "-o"), vec_push(a, &v, output);
    push_library(j, &v);
    int status = spawn(j, &v);
    if (j->nchanged) mend_deps(j);
    return status;
}

// All of the command line but other inputs (and the output, when `object` is given).
static void push_alone(Job *j, Strings *v, int which, bool object) {
    Arena *a = j->c->arena;
    const Flags *f = j->f;
    push_compiler(j, v);
    if (j->path[which]) push_places(j, v, which);
    int input = 0;
    for (int i = 0; i < f->args.n; i++) {
        const char *w = f->args.at[i];
        if (input < f->inputs.n && f->inputs.at[input].at == i) {
            if (input == which) vec_push(a, v, j->path[which] ? j->path[which] : w);
            input++;
        } else if (object && str_eq(w, "-o")) {
            i++;
        } else if (!(object && (str_has_prefix(w, "-o") || str_has_prefix(w, "-l")))) {
            vec_push(a, v, w);
        }
    }
}

// Changed files of different folders are compiled each alone, so that each finds its own
// "config.h"; then, when a program is wanted, their objects take their places.
static int run_apart(Job *j, const char *output) {
    Arena *a = j->c->arena;
    bool link = j->f->stage == STAGE_LINK;
    for (int i = 0; i < j->f->inputs.n; i++) {
        if (link && !j->path[i]) continue;
        Strings v = {0};
        push_alone(j, &v, i, link);
        const char *object = link ? arena_printf(a, "%s/%d/%s.o", j->temp, i,
                                                 file_name(j->path[i])) : NULL;
        if (link) vec_push(a, &v, "-c"), vec_push(a, &v, "-o"), vec_push(a, &v, object);
        int status = spawn(j, &v);
        if (status != 0) return status;
        if (link) j->path[i] = object;
        mend_deps(j);
    }
    return link ? run_together(j, output) : 0;
}

// The option that has the host's compiler read the marks, which sculpt reads by itself. NULL: there is none.
static const char *marks_option(const Flags *f) {
    for (int i = 0; i < f->args.n; i++)
        if (str_eq(f->args.at[i], "-fopenacc") || str_eq(f->args.at[i], "-fopenmp")) return f->args.at[i];
    return NULL;
}

// Does the host's compiler take the sources, but for one option?
static bool is_taken(Job *j, const char *without) {
    Arena *a = j->c->arena;
    Strings v = command(j, without);
    vec_push(a, &v, "-fsyntax-only");
    vec_push(a, &v, (const char *)NULL);
    char *out, *err;
    return process_run(a, (char *const *)v.at, &out, &err) == 0;
}

// The host's compiler has refused the program. Where it refuses nothing but marks, of which loops that sculpt
// takes may have some, its own words do not tell what to do.
static void tell_marks(Job *j) {
    const char *option = marks_option(j->f);
    if (option && j->nchanged && is_taken(j, option) && !is_taken(j, NULL))
        say_error(SC_HOST_COMPILER, "the C compiler refuses marks that %s has it read; sculpt takes them "
                  "without %s, too, and what it does not take runs as plain C then", option, option);
}

static bool one_folder(const Job *j) {
    const char *dir = NULL;
    for (int i = 0; i < j->f->inputs.n; i++) {
        if (!j->path[i]) continue;
        if (j->f->inputs.at[i].explicit_lang) return true; // an object would be read as C
        if (dir && !str_eq(dir, j->dir[i])) return false;
        dir = j->dir[i];
    }
    return true;
}

static bool job_start(Job *j, Compile *c, const Flags *f) {
    *j = (Job){.c = c, .f = f};
    j->path = NEW_N(c->arena, const char *, f->inputs.n + 1);
    j->dir = NEW_N(c->arena, const char *, f->inputs.n + 1);
    j->flat = NEW_N(c->arena, const Flat *, f->inputs.n + 1);
    if (host_compiler(c->arena, &j->cc)) return true;
    say_error(SC_HOST_COMPILER, "no C compiler found: install gcc or clang, or set SCULPT_CC");
    return false;
}

int cc_build(Compile *c, const Flags *f, const char *output, bool strict, Built *built) {
    Job j;
    if (!job_start(&j, c, f)) return 127 << 8;
    diags_show(c, 0, f, false);
    const char *stays = flags_stays(c->arena, f);
    bool ok = true;
    for (int i = 0; ok && f->stage != STAGE_PASS && i < f->inputs.n; i++) {
        const Input *in = &f->inputs.at[i];
        bool made = str_has_suffix(in->path, ".i");
        if (in->is_c && !stays) ok = translate(&j, i, strict);
        else if (in->is_standard) ok = leave_standard(&j);
        else if (in->is_c) ok = leave_file(&j, i, stays);
        else if (made) ok = leave_file(&j, i, "text that the preprocessor made is not read");
        else if (word_is_cpp(in->path)) ok = leave_file(&j, i, "C++ is not read");
    }
    int status = 1 << 8;
    bool one_file = f->output && f->stage != STAGE_LINK; // for several inputs: the host's compiler refuses it
    if (ok) status = one_file || one_folder(&j) ? run_together(&j, output) : run_apart(&j, output);
    if (ok && status != 0) tell_marks(&j);
    if (built) *built = j.built;
    return status;
}

int cc_main(int argc, char **argv) {
    Compile *c = compile_new();
    const char *why;
    Flags *f = flags_parse(c->arena, argc, argv, &why);
    if (f) f->carried = true;
    int status = f ? cc_build(c, f, NULL, false, NULL) : usage_error("cc", "%s", why) << 8;
    compile_free(c);
    return host_exit(status);
}
