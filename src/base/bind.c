// SPDX-License-Identifier: MIT
// bind.c -- what our libraries call by name is what their own libraries define, whatever the program calls
// its functions.
//
// ISO C leaves names like stat, read, index or sqlite3_open to the program. The linker has a program export
// each name that a library on its line defines, and the loader asks the program first:
//
//     libsculpt.so: stat ──▶ slot ──▶ the program's own        as it was loaded
//                                └──▶ libc.so's                as it is left here
//
// Only slots of libsculpt, of what it opens and of what these need are set; other libraries see the program
// as before. Three kinds of names are the program's on purpose and stay: those that C reserves to its
// implementation (_X, __x; C++'s are among them), the allocator's, which has to be one for all, and weak
// ones, with which sanitizers stand before functions.
#include "base/guest.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

// How a slot is filled with an address; elsewhere nothing is set.
#if defined __x86_64__
enum { SLOT = R_X86_64_JUMP_SLOT, ADDRESS = R_X86_64_GLOB_DAT, WORD = R_X86_64_64, COPY = R_X86_64_COPY };
#elif defined __aarch64__
enum {
    SLOT = R_AARCH64_JUMP_SLOT,
    ADDRESS = R_AARCH64_GLOB_DAT,
    WORD = R_AARCH64_ABS64,
    COPY = R_AARCH64_COPY
};
#else
enum { SLOT = -1, ADDRESS = -1, WORD = -1, COPY = -1 };
#endif

typedef struct Slots {
    const ElfW(Rela) *at;
    size_t n;
} Slots;

typedef struct Object { // what its dynamic section says
    const struct link_map *map;
    const char *strings;
    const ElfW(Sym) *symbols;
    const uint32_t *hash; // GNU's; NULL: it has none
    Slots slots[2];
    const ElfW(Half) *versions;
    const ElfW(Verneed) *needs;
} Object;

// The loader's own, as long as those names may be the program's.
static struct {
    __typeof__(dlopen) *open;
    __typeof__(dlsym) *symbol;
    __typeof__(dlvsym) *version;
    __typeof__(dl_iterate_phdr) *each;
    __typeof__(mprotect) *protect;
    __typeof__(sysconf) *conf;
} use;
static Object program; // has no map: none of its names is one of ours
static void *self;     // libsculpt

static Object object_of(const struct link_map *map) {
    Object o = {.map = map};
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)(d->d_un.d_ptr + (d->d_un.d_ptr < map->l_addr ? map->l_addr : 0));
        switch (d->d_tag) {
        case DT_STRTAB: o.strings = at; break;
        case DT_SYMTAB: o.symbols = at; break;
        case DT_GNU_HASH: o.hash = at; break;
        case DT_RELA: o.slots[0].at = at; break;
        case DT_RELASZ: o.slots[0].n = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_JMPREL: o.slots[1].at = at; break;
        case DT_PLTRELSZ: o.slots[1].n = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_VERSYM: o.versions = at; break;
        case DT_VERNEED: o.needs = at; break;
        }
    }
    return o;
}

// ---- names -------------------------------------------------------------------------------------------
// Not by strcmp: that name may be the program's, too.
static bool same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

typedef struct Hash {
    uint32_t nbuckets, first, nwords, shift;
    const ElfW(Addr) *words; // no bit: no such name
    const uint32_t *buckets, *chain;
} Hash;

static Hash hash_of(const Object *o) {
    const uint32_t *h = o->hash;
    Hash t = {.nbuckets = h[0], .first = h[1], .nwords = h[2], .shift = h[3], .words = (const void *)(h + 4)};
    t.buckets = (const uint32_t *)(t.words + t.nwords);
    t.chain = t.buckets + t.nbuckets;
    return t;
}

static const ElfW(Sym) *find(const Object *o, const char *name) {
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    uint32_t h = 5381;
    for (const char *p = name; *p; p++) h = 33 * h + (unsigned char)*p;
    if (!o->hash) return NULL;
    Hash t = hash_of(o);
    if (!t.nbuckets || !t.nwords) return NULL;
    ElfW(Addr) word = t.words[h / BITS % t.nwords];
    if (!(word >> h % BITS & word >> (h >> t.shift) % BITS & 1)) return NULL;
    for (uint32_t i = t.buckets[h % t.nbuckets]; i >= t.first && i; i++) {
        const ElfW(Sym) *s = &o->symbols[i];
        if ((t.chain[i - t.first] | 1) == (h | 1) && same(o->strings + s->st_name, name))
            return s->st_shndx == SHN_UNDEF ? NULL : s;
        if (t.chain[i - t.first] & 1) break;
    }
    return NULL;
}

// Data of a library that the program holds, so that both see the same.
static bool is_copied(const Object *o, const ElfW(Sym) *s) {
    for (size_t i = 0; i < o->slots[0].n; i++)
        if (ELF64_R_TYPE(o->slots[0].at[i].r_info) == (unsigned)COPY &&
            o->slots[0].at[i].r_offset == s->st_value)
            return true;
    return false;
}

static const char *const allocators[] = {"malloc", "calloc", "realloc", "free", "reallocarray", "memalign",
                                        "valloc", "pvalloc", "posix_memalign", "aligned_alloc",
                                        "malloc_usable_size"};
enum { NALLOCATORS = sizeof allocators / sizeof *allocators };

static bool is_allocators(const char *name) {
    for (int i = 0; i < NALLOCATORS; i++)
        if (same(name, allocators[i])) return true;
    return false;
}

// A strong definition in the program that is there for the program alone.
static bool is_own(const char *name, const ElfW(Sym) *s) {
    bool reserved = name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
    return s && ELF64_ST_BIND(s->st_info) == STB_GLOBAL && ELF64_ST_TYPE(s->st_info) != STT_TLS &&
           !reserved && !is_allocators(name) && !is_copied(&program, s);
}

// Does the program define a name that libraries of this object define, too?
static bool shares_names(void *object) {
    if (!program.hash) return false;
    Hash t = hash_of(&program);
    for (uint32_t b = 0; b < t.nbuckets; b++)
        for (uint32_t i = t.buckets[b]; i >= t.first && i; i++) {
            const ElfW(Sym) *s = &program.symbols[i];
            const char *name = program.strings + s->st_name;
            if (s->st_shndx != SHN_UNDEF && is_own(name, s) && use.symbol(object, name)) return true;
            if (t.chain[i - t.first] & 1) break;
        }
    return false;
}

// The version that an object wants of a symbol; NULL: any.
static const char *version_of(const Object *o, size_t symbol) {
    if (!o->versions || !o->needs) return NULL;
    int wanted = o->versions[symbol] & 0x7fff;
    for (const ElfW(Verneed) *n = o->needs;; n = (const void *)((const char *)n + n->vn_next)) {
        const ElfW(Vernaux) *v = (const void *)((const char *)n + n->vn_aux);
        for (int i = 0; i < n->vn_cnt; i++, v = (const void *)((const char *)v + v->vna_next))
            if ((v->vna_other & 0x7fff) == wanted) return o->strings + v->vna_name;
        if (!n->vn_next) return NULL;
    }
}

// ---- slots -------------------------------------------------------------------------------------------
typedef struct Sealed { // the part of an object that is only read once it is loaded
    ElfW(Addr) base, from, to;
} Sealed;

static int find_sealed(struct dl_phdr_info *info, size_t size, void *arg) {
    (void)size;
    Sealed *s = arg;
    for (int i = 0; info->dlpi_addr == s->base && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            s->from = s->base + info->dlpi_phdr[i].p_vaddr, s->to = s->from + info->dlpi_phdr[i].p_memsz;
    return info->dlpi_addr == s->base;
}

static void set_slot(const Object *o, void **slot, void *value) {
    Sealed s = {.base = o->map->l_addr};
    use.each(find_sealed, &s);
    ElfW(Addr) page = (ElfW(Addr))use.conf(_SC_PAGESIZE), at = (ElfW(Addr))slot / page * page;
    bool sealed = at >= s.from / page * page && at < s.to / page * page;
    if (sealed && use.protect((void *)at, page, PROT_READ | PROT_WRITE)) return;
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (sealed) use.protect((void *)at, page, PROT_READ);
}

// opens: what it opens later has to be set right as well.
static void bind_object(void *handle, bool opens) {
    Object o = object_of(handle);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < o.slots[k].n; i++) {
            const ElfW(Rela) *r = &o.slots[k].at[i];
            size_t symbol = ELF64_R_SYM(r->r_info);
            int type = (int)ELF64_R_TYPE(r->r_info);
            if (!symbol || (type != SLOT && type != ADDRESS && type != WORD)) continue;
            const char *name = o.strings + o.symbols[symbol].st_name, *version;
            bool opening = opens && same(name, "dlopen");
            if (!opening && !is_own(name, find(&program, name))) continue;
            version = version_of(&o, symbol);
            char *to = version ? use.version(handle, name, version) : use.symbol(handle, name);
            if (opening) to = (char *)library_open;
            void **slot = (void **)(o.map->l_addr + r->r_offset);
            if (to && *slot != to + r->r_addend) set_slot(&o, slot, to + r->r_addend);
        }
}

// An object and all that it needs, each once.
static void bind_all(void *handle, bool opens) {
    Arena *a = arena_new();
    VEC(void *) all = {0};
    vec_push(a, &all, handle);
    for (int i = 0; i < all.n; i++) {
        Object o = object_of(all.at[i]);
        bind_object(all.at[i], opens);
        for (const ElfW(Dyn) *d = o.map->l_ld; d->d_tag != DT_NULL; d++) {
            if (d->d_tag != DT_NEEDED) continue;
            void *needed = use.open(o.strings + d->d_un.d_val, RTLD_LAZY | RTLD_NOLOAD);
            bool again = !needed;
            for (int k = 0; k < all.n; k++) again |= all.at[k] == needed;
            if (!again) vec_push(a, &all, needed);
        }
    }
    arena_free(a);
}

// Does nobody stand before the allocator of the C library?
static bool allocates_plainly(void) {
    for (int i = 0; i < NALLOCATORS; i++)
        if (dlsym(RTLD_DEFAULT, allocators[i]) != dlsym(self, allocators[i])) return false;
    return true;
}

// What runs as it is loaded needs its slots right by then: so its own libraries are asked first. Where the C
// library's allocator has been replaced, that would give it another one than those that it shares data with.
void *library_open(const char *file, int how) {
    bool ours = file && program.map && !(how & RTLD_NOLOAD);
    void *handle = dlopen(file, ours && allocates_plainly() ? how | RTLD_DEEPBIND : how);
    if (handle && ours) bind_all(handle, true);
    return handle;
}

// ---- as libsculpt is loaded ------------------------------------------------------------------------------
// By its name in whatever library has it: none of our own calls is safe yet.
static void *of_loader(const char *name) {
    for (const struct link_map *m = _r_debug.r_map->l_next; m; m = m->l_next) {
        Object o = object_of(m);
        const ElfW(Sym) *s = find(&o, name);
        if (s && ELF64_ST_TYPE(s->st_info) == STT_FUNC) return (void *)(m->l_addr + s->st_value);
    }
    return NULL;
}

__attribute__((constructor(101))) static void bind_first(void) {
    const struct link_map *first = _r_debug.r_map, *own = first;
    while (own && own->l_ld != _DYNAMIC) own = own->l_next;
    if (!own || own == first) return; // this is the program
    use.open = of_loader("dlopen"), use.symbol = of_loader("dlsym"), use.version = of_loader("dlvsym");
    use.each = of_loader("dl_iterate_phdr"), use.protect = of_loader("mprotect");
    use.conf = of_loader("sysconf");
    if (!use.open || !use.symbol || !use.version || !use.each || !use.protect || !use.conf) return;
    self = use.open(own->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!self) return;
    program = object_of(first);
    if (shares_names(self)) bind_object(self, false), bind_all(self, false);
    else program.map = NULL;
}
