// SPDX-License-Identifier: MIT
// run.c -- `sculpt run`: compiles into a temporary folder, runs the program, cleans up.
#include "device/device.h"
#include "driver/driver.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The command line of run and check, taken apart.
typedef struct Order {
    const char *device;
    bool time, require, check;
    int nflags;
    char **flags;          // compiler arguments
    int nargs;
    char **args;           // the program's own
} Order;

// False after a usage error.
static bool read_order(Arena *a, const char *verb, int argc, char **argv, Order *o) {
    o->flags = NEW_N(a, char *, argc + 2);
    for (int i = 0; i < argc; i++) {
        const char *w = argv[i];
        if (str_eq(w, "--")) {
            o->nargs = argc - i - 1;
            o->args = argv + i + 1;
            break;
        }
        if (str_eq(w, "--time")) o->time = true;
        else if (str_eq(w, "--require-device")) o->require = true;
        else if (str_eq(w, "--check")) o->check = true;
        else if (str_has_prefix(w, "--device=")) o->device = w + 9;
        else if (!str_eq(w, "--device")) o->flags[o->nflags++] = argv[i];
        else if (++i < argc) o->device = argv[i];
        else o->device = "";
    }
    // One of a kind that does not exist is a slip of the finger, not a machine without one.
    if (o->device && !*o->device) return usage_error(verb, "--device needs a value"), false;
    const char *wrong = o->device ? device_misnamed(a, o->device) : NULL;
    if (wrong) usage_error(verb, "--device: %s; 'sculpt devices' lists what is here", wrong);
    return !wrong;
}

// A device that was named and can't be used is told at once, whether or not the program has
// work enough to ask for it.
static const char *usable_device(Compile *c, const char *spec) {
    const char *why = NULL;
    if (str_eq(spec, "host") || str_eq(spec, "none")) return spec;
    Arena *a = arena_new();
    bool ok = device_open(a, spec, &why) != NULL;
    if (!ok) {
        diag(c, DIAG_WARNING, SC_NO_DEVICE, (Loc){0}, "%s; the original loops run", why);
        diag_print(stderr, &c->diags.at[c->diags.n - 1], false);
    }
    arena_free(a);
    return ok ? spec : "none";
}

static void set_environment(Compile *c, const Order *o) {
    if (o->device) setenv("SCULPT_DEVICE", usable_device(c, o->device), 1);
    if (o->time) setenv("SCULPT_TIME", "-", 1);
    if (o->require) setenv("SCULPT_REQUIRE", "1", 1);
    if (o->check) setenv("SCULPT_CHECK", "1", 1);
    // Both ask about the device; that work is small is then no reason to stay away.
    if (o->check || o->require) setenv("SCULPT_OFFLOAD", "always", 0);
}

static bool has_optimization(const Flags *f) {
    for (int i = 0; i < f->args.n; i++)
        if (str_has_prefix(f->args.at[i], "-O")) return true;
    return false;
}

// The name that a program gets: its first C file's, without the suffix.
static const char *program_name(Arena *a, const char *dir, const Flags *f) {
    const char *path = f->inputs.at[0].path, *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return arena_printf(a, "%s/%.*s", dir, (int)n, name);
}

static int execute(Arena *a, const char *program, const Order *o) {
    char **argv = NEW_N(a, char *, o->nargs + 2);
    argv[0] = (char *)program;
    for (int i = 0; i < o->nargs; i++) argv[i + 1] = o->args[i];
    return host_spawn(argv);
}

static bool has_c(const Flags *f) {
    for (int i = 0; i < f->inputs.n; i++)
        if (f->inputs.at[i].is_c) return true;
    return false;
}

static const char *refuse_flags(Arena *a, const Flags *f) {
    if (!f->inputs.n) return "no file to run";
    for (int i = 0; i < f->inputs.n; i++)
        if (access(f->inputs.at[i].path, F_OK) && !str_eq(f->inputs.at[i].path, "-"))
            return arena_printf(a, "there is no file '%s'; what the program is to get stands behind '--'",
                                f->inputs.at[i].path);
    if (!has_c(f) && word_is_cpp(f->inputs.at[0].path)) return "C++ is not read; a C file is needed";
    if (f->stage != STAGE_LINK) return "-c, -S, -E and their kin make no program to run; "
                                       "use 'sculpt cc'";
    return f->is_static ? "a static program cannot open a device's driver; drop -static" : NULL;
}

// Somebody who asks for `run` wants a loop on a device.
static void tell_unmarked(Compile *c, const Flags *f) {
    diag(c, DIAG_REMARK, SC_NO_REGION, (Loc){0}, "no loop is marked, so all run as they are written; "
         "'sculpt help marks' says how to mark one, --auto takes loops without marks");
    diags_show(c, c->diags.n - 1, f, false);
}

enum { NOTHING_COMPARED = 3 }; // status of a check

static int build_and_run(Compile *c, Flags *f, const Order *o, const char *dir) {
    const char *program = f->output ? f->output : program_name(c->arena, dir, f);
    if (!strchr(program, '/')) program = arena_printf(c->arena, "./%s", program);
    Built built = {0};
    int status = cc_build(c, f, f->output ? NULL : program, true, &built);
    if (status) return status;
    if (!built.found && has_c(f)) tell_unmarked(c, f);
    set_environment(c, o);
    if (!o->check || env_get("SCULPT_CHECK_FILE")) return execute(c->arena, program, o);
    const char *report = arena_printf(c->arena, "%s/check.json", dir);
    setenv("SCULPT_CHECK_FILE", report, 1);
    int end = execute(c->arena, program, o);
    bool compared = check_report(report);
    return end || compared ? end : NOTHING_COMPARED << 8;
}

int run_program(const char *verb, int argc, char **argv, bool check) {
    Compile *c = compile_new();
    Order o = {.check = check};
    const char *why = NULL;
    int status = 2 << 8;
    const char *dir;
    if (!read_order(c->arena, verb, argc, argv, &o)) goto out;
    Flags *f = flags_parse(c->arena, o.nflags, o.flags, &why);
    const char *stray = f ? flags_stray(c->arena, f, verb) : NULL;
    if (!f || stray || (why = refuse_flags(c->arena, f))) {
        if (stray) usage_stray(verb, stray);
        else usage_error(verb, "%s", why);
        goto out;
    }
    f->carried = true;
    f->asks_device = o.check || o.require || o.device;
    f->requires |= o.require;
    if (!has_optimization(f)) vec_push(c->arena, &f->args, "-O2");
    vec_push(c->arena, &f->args, "-lm");
    dir = temp_folder(c->arena, &why);
    if (dir) status = build_and_run(c, f, &o, dir);
    else say_error(SC_FILE_IO, "there is no temporary folder: %s", why);
out:
    compile_free(c);
    return host_exit(status);
}

int run_main(int argc, char **argv) { return run_program("run", argc, argv, false); }
