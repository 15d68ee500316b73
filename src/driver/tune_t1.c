// SPDX-License-Identifier: MIT
// tune_t1.c -- descriptions of tuning problems: T1 of the FAIR auto-tuning schemas, as Kernel Tuner has it
// (which takes ProblemSize, GridDivX… and Default beside what the schema names).
#include "driver/tune_hand.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- in -----------------------------------------------------------------------------------------------
static const char *words_at(Arena *a, const json_t *o, const char *name) {
    const char *s = json_string_value(json_object_get(o, name));
    return s && *s ? arena_strdup(a, s) : NULL;
}

// A number, a text, or a list of them that are multiplied.
static const char *formula_at(Arena *a, const json_t *v) {
    Text t = text_new(a);
    size_t i;
    json_t *x;
    if (json_is_string(v)) return *json_string_value(v) ? arena_strdup(a, json_string_value(v)) : NULL;
    if (json_is_number(v)) return formula_print(a, json_number_value(v));
    json_array_foreach(v, i, x) {
        const char *one = formula_at(a, x);
        if (json_array_size(v) == 1) return one;
        if (one) text_printf(&t, "%s(%s)", t.n ? " * " : "", one);
    }
    return t.n ? text_str(&t) : NULL;
}

static bool read_knobs(Arena *a, const json_t *list, Hand *h, const char **why) {
    size_t i;
    json_t *o;
    json_array_foreach(list, i, o) {
        HandKnob k = {.name = words_at(a, o, "Name")};
        const char *values = words_at(a, o, "Values"), *own = formula_at(a, json_object_get(o, "Default"));
        Value v;
        if (!k.name || !values) return *why = "a parameter has no name, or no values", false;
        if (!formula_value(a, arena_printf(a, "[%s]", values), NULL, NULL, &v, why)) return false;
        k.value = NEW_N(a, const char *, v.n + 1);
        for (; k.n < v.n; k.n++) {
            k.value[k.n] = v.text && v.text[k.n] ? v.text[k.n] : formula_print(a, v.at[k.n]);
            if (own && str_eq(own, k.value[k.n])) k.own = k.n;
        }
        if (!k.n) return *why = arena_printf(a, "%s has no value", k.name), false;
        vec_push(a, &h->knobs, k);
    }
    return true;
}

static const struct {
    const char *word;
    Type type;
} types[] = {{"bool", T_BOOL},  {"int8", T_I8},   {"uint8", T_U8},   {"int16", T_I16},
             {"uint16", T_U16}, {"int32", T_I32}, {"uint32", T_U32}, {"int64", T_I64},
             {"uint64", T_U64}, {"float", T_F32}, {"double", T_F64}};

static void read_arg(Arena *a, const json_t *o, Hand *h) {
    const char *type = words_at(a, o, "Type"), *access = words_at(a, o, "AccessType"),
               *fill = words_at(a, o, "FillType");
    HandArg x = {.name = words_at(a, o, "Name")};
    const char *digits = type ? type + strcspn(type, "0123456789") : "";
    bool vector = type && (str_has_prefix(type, "float") || str_has_prefix(type, "double"));
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++) {
        size_t n = vector ? (size_t)(digits - type) : strlen(type);
        if (strlen(types[i].word) == n && !strncmp(types[i].word, type, n)) x.type = types[i].type;
    }
    x.bytes = x.type == T_NONE ? 0 : type_size(x.type) * (vector && *digits ? atoi(digits) : 1);
    x.pointer = str_eq(words_at(a, o, "MemoryType"), "Vector");
    x.reads = !str_eq(access, "WriteOnly"), x.writes = !str_eq(access, "ReadOnly");
    x.text = formula_at(a, json_object_get(o, x.pointer ? "Size" : "FillValue"));
    if (x.pointer && str_eq(fill, "Constant")) x.fill = formula_at(a, json_object_get(o, "FillValue"));
    if (x.pointer && str_eq(fill, "Generator")) x.fill = words_at(a, o, "DataSource");
    if (!x.name) x.name = arena_printf(a, "argument%d", h->args.n);
    vec_push(a, &h->args, x);
}

static bool read_problem(Arena *a, const json_t *v, Hand *h, const char **why) {
    const char *one = json_is_array(v) ? NULL : formula_at(a, v);
    size_t i;
    json_t *x;
    Value n;
    if (one && !formula_value(a, one, NULL, NULL, &n, why)) return false;
    for (int k = 0; one && k < n.n; k++) vec_push(a, &h->problem, ((Value){.n = 1, .at = n.at + k}));
    json_array_foreach(v, i, x) if (!read_problem(a, x, h, why)) return false;
    return true;
}

static bool read_all(Arena *a, const char *file, const json_t *all, Hand *h, const char **why) {
    static const char *const dims[] = {"X", "Y", "Z"};
    const json_t *space = json_object_get(all, "ConfigurationSpace"),
                 *k = json_object_get(all, "KernelSpecification");
    const json_t *local = json_object_get(k, "LocalSize"), *global = json_object_get(k, "GlobalSize");
    const char *kernel = words_at(a, k, "KernelFile"), *slash = strrchr(file, '/'),
               *language = words_at(a, k, "Language");
    size_t i;
    json_t *x;
    if (!json_is_array(json_object_get(space, "TuningParameters")) || !kernel)
        return *why =
                   "it is no description of a problem (T1): there are no TuningParameters, or no KernelFile",
               false;
    if (!language || !str_among(language, "CUDA OpenCL"))
        return *why = arena_printf(a, "kernels in %s are not taken", language ? language : "no language"),
               false;
    h->file =
        kernel[0] == '/' || !slash ? kernel : arena_printf(a, "%.*s/%s", (int)(slash - file), file, kernel);
    h->kernel = words_at(a, k, "KernelName");
    if (!read_knobs(a, json_object_get(space, "TuningParameters"), h, why)) return false;
    json_array_foreach(json_object_get(space, "Conditions"), i, x) if (words_at(a, x, "Expression"))
        vec_push(a, &h->where, words_at(a, x, "Expression"));
    json_array_foreach(json_object_get(k, "Arguments"), i, x) read_arg(a, x, h);
    json_array_foreach(json_object_get(k, "CompilerOptions"), i, x) {
        const char *flag = json_string_value(x); // the language's version is the compiler's own business here
        if (flag && (str_has_prefix(flag, "-D") || str_has_prefix(flag, "-I")))
            vec_push(a, &h->flags, (const char *)arena_strdup(a, flag));
    }
    if (!read_problem(a, json_object_get(k, "ProblemSize"), h, why)) return false;
    if (json_integer_value(json_object_get(k, "SharedMemory")) > 0)
        h->shared = formula_at(a, json_object_get(k, "SharedMemory"));
    for (int d = 0; d < 3; d++) {
        h->block[d] = words_at(a, local, dims[d]);
        h->divide[d] = formula_at(a, json_object_get(k, arena_printf(a, "GridDiv%s", dims[d])));
        const char *size = h->problem.n ? NULL : words_at(a, global, dims[d]);
        bool threads = str_eq(words_at(a, k, "GlobalSizeType"), "OpenCL"); // of all blocks together
        if (size)
            h->grid[d] =
                threads ? arena_printf(a, "ceil((%s) / (%s))", size, h->block[d] ? h->block[d] : "1") : size;
    }
    return true;
}

bool t1_read(Arena *a, const char *file, Hand *h, const char **why) {
    json_error_t e;
    const char *text = file_read(a, file, NULL);
    json_t *all = text ? json_loads(text, 0, &e) : NULL;
    bool ok = all && read_all(a, file, all, h, why);
    if (!text)
        *why = "it can't be read";
    else if (!all)
        *why = arena_printf(a, "line %d: %s", e.line, e.text);
    if (!ok) *why = arena_printf(a, "%s: %s", file, *why);
    json_decref(all);
    return ok;
}

// ---- out ----------------------------------------------------------------------------------------------
// [2, 4, "half"]
static const char *values_of(Arena *a, const HandKnob *k, bool *words) {
    Text t = text_new(a);
    *words = false;
    for (int i = 0; i < k->n; i++) {
        char *end;
        strtod(k->value[i], &end);
        bool number = end != k->value[i] && !*end;
        *words |= !number;
        text_printf(&t, number ? "%s%s" : "%s\"%s\"", i ? ", " : "", k->value[i]);
    }
    return arena_printf(a, "[%s]", text_str(&t));
}

static bool names_knob(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *s = text; (s = strstr(s, name)); s += n)
        if ((s == text ||
             !strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", s[-1])) &&
            (!s[n] || !strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", s[n])))
            return true;
    return false;
}

static json_t *space_of(Arena *a, const Hand *h) {
    json_t *knobs = json_array(), *conditions = json_array();
    for (int i = 0; i < h->knobs.n; i++) {
        const HandKnob *k = &h->knobs.at[i];
        bool words, real = false;
        const char *values = values_of(a, k, &words);
        for (int v = 0; v < k->n; v++) real |= strpbrk(k->value[v], ".eE") != NULL;
        json_array_append_new(knobs, json_pack("{s:s, s:s, s:s, s:s}", "Name", k->name, "Type",
                                               words  ? "string"
                                               : real ? "float"
                                                      : "int",
                                               "Values", values, "Default", k->value[k->own]));
        if (!words)
            json_object_set_new(json_array_get(knobs, (size_t)i), "Default",
                                json_real(atof(k->value[k->own])));
        if (!words && !real)
            json_object_set_new(json_array_get(knobs, (size_t)i), "Default",
                                json_integer(atoll(k->value[k->own])));
    }
    for (int i = 0; i < h->where.n; i++) {
        json_t *of = json_array();
        for (int k = 0; k < h->knobs.n; k++)
            if (names_knob(h->where.at[i], h->knobs.at[k].name))
                json_array_append_new(of, json_string(h->knobs.at[k].name));
        json_array_append_new(conditions,
                              json_pack("{s:o, s:s}", "Parameters", of, "Expression", h->where.at[i]));
    }
    return json_pack("{s:o, s:o}", "TuningParameters", knobs, "Conditions", conditions);
}

static json_t *argument(Arena *a, const Hand *h, const HandArg *x) {
    const char *type = "custom", *why;
    double v = 0, fill = 0;
    // One that goes with the place has no value by itself.
    bool generated = x->fill && !formula_number(a, x->fill, NULL, NULL, &fill, &why);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == x->type) type = types[i].word;
    int lanes = x->pointer ? (int)(x->bytes / type_size(x->type)) : 1;
    if (lanes > 1) type = arena_printf(a, "%s%d", type, lanes);
    hand_arg(a, h, x, &v, &why);
    json_t *o = json_pack("{s:s, s:s, s:s}", "Name", x->name, "Type", type, "MemoryType",
                          x->pointer ? "Vector" : "Scalar");
    if (!x->pointer)
        return json_object_set_new(o, "FillType", json_string("Constant")),
               json_object_set_new(o, "FillValue",
                                   type_is_float(x->type) ? json_real(v) : json_integer((json_int_t)v)),
               o;
    bool constant = x->fill || (x->writes && !x->reads);
    json_object_set_new(o, "Size", json_integer((json_int_t)v));
    json_object_set_new(o, "AccessType",
                        json_string(!x->writes ? "ReadOnly"
                                    : x->reads ? "ReadWrite"
                                               : "WriteOnly"));
    json_object_set_new(o, "FillType",
                        json_string(generated ? "Generator" : constant ? "Constant" : "Random"));
    if (generated)
        json_object_set_new(o, "DataSource", json_string(x->fill));
    else
        json_object_set_new(o, "FillValue", json_real(fill));
    if (x->writes) json_object_set_new(o, "Output", json_integer(1));
    return o;
}

void t1_print(Arena *a, const Hand *h) {
    static const char *const dims[] = {"X", "Y", "Z"}, *const own[] = {"block_size_x", "block_size_y",
                                                                       "block_size_z"};
    json_t *args = json_array(), *flags = json_array(), *local = json_object(), *global = json_object(),
           *problem = json_array();
    for (int i = 0; i < h->args.n; i++) json_array_append_new(args, argument(a, h, &h->args.at[i]));
    for (int i = 0; i < h->flags.n; i++) json_array_append_new(flags, json_string(h->flags.at[i]));
    json_t *k = json_pack("{s:s, s:s, s:s, s:o, s:s, s:i}", "Language", h->opencl ? "OpenCL" : "CUDA",
                          "KernelName", h->kernel, "KernelFile", h->file, "CompilerOptions", flags,
                          "GlobalSizeType", "CUDA", "SharedMemory", h->shared ? atoi(h->shared) : 0);
    for (int d = 0; d < 3; d++) {
        const char *block = h->block[d];
        for (int i = 0; i < h->knobs.n && !block; i++)
            if (str_eq(h->knobs.at[i].name, own[d])) block = own[d];
        const char *by = h->divide[d] ? h->divide[d] : block ? block : "1";
        long long size = d < h->problem.n ? (long long)h->problem.at[d].at[0] : 1;
        const char *grid = h->grid[d] ? h->grid[d] : arena_printf(a, "-(-%lld // (%s))", size, by);
        json_object_set_new(local, dims[d], json_string(block ? block : "1"));
        json_object_set_new(global, dims[d], json_string(grid));
        if (d < h->problem.n) json_array_append_new(problem, json_integer(size));
        json_object_set_new(k, arena_printf(a, "GridDiv%s", dims[d]), json_pack("[s]", by));
    }
    json_object_set_new(k, "LocalSize", local), json_object_set_new(k, "GlobalSize", global);
    if (h->problem.n)
        json_object_set_new(k, "ProblemSize", problem);
    else
        json_decref(problem);
    json_object_set_new(k, "Arguments", args);
    json_t *all =
        json_pack("{s:{s:i}, s:o, s:{s:s}, s:o}", "General", "FormatVersion", 1, "ConfigurationSpace",
                  space_of(a, h), "Search", "Name", "brute_force", "KernelSpecification", k);
    json_dumpf(all, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(all);
}
