// SPDX-License-Identifier: MIT
// type.c -- clang's types and declarations as ours.
//
// A variable-length array's sizes are not in its type but below its declarator, innermost
// array first; they are handed out while the type is walked from the inside.
#include "parse/reader.h"
#include <string.h>

static uint64_t mix(uint64_t k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdULL;
    return k ^ (k >> 29);
}

static int slot(const Map *m, uint64_t key) {
    int at = (int)(mix(key) & (uint64_t)(m->cap - 1));
    while (m->value[at] && m->key[at] != key) at = (at + 1) & (m->cap - 1);
    return at;
}

void *map_get(const Map *m, uint64_t key) { return m->cap ? m->value[slot(m, key)] : NULL; }

void map_put(Arena *a, Map *m, uint64_t key, void *value) {
    if (2 * m->n >= m->cap) {
        Map old = *m;
        m->cap = old.cap ? 2 * old.cap : 64;
        m->key = NEW_N(a, uint64_t, m->cap);
        m->value = NEW_N(a, void *, m->cap);
        m->n = 0;
        for (int i = 0; i < old.cap; i++)
            if (old.value[i]) map_put(a, m, old.key[i], old.value[i]);
    }
    int at = slot(m, key);
    if (!m->value[at]) m->n++;
    m->key[at] = key;
    m->value[at] = value;
}

char *read_string(Reader *r, CXString s) {
    const char *text = clang_getCString(s);
    char *copy = arena_strdup(r->a, text ? text : "");
    clang_disposeString(s);
    return copy;
}

// ---- types ---------------------------------------------------------------------------
static Type integer(bool is_signed, long long bytes) {
    switch (bytes) {
    case 1: return is_signed ? T_I8 : T_U8;
    case 2: return is_signed ? T_I16 : T_U16;
    case 4: return is_signed ? T_I32 : T_U32;
    case 8: return is_signed ? T_I64 : T_U64;
    default: return T_NONE;
    }
}

static Type scalar_type(CXType t) {
    switch (t.kind) {
    case CXType_Bool: return T_BOOL;
    case CXType_Char_U: case CXType_UChar: case CXType_UShort: case CXType_UInt:
    case CXType_ULong: case CXType_ULongLong: case CXType_Char16: case CXType_Char32:
        return integer(false, clang_Type_getSizeOf(t));
    case CXType_Char_S: case CXType_SChar: case CXType_Short: case CXType_Int:
    case CXType_Long: case CXType_LongLong: case CXType_WChar:
        return integer(true, clang_Type_getSizeOf(t));
    case CXType_Float: return T_F32;
    case CXType_Double: return T_F64;
    case CXType_Enum: {
        CXType under = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t));
        return scalar_type(clang_getCanonicalType(under));
    }
    default: return T_NONE;
    }
}

const CField *ctype_field(const CType *record, const char *name) {
    for (int k = 0; k < record->nfields; k++)
        if (str_eq(record->fields[k].name, name)) return &record->fields[k];
    return NULL;
}

typedef VEC(CField) Fields;
typedef struct FieldsOf {
    Reader *r;
    Fields fields;
} FieldsOf;

static const char *unnamed(Reader *r, int64_t at) { return arena_printf(r->a, "@%lld", (long long)at); }

// The members of an unnamed struct are members of the struct around it.
static void add_unnamed(Reader *r, Fields *out, const CType *inner, int64_t base) {
    for (int i = 0; i < inner->nfields; i++) {
        CField f = inner->fields[i];
        if (f.offset >= 0) f.offset += base;
        if (is_unnamed_field(f.name)) f.name = unnamed(r, f.offset);
        f.base += base;
        vec_push(r->a, out, f);
    }
}

// What holds a bit-field: as its type says, of which none straddles two. Its value is an int where it fits.
static void find_bits(Reader *r, CField *f, CXCursor x, long long at) {
    const CType *t = f->type;
    int width = clang_getFieldDeclBitWidth(x), whole = (int)(8 * t->bytes);
    bool taken = t->kind == CT_SCALAR && type_is_int(t->scalar) && t->bytes <= 4 && !t->is_volatile &&
                 !t->is_atomic && width > 0 && at >= 0 && at % whole + width <= whole;
    for (int i = 0; i < r->u->nflags; i++) taken &= !str_has_prefix(r->u->flags[i], "-funsigned-bitfields");
    if (!taken) return;
    f->width = width, f->low = (int)(at % whole), f->unit = (int)t->bytes, f->base = at / whole * t->bytes;
    f->is_signed = type_is_signed(t->scalar);
    if (t->scalar == T_BOOL) return;
    CType *value = NEW(r->a, CType);
    bool full = width == 32 && !f->is_signed;
    *value = (CType){.kind = CT_SCALAR, .text = full ? "unsigned" : "int", .scalar = full ? T_U32 : T_I32,
                     .bytes = 4, .is_const = t->is_const};
    f->type = value;
}

static void set_unit(CField *f, int64_t base, int unit) {
    f->low += (int)(8 * (f->base - base));
    f->base = base, f->unit = unit;
}

// Numbers that overlap lie in each other: the larger one holds the bit-fields of both.
static void join_units(CField *f, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            bool in = f[i].width && f[k].width && f[i].unit < f[k].unit && f[i].base >= f[k].base &&
                      f[i].base < f[k].base + f[k].unit;
            if (in) set_unit(&f[i], f[k].base, f[k].unit);
        }
}

// The least number that holds the bits of f.
static void narrow_unit(CField *f) {
    for (int unit = f->unit / 2; unit > 0; unit /= 2) {
        int64_t bit = 8 * f->base + f->low, base = bit / (8 * unit) * unit;
        if (bit + f->width > 8 * (base + unit)) return;
        set_unit(f, base, unit);
    }
}

// Who writes a bit-field writes the number around it: no other member may stand there.
static bool stands_alone(const CField *f, const CField *all, int n, int64_t bytes) {
    bool alone = f->base + f->unit <= bytes;
    for (int k = 0; k < n; k++) {
        const CField *g = &all[k];
        bool apart = g->offset + g->type->bytes <= f->base || f->base + f->unit <= g->offset;
        alone &= g->offset < 0 || apart;
    }
    return alone;
}

static void find_units(CField *f, int n, int64_t bytes) {
    bool alone = true;
    join_units(f, n);
    for (int i = 0; i < n; i++) alone &= !f[i].width || stands_alone(&f[i], f, n, bytes);
    for (int i = 0; i < n && !alone; i++)
        if (f[i].width) narrow_unit(&f[i]);
    join_units(f, n);
    for (int i = 0; i < n; i++)
        if (!stands_alone(&f[i], f, n, bytes)) f[i].width = 0;
}

static enum CXVisitorResult add_field(CXCursor x, CXClientData arg) {
    FieldsOf *of = arg;
    Reader *r = of->r;
    Cursors sizes = {0};
    CField f = {.name = read_string(r, clang_getCursorSpelling(x)),
                .type = read_type(r, clang_getCursorType(x), &sizes)};
    long long bits = clang_Cursor_getOffsetOfField(x);
    bool part = clang_Cursor_isBitField(x);
    f.offset = part || bits < 0 || bits % 8 ? -1 : bits / 8;
    if (part && !f.name[0]) return CXVisit_Continue; // what is between the others
    if (part) find_bits(r, &f, x, bits);
    CXCursor record = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(x)));
    bool no_name =
        f.type->kind == CT_RECORD && f.offset >= 0 && clang_Cursor_isAnonymousRecordDecl(record);
    if (no_name && f.type->is_union) f.name = unnamed(r, f.offset);
    if (no_name && !f.type->is_union) add_unnamed(r, &of->fields, f.type, f.offset);
    else vec_push(r->a, &of->fields, f);
    return CXVisit_Continue;
}

// Do the bytes of its members stand in the other order, as attributes, a pragma and an option of gcc's have
// it?
static bool is_swapped(Reader *r, CXCursor decl) {
    static const char *const other =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "order big-endian" : "order little-endian";
    if (r->language != LANGUAGE_C) return false;
    Cursors kids = children(r, decl);
    bool swapped = r->c->swapped || strstr(r->u->text, "pragma scalar_storage_order");
    for (int i = 0; i < kids.n; i++)
        swapped |= clang_getCursorKind(kids.at[i]) == CXCursor_AnnotateAttr &&
                   str_eq(read_string(r, clang_getCursorSpelling(kids.at[i])), other);
    return swapped;
}

static void fill_record(Reader *r, CType *t, CXType from) {
    CXCursor decl = clang_getTypeDeclaration(from);
    bool class = r->language == LANGUAGE_CUDA && clang_getCursorKind(decl) == CXCursor_ClassDecl;
    bool swapped = is_swapped(r, decl);
    FieldsOf of = {.r = r};
    t->is_union = r->language == LANGUAGE_C && clang_getCursorKind(decl) == CXCursor_UnionDecl;
    if ((clang_getCursorKind(decl) != CXCursor_StructDecl && !class && !t->is_union) || swapped) {
        t->is_union = false;
        t->kind = CT_OTHER;
        if (swapped) t->text = arena_printf(r->a, "%s, with its bytes in another order", t->text);
        return;
    }
    t->kind = CT_RECORD;
    // a lambda's body names the variables themselves
    bool lambda = class && str_has_prefix(t->text, "(lambda at ");
    if (!lambda) clang_Type_visitFields(from, add_field, &of);
    t->nfields = of.fields.n;
    t->fields = of.fields.at;
    if (!t->is_union) find_units(t->fields, t->nfields, clang_Type_getSizeOf(from));
}

// The sizes of one declarator, taken innermost first.
typedef struct Taking {
    const Cursors *sizes;
    int next;
} Taking;

// What a lane may move at once of a record whose author aligned it: 0, or a power of two up to 16.
static int packed_bytes(const CType *t, long long align) {
    int64_t natural = 1;
    for (int i = 0; i < t->nfields; i++) {
        const CType *f = t->fields[i].type;
        while (f->kind == CT_ARRAY) f = f->of;
        int64_t own = f->kind == CT_RECORD ? f->packed : f->bytes;
        if (f->kind == CT_RECORD && !own) own = 1;
        if (own > natural) natural = own;
    }
    if (align <= natural || align < 2 || (align & (align - 1))) return 0;
    return align < 16 ? (int)align : 16;
}

static const CType *type_inside(Reader *r, CXType t, Taking *take);

static const CType size_type = {.kind = CT_SCALAR, .text = "long", .scalar = T_I64, .bytes = 8};

static Ast *array_size(Reader *r, CXType t, Taking *take) {
    bool have = take->sizes && take->next < take->sizes->n;
    CXCursor written = have ? take->sizes->at[take->next++] : clang_getNullCursor();
    if (t.kind == CXType_ConstantArray) {
        Ast *n = NEW(r->a, Ast);
        n->kind = A_INT;
        n->type = &size_type;
        n->i = clang_getArraySize(t);
        return n;
    }
    return t.kind == CXType_VariableArray && have ? read_expr(r, written) : NULL;
}

static const CType *array_of(Reader *r, CType *t, CXType from, Taking *take) {
    t->kind = CT_ARRAY;
    t->of = type_inside(r, clang_getArrayElementType(from), take);
    t->size = array_size(r, from, take);
    return t;
}

// Two numbers, side by side.
static void fill_complex(Reader *r, CType *t, CXType from) {
    const CType *part = read_type(r, clang_getElementType(from), NULL);
    bool floats = part->kind == CT_SCALAR && type_is_float(part->scalar);
    t->kind = floats ? CT_RECORD : CT_OTHER;
    if (!floats) return;
    t->is_complex = true;
    t->nfields = 2;
    t->fields = NEW_N(r->a, CField, 2);
    t->fields[0] = (CField){.name = "re", .type = part};
    t->fields[1] = (CField){.name = "im", .type = part, .offset = part->bytes};
}

static const CType *word_of(Reader *r, Type t) {
    return NEW_AS(r->a, CType, (CType){.kind = CT_SCALAR, .text = t == T_I64 ? "long" : "unsigned long",
                                       .scalar = t, .bytes = 8});
}

// __int128, the low word first.
static void fill_wide(Reader *r, CType *t, bool is_signed) {
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && r->language == LANGUAGE_C;
    t->kind = little ? CT_RECORD : CT_OTHER;
    if (!little) return;
    t->is_wide = true;
    t->nfields = 2;
    t->fields = NEW_N(r->a, CField, 2);
    t->fields[0] = (CField){.name = "lo", .type = word_of(r, T_U64)};
    t->fields[1] = (CField){.name = "hi", .type = word_of(r, is_signed ? T_I64 : T_U64), .offset = 8};
}

static void fill(Reader *r, CType *t, CXType from, Taking *take) {
    switch (from.kind) {
    case CXType_Int128: fill_wide(r, t, true); return;
    case CXType_UInt128: fill_wide(r, t, false); return;
    case CXType_Complex: fill_complex(r, t, from); return;
    case CXType_Void: t->kind = CT_VOID; return;
    case CXType_Pointer:
        t->kind = CT_POINTER;
        t->is_local = r->language == LANGUAGE_OPENCL &&
                      clang_getAddressSpace(clang_getPointeeType(from)) == 2;
        t->of = type_inside(r, clang_getPointeeType(from), take);
        return;
    case CXType_ConstantArray: case CXType_VariableArray: case CXType_IncompleteArray:
        array_of(r, t, from, take);
        return;
    case CXType_Record: fill_record(r, t, from); return;
    case CXType_LValueReference: case CXType_RValueReference:
        t->kind = CT_POINTER;
        t->is_reference = true;
        t->of = type_inside(r, clang_getPointeeType(from), take);
        return;
    case CXType_Vector: case CXType_ExtVector:
        // Compilers' vectors in C add and compare as a whole, and are no kernel's float4.
        if (r->language == LANGUAGE_C || !kernel_vector(r, t, from)) t->kind = CT_OTHER;
        return;
    case CXType_FunctionProto: case CXType_FunctionNoProto:
        t->kind = CT_FUNCTION;
        t->of = read_type(r, clang_getResultType(from), NULL);
        return;
    case CXType_Half: case CXType_Float16: // OpenCL's half: its bits are what moves
        t->kind = r->language == LANGUAGE_OPENCL ? CT_SCALAR : CT_OTHER;
        t->scalar = r->language == LANGUAGE_OPENCL ? T_U16 : T_NONE;
        r->u->has_half |= r->language == LANGUAGE_OPENCL;
        return;
    default:
        t->scalar = scalar_type(from);
        t->kind = t->scalar == T_NONE ? CT_OTHER : CT_SCALAR;
    }
}

// Through names for types, but never past the sizes that they hide.
static CXType without_sugar(CXType t) {
    for (int depth = 0; depth < 64; depth++) {
        if (t.kind == CXType_Elaborated) t = clang_Type_getNamedType(t);
        else if (t.kind == CXType_Attributed) t = clang_Type_getModifiedType(t);
        else break;
    }
    return t;
}

static bool is_array_kind(CXType t) {
    return t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray ||
           t.kind == CXType_IncompleteArray;
}

static bool has_variable_size(CXType t) {
    t = clang_getCanonicalType(t);
    for (;;) {
        if (t.kind == CXType_VariableArray) return true;
        if (is_array_kind(t)) t = clang_getArrayElementType(t);
        else if (t.kind == CXType_Pointer) t = clang_getPointeeType(t);
        else return false;
    }
}

static void qualify(Reader *r, CType *t, CXType from) {
    CXType plain = clang_getCanonicalType(from);
    t->is_const = clang_isConstQualifiedType(plain);
    t->is_volatile = clang_isVolatileQualifiedType(plain);
    if (t->is_volatile && r->language != LANGUAGE_C) {
        r->u->volatiles = true;
        t->is_volatile = false;
    }
    if (plain.kind == CXType_Atomic) t->is_atomic = true;
}

static const CType *type_inside(Reader *r, CXType t, Taking *take) {
    CXType bare = without_sugar(t), plain = clang_getCanonicalType(t);
    bool refers = plain.kind == CXType_LValueReference || plain.kind == CXType_RValueReference;
    if (refers && clang_isConstQualifiedType(clang_getPointeeType(plain)))
        return type_inside(r, clang_getUnqualifiedType(clang_getPointeeType(plain)), take); // as a value
    bool variable = has_variable_size(plain);
    uint64_t key = (uint64_t)(uintptr_t)plain.data[0];
    bool no_type = plain.kind == CXType_Unexposed || plain.kind == CXType_Dependent ||
                   plain.kind == CXType_Overload || plain.kind == CXType_Invalid ||
                   plain.kind == CXType_MemberPointer;
    if (r->language != LANGUAGE_C && no_type) { // of methods and the like: libclang can't be asked its size
        CType *n = NEW_AS(r->a, CType, (CType){.kind = CT_OTHER, .text = "a type of C++", .bytes = -1});
        return n;
    }
    if (!variable) { // sizes written here belong to this type; it is found by its name
        for (CXType in = plain; take && is_array_kind(in); in = clang_getArrayElementType(in))
            if (take->sizes && take->next < take->sizes->n) take->next++;
        const CType *known = map_get(&r->types, key);
        if (known) return known;
    } else if (bare.kind == CXType_Typedef) {
        CXCursor decl = clang_getTypeDeclaration(bare);
        Cursors sizes = expressions(r, decl);
        return read_type(r, clang_getTypedefDeclUnderlyingType(decl), &sizes);
    }
    CType *n = NEW(r->a, CType);
    if (!variable) map_put(r->a, &r->types, key, n); // before its parts, which may name it
    // one type for all names that it has: none of them is that of the next who uses it
    bool builtin = plain.kind >= CXType_FirstBuiltin && plain.kind <= CXType_LastBuiltin;
    n->text = read_string(r, clang_getTypeSpelling(builtin && r->language == LANGUAGE_C ? plain : t));
    n->bytes = plain.kind == CXType_VariableArray ? -1 : clang_Type_getSizeOf(plain);
    if (n->bytes < 0) n->bytes = -1;
    qualify(r, n, t);
    bool keeps_sizes = variable && (is_array_kind(bare) || bare.kind == CXType_Pointer);
    CXType shape = keeps_sizes ? bare : plain;
    if (plain.kind == CXType_Atomic) shape = clang_getCanonicalType(clang_Type_getValueType(plain));
    Taking none = {0};
    fill(r, n, shape, variable && take ? take : &none);
    if (n->kind == CT_RECORD && r->language != LANGUAGE_C)
        n->packed = packed_bytes(n, clang_Type_getAlignOf(plain));
    return n;
}

const CType *read_type(Reader *r, CXType t, const Cursors *sizes) {
    Taking take = {.sizes = sizes};
    return type_inside(r, t, &take);
}

const CType *type_pointer_to(Reader *r, const CType *of) {
    CType *t = NEW(r->a, CType);
    t->kind = CT_POINTER;
    t->of = of;
    t->bytes = (int64_t)sizeof(void *);
    t->text = arena_printf(r->a, "%s *", of->text ? of->text : "?");
    return t;
}

bool type_same(const CType *x, const CType *y, bool strict) {
    for (;; x = x->of, y = y->of) {
        if (x == y) return true;
        if (!x || !y || x->kind != y->kind) return false;
        if (x->kind == CT_SCALAR) return x->scalar == y->scalar;
        if (x->kind == CT_VOID) return true;
        if (x->kind == CT_ARRAY) {
            bool constant = x->size && y->size && x->size->kind == A_INT && y->size->kind == A_INT;
            if (constant ? x->size->i != y->size->i : strict) return false;
        } else if (x->kind == CT_RECORD) {
            return x->fields == y->fields ||
                   (x->bytes == y->bytes && x->is_complex == y->is_complex && x->nfields == y->nfields &&
                    x->nfields && str_eq(x->fields[0].name, y->fields[0].name));
        } else if (x->kind != CT_POINTER) {
            return false;
        }
    }
}

// ---- declarations ----------------------------------------------------------------------
static bool is_function(CXCursor x) {
    enum CXCursorKind k = clang_getCursorKind(x);
    return k == CXCursor_FunctionDecl || k == CXCursor_CXXMethod || k == CXCursor_ConversionFunction;
}

static bool is_method(CXCursor x) {
    return is_function(x) && clang_getCursorKind(x) != CXCursor_FunctionDecl && !clang_CXXMethod_isStatic(x);
}

// `this` as a parameter.
static Decl *self_of(Reader *r, CXCursor method) {
    Decl *d = NEW(r->a, Decl);
    CXType record = clang_getCursorType(clang_getCursorSemanticParent(method));
    *d = (Decl){.kind = D_PARAM, .name = "self", .type = type_pointer_to(r, read_type(r, record, NULL)),
                .loc = read_loc(r, clang_getCursorLocation(method))};
    return d;
}

// clang has no cursor for the attribute, and macros and #pragma weak may say it, too; clang prints what came
// of them.
static bool is_weak(Reader *r, CXCursor x) {
    CXPrintingPolicy p = clang_getCursorPrintingPolicy(x);
    clang_PrintingPolicy_setProperty(p, CXPrintingPolicy_TerseOutput, 1);
    const char *text = read_string(r, clang_getCursorPrettyPrinted(x, p));
    clang_PrintingPolicy_dispose(p);
    return strstr(text, "((weak))") || strstr(text, "#pragma weak");
}

static void read_function(Reader *r, Decl *d, CXCursor x) {
    CXCursor def = clang_getCursorDefinition(x);
    bool defined = !clang_Cursor_isNull(def);
    if (defined) x = def;
    d->kind = D_FUNCTION;
    d->is_static = clang_getCursorLinkage(x) == CXLinkage_Internal;
    d->is_global = true;
    d->is_library = !defined && clang_Location_isInSystemHeader(clang_getCursorLocation(x));
    d->is_const = reader_has_attribute(r, x, CXCursor_ConstAttr);
    d->is_weak = defined && !d->is_static && r->language == LANGUAGE_C && is_weak(r, x);
    int n = clang_Cursor_getNumArguments(x), self = is_method(x);
    d->nparams = (n < 0 ? 0 : n) + self;
    d->params = NEW_N(r->a, Decl *, d->nparams + 1);
    d->has_self = self;
    if (self) d->params[0] = self_of(r, x);
    for (int i = self; i < d->nparams; i++)
        d->params[i] = read_decl(r, clang_Cursor_getArgument(x, (unsigned)(i - self)));
    d->loc = read_loc(r, clang_getCursorLocation(x));
    // clang's own declaration of a builtin is no more than the name where it is used
    bool builtin =
        r->language == LANGUAGE_OPENCL && !defined &&
        clang_equalLocations(clang_getRangeStart(clang_getCursorExtent(x)), clang_getCursorLocation(x));
    if (builtin) d->loc.file = PRELUDE_PATH;
    if (defined) vec_push(r->a, &r->todo, ((Body){d, def}));
}

enum { TABLE_BYTES = 1 << 16, FEW_BYTES = 512 };

// The initial value of an array of numbers at file scope is of no use to anyone here, but for constants that
// may be subscripts, and for few other ones.
static bool is_of_no_use(CXCursor init, const CType *t) {
    bool fixed = t->is_const, small = t->bytes <= TABLE_BYTES, few = t->bytes <= FEW_BYTES;
    for (; t->kind == CT_ARRAY; t = t->of) fixed |= t->of->is_const;
    if (t->kind != CT_SCALAR || clang_getCursorKind(init) != CXCursor_InitListExpr) return false;
    return !fixed || !(type_is_int(t->scalar) ? small : few);
}

static void read_init(Reader *r, Decl *d, CXCursor x, CXCursor init) {
    if (clang_Cursor_isNull(init)) return;
    bool in_function = is_function(clang_getCursorSemanticParent(x));
    bool unread = d->is_global && !in_function && is_of_no_use(init, d->type);
    d->init = unread ? ast_new(r, A_OTHER, init) : read_expr(r, init);
    if (d->type->is_reference) d->init = kernel_address(r, d->init);
}

static void read_variable(Reader *r, Decl *d, CXCursor x) {
    bool param = clang_getCursorKind(x) == CXCursor_ParmDecl;
    d->kind = param ? D_PARAM : D_VAR;
    d->is_global = !param && clang_Cursor_hasVarDeclGlobalStorage(x) == 1;
    d->is_static = !param && clang_Cursor_getStorageClass(x) == CX_SC_Static;
    d->per_thread = !param && clang_getCursorTLSKind(x) != CXTLS_None;
    CXCursor def = clang_getCursorDefinition(x);
    if (!param && !clang_Cursor_isNull(def)) x = def;
    CXCursor init = param ? clang_getNullCursor() : clang_Cursor_getVarDeclInitializer(x);
    Cursors sizes = expressions(r, x);
    bool last_is_init = sizes.n && !clang_Cursor_isNull(init) &&
                        clang_equalCursors(sizes.at[sizes.n - 1], init);
    if (last_is_init) sizes.n--;
    d->type = read_type(r, clang_getCursorType(x), &sizes);
    const CType *t = d->type;
    while (t->kind == CT_ARRAY) t = t->of;
    d->is_const = t->is_const;
    read_init(r, d, x, init);
}

static bool is_redeclarable(CXCursor x) {
    return is_function(x) ||
           (clang_getCursorKind(x) == CXCursor_VarDecl &&
            clang_Cursor_hasVarDeclGlobalStorage(x) == 1);
}

Decl *read_decl(Reader *r, CXCursor x) {
    CXCursor first = is_redeclarable(x) ? clang_getCanonicalCursor(x) : x;
    uint64_t key = (uint64_t)(uintptr_t)first.data[0];
    Decl *d = map_get(&r->decls, key);
    if (d) return d;
    d = NEW(r->a, Decl);
    map_put(r->a, &r->decls, key, d);
    d->name = read_string(r, clang_getCursorSpelling(x));
    d->loc = read_loc(r, clang_getCursorLocation(x));
    if (is_function(x)) {
        d->type = read_type(r, clang_getCursorType(x), NULL);
        read_function(r, d, x);
    } else {
        read_variable(r, d, x);
    }
    if (r->language != LANGUAGE_C) kernel_mark(r, d, x);
    return d;
}
