// SPDX-License-Identifier: MIT
// program.c -- a whole program around a nest: parameters, arrays, launches, a checksum.
//
// Parameters come from the command line in the region's order; integers are 256 when absent,
// floating point 1. Arrays are as large as the nest's footprint says and hold random data,
// integers among them values that can serve as subscripts.
#include "emit/program.h"

// ---- text that every program carries ---------------------------------------------------

static const char *const shared_text =
    "static unsigned long long sculpt_random(void)\n"
    "{\n"
    "    static unsigned long long state = 88172645463325252ull;\n"
    "    state ^= state << 13;\n"
    "    state ^= state >> 7;\n"
    "    return state ^= state << 17;\n"
    "}\n\n"
    "static void sculpt_need(size_t *bytes, long long want)\n"
    "{\n"
    "    if (want > (long long)*bytes)\n"
    "        *bytes = (size_t)want;\n"
    "}\n\n";

static void put_data_functions(Printer *p, Type t) {
    const char *type = emit_type(p, t), *name = type_name(t);
    const char *value = type_is_float(t) ? "(double)(sculpt_random() >> 11) / 9007199254740992.0"
                                         : "sculpt_random() % (unsigned long long)range";
    put(p,
        "static void sculpt_fill_%s(char *p, size_t bytes, size_t at, size_t stride, long long range)\n"
        "{\n"
        "    (void)range;\n"
        "    for (; at + sizeof(%s) <= bytes; at += stride) {\n"
        "        const %s v = (%s)(%s);\n"
        "        memcpy(p + at, &v, sizeof v);\n"
        "    }\n"
        "}\n\n"
        "static double sculpt_sum_%s(const char *p, size_t bytes, size_t at, size_t stride)\n"
        "{\n"
        "    double sum = 0;\n"
        "    for (; at + sizeof(%s) <= bytes; at += stride) {\n"
        "        %s v;\n"
        "        memcpy(&v, p + at, sizeof v);\n"
        "        sum += (double)v;\n"
        "    }\n"
        "    return sum;\n"
        "}\n\n",
        name, type, type, type, value, name, type, type);
}

static void put_shared_text(Printer *p, const Region *r) {
    bool done[T_COUNT] = {false};
    put(p, "%s", shared_text);
    for (int k = 0; k < r->narrays; k++) {
        Type t = r->arrays[k]->elem;
        if (!done[t]) put_data_functions(p, t);
        done[t] = true;
    }
}

// ---- parameters --------------------------------------------------------------------------

static bool is_inspected(const Region *r, const Sym *s, bool *hi) {
    for (int k = 0; k < r->ninspects; k++) {
        *hi = r->inspects[k]->hi == s;
        if (*hi || r->inspects[k]->lo == s || r->inspects[k]->differ == s) return true;
    }
    return false;
}

static void put_parameters(Printer *p, const Region *r) {
    int arg = 0;
    put_line(p, "long long sculpt_range = 128; // integers in arrays are less");
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        const char *type = emit_type(p, s->type), *name = emit_sym(p, s);
        bool hi, is_float = type_is_float(s->type);
        if (is_inspected(r, s, &hi)) continue;
        arg++;
        put_line(p, "const %s %s = (%s)(sculpt_argc > %d ? %s(sculpt_argv[%d]) : %s);", type, name,
                 type, arg, is_float ? "atof" : "atoll", arg,
                 is_float ? "1.0" : s->type == T_BOOL ? "1" : type_size(s->type) == 1 ? "100" : "256");
        if (!is_float && s->type != T_BOOL)
            put_line(p, "if (%s > 0 && (long long)%s < sculpt_range) sculpt_range = (long long)%s;",
                     name, name, name);
    }
    for (int k = 0; k < r->nparams; k++) {
        bool hi;
        if (is_inspected(r, r->params[k], &hi))
            put_line(p, "const %s %s = %s;", emit_type(p, r->params[k]->type),
                     emit_sym(p, r->params[k]), hi ? "sculpt_range - 1" : "0");
    }
}

// ---- arrays --------------------------------------------------------------------------------

static const Foot *foot_of(const Nest *n, const Array *array) {
    for (int k = 0; k < n->nfeet; k++)
        if (n->feet[k].array == array) return &n->feet[k];
    return NULL;
}

// How many elements from element 0 on an array needs, as text.
static const char *count_text(Printer *p, const Nest *n, const Array *array) {
    const Foot *f = foot_of(n, array);
    Text t = text_new(p->a);
    text_put(&t, "1LL");
    for (int k = 0; k < array->rank; k++) {
        Expr *x = k == 0 && f ? f->hi[0] : array->extent[k];
        if (!x) {
            emit_fail(p, SC_EXTENT, "the extent of %s is not known", array->name);
            return "";
        }
        text_printf(&t, k == 0 && f ? " * ((long long)%s + 1)" : " * %s", expr_text(p, x, PREC_UNARY));
    }
    return text_str(&t);
}

static bool is_first(const Region *r, int k) {
    for (int j = 0; j < k; j++)
        if (str_eq(r->arrays[j]->object, r->arrays[k]->object)) return false;
    return true;
}

static void put_array(Printer *p, const Nest *n, int first, const ProgramOps *ops) {
    const Region *r = n->region;
    const Array *object = r->arrays[first];
    const char *name = emit_name(p, object->object);
    put_line(p, "size_t sculpt_bytes_%s = 16;", name);
    for (int k = first; k < r->narrays; k++)
        if (str_eq(r->arrays[k]->object, object->object))
            put_line(p, "sculpt_need(&sculpt_bytes_%s, %lld + %lld * %s);", name,
                     (long long)r->arrays[k]->offset, (long long)r->arrays[k]->stride,
                     count_text(p, n, r->arrays[k]));
    put_line(p, "char *sculpt_host_%s = (char *)calloc(sculpt_bytes_%s, 1);", name, name);
    for (int k = first; k < r->narrays; k++)
        if (str_eq(r->arrays[k]->object, object->object))
            put_line(p, "sculpt_fill_%s(sculpt_host_%s, sculpt_bytes_%s, %lld, %lld, sculpt_range);",
                     type_name(r->arrays[k]->elem), name, name, (long long)r->arrays[k]->offset,
                     (long long)r->arrays[k]->stride);
    const Object *o = object_find(p, object);
    ops->array(p, name, o && o->bytes ? emit_type(p, T_U8) : emit_type(p, object->elem));
}

static void put_result(Printer *p, const Nest *n, int first, const ProgramOps *ops) {
    const Region *r = n->region;
    const char *name = emit_name(p, r->arrays[first]->object);
    const Object *o = object_find(p, r->arrays[first]);
    if (!o || !o->written) return;
    ops->fetch(p, name);
    for (int k = first; k < r->narrays; k++)
        if (str_eq(r->arrays[k]->object, r->arrays[first]->object))
            put_line(p,
                     "printf(\"%%-16s checksum %%.9g\\n\", \"%s\", sculpt_sum_%s(sculpt_host_%s, "
                     "sculpt_bytes_%s, %lld, %lld));",
                     r->arrays[k]->name, type_name(r->arrays[k]->elem), name, name,
                     (long long)r->arrays[k]->offset, (long long)r->arrays[k]->stride);
}

// ---- launches -------------------------------------------------------------------------------

void program_grid(Printer *p, const Node *kernel, const char *size[6]) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    for (int k = 0; k < 6; k++) {
        bool block = k < 3;
        int d = k % 3;
        const Node *loop = d < (block ? g.nblock : g.nthread) ? (block ? g.block : g.thread)[d] : NULL;
        if (g.phases && !block) {
            size[k] = d == 0 ? arena_printf(p->a, "%lld", (long long)g.threads) : "1";
            continue;
        }
        size[k] = loop ? expr_text(p, expr_sub(p->a, loop->hi, loop->lo), PREC_SELECT) : "1";
    }
}

const char *program_bytes(Printer *p, const Array *array) {
    Text t = text_new(p->a);
    text_printf(&t, "16 + sizeof(%s)", emit_type(p, array->elem));
    for (int k = 0; k < array->rank; k++)
        text_printf(&t, " * (size_t)%s", expr_text(p, array->extent[k], PREC_UNARY));
    return text_str(&t);
}

// ---- all -----------------------------------------------------------------------------------

// Objects begin at multiples of 16 here, on the host and on the device. Rates only order nests, and there
// is one here.
static void put_facts(Printer *p, const Nest *n, const ProgramOps *ops) {
    for (int k = 0; k < n->nfacts; k++) {
        const Fact *f = &n->facts[k];
        if (f->kind == FACT_PROCESSORS) ops->processors(p, emit_sym(p, f->sym));
        else
            put_line(p, "const long long %s = %lld;", emit_sym(p, f->sym),
                     f->array ? (long long)(f->array->offset % 16) : 1LL);
    }
}

static void put_main(Printer *p, const Nest *n, const ProgramOps *ops) {
    const Region *r = n->region;
    put_parameters(p, r);
    ops->setup(p, n);
    put_facts(p, n, ops);
    if (n->when) {
        put_line(p, "if (!(%s)) {", expr_text(p, n->when, PREC_ANY));
        put_line(p, "    fprintf(stderr, \"the kernels are not right for these parameters\\n\");");
        put_line(p, "    return 2;");
        put_line(p, "}");
    }
    for (int k = 0; k < r->narrays; k++)
        if (is_first(r, k)) put_array(p, n, k, ops);
    ops->start(p);
    put_tree(p, n->root);
    ops->stop(p);
    put_line(p, "printf(\"kernels %%.6f ms\\n\", 1e3 * sculpt_seconds);");
    for (int k = 0; k < r->narrays; k++)
        if (is_first(r, k)) put_result(p, n, k, ops);
    put_line(p, "return 0;");
}

char *emit_program(Compile *c, const Nest *n, const EmitOptions *o) {
    const ProgramOps *ops = o->dialect == DIALECT_OPENCL ? &program_opencl : &program_cuda;
    if (o->dialect == DIALECT_C) {
        diag(c, DIAG_ERROR, SC_USAGE, n->region->loc, "a host program is CUDA or OpenCL");
        return NULL;
    }
    if (n->npromised) {
        diag(c, DIAG_ERROR, SC_USAGE, n->region->loc,
             "that the values of %s are %s is checked by the run time alone; a program of its own "
             "can't have it",
             n->promised[0].array->name, promise_word(n->promised));
        return NULL;
    }
    char *kernels = emit_kernels(c, n, o);
    if (!kernels) return NULL;
    Dialect host = dialect_c; // of the host's language, with the words of both
    host.reserved = ops->dialect->reserved;
    host.helper = "static inline ";
    host.own = "sculpt_host_"; // kernels beside it may have the same
    Printer p = printer_new(c, &host, true);
    p.sequential = true;
    p.launch = ops->launch;
    p.temporary = ops->temporary;
    objects_collect(&p, n->root);
    p.indent = 1;
    put_main(&p, n, ops);
    if (p.failed) return NULL;
    Text body = p.out;
    p.out = text_new(c->arena);
    ops->head(&p, n, kernels);
    put_shared_text(&p, n->region);
    for (int k = 0; k < p.helpers.n; k++) put(&p, "%s\n", p.helpers.at[k].text);
    put(&p, "int main(int sculpt_argc, char **sculpt_argv)\n{\n%s}\n", text_str(&body));
    return p.failed ? NULL : p.out.s;
}
