// SPDX-License-Identifier: MIT
// cubin.c -- registers and shared memory of a kernel, read from the ELF file that holds it.
//
// A kernel is the section ".text.NAME"; in older files the upper byte of its sh_info is the number of
// registers. ".nv.info" is a list of records: a byte of format, a byte of attribute, and a value
// or a length of two bytes; attribute 0x2f holds {symbol, registers}, 0x11 {symbol, bytes of stack}.
// ".nv.shared.NAME" is as large as the kernel's shared memory. (As cuobjdump --dump-resource-usage
// prints them.)
#include "device/cubin.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

typedef struct Elf {
    const char *at;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr names;
} Elf;

static bool section(const Elf *e, int k, Elf64_Shdr *out) {
    size_t at = e->head.e_shoff + (size_t)k * sizeof *out;
    if (e->head.e_shoff > e->size || at + sizeof *out > e->size) return false;
    memcpy(out, e->at + at, sizeof *out);
    return true;
}

static bool open_elf(Elf *e) {
    if (e->size < sizeof e->head || memcmp(e->at, ELFMAG, SELFMAG) || e->at[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(&e->head, e->at, sizeof e->head);
    if (e->head.e_shentsize != sizeof(Elf64_Shdr) || !section(e, e->head.e_shstrndx, &e->names)) return false;
    return e->names.sh_offset < e->size && e->names.sh_size <= e->size - e->names.sh_offset &&
           e->names.sh_size > 0 && e->at[e->names.sh_offset + e->names.sh_size - 1] == 0;
}

static const char *name_of(const Elf *e, const Elf64_Shdr *s) {
    return s->sh_name < e->names.sh_size ? e->at + e->names.sh_offset + s->sh_name : "";
}

// The name of symbol number k.
static const char *symbol(const Elf *e, uint32_t k) {
    for (int i = 0; i < e->head.e_shnum; i++) {
        Elf64_Shdr s, strings;
        Elf64_Sym sym;
        if (!section(e, i, &s) || s.sh_type != SHT_SYMTAB || !section(e, (int)s.sh_link, &strings)) continue;
        size_t at = s.sh_offset + (size_t)k * sizeof sym;
        if (s.sh_offset > e->size || at + sizeof sym > e->size) return "";
        memcpy(&sym, e->at + at, sizeof sym);
        size_t name = strings.sh_offset + sym.st_name, end = strings.sh_offset + strings.sh_size;
        return name < end && end <= e->size && e->at[end - 1] == 0 ? e->at + name : "";
    }
    return "";
}

static void read_info(const Elf *e, const Elf64_Shdr *s, const char *kernel, KernelUsage *out) {
    enum { SIZED = 4, REGISTERS = 0x2f, FRAME = 0x11 };
    if (s->sh_offset > e->size || s->sh_size > e->size - s->sh_offset) return;
    const char *at = e->at + s->sh_offset, *end = at + s->sh_size;
    while (end - at >= 4) {
        unsigned char format = (unsigned char)at[0], attribute = (unsigned char)at[1];
        uint16_t size;
        uint32_t value[2];
        memcpy(&size, at + 2, sizeof size);
        at += 4;
        if (format != SIZED) continue;
        if (end - at < size) return;
        if (size == sizeof value && (attribute == REGISTERS || attribute == FRAME)) {
            memcpy(value, at, sizeof value);
            if (str_eq(symbol(e, value[0]), kernel)) {
                if (attribute == REGISTERS) out->registers = (int)value[1];
                else out->local = value[1];
            }
        }
        at += size;
    }
}

bool cubin_usage(const void *image, size_t size, const char *kernel, KernelUsage *out) {
    Elf e = {.at = image, .size = size};
    bool found = false;
    *out = (KernelUsage){0};
    if (!open_elf(&e)) return false;
    for (int k = 0; k < e.head.e_shnum; k++) {
        Elf64_Shdr s;
        if (!section(&e, k, &s)) return false;
        const char *name = name_of(&e, &s);
        if (str_has_prefix(name, ".text.") && str_eq(name + 6, kernel)) {
            if (s.sh_info >> 24) out->registers = (int)(s.sh_info >> 24);
            found = true;
        }
        if (str_eq(name, ".nv.info")) read_info(&e, &s, kernel, out);
        if (str_has_prefix(name, ".nv.shared.") && str_eq(name + 11, kernel))
            out->shared = (int64_t)s.sh_size;
    }
    return found && out->registers > 0;
}

// C++ names of functions without a namespace: _Z, the length of the name, the name, I and its arguments if it
// is a template's instance.
static bool is_named(const char *symbol, const char *kernel, size_t n) {
    char *end;
    if (strncmp(symbol, "_Z", 2) || symbol[2] < '1' || symbol[2] > '9') return false;
    unsigned long length = strtoul(symbol + 2, &end, 10);
    return length == n && !strncmp(end, kernel, n);
}

const char *cubin_symbol(const void *image, size_t size, const char *kernel) {
    Elf e = {.at = image, .size = size};
    const char *found = NULL;
    size_t n = strcspn(kernel, "<");
    if (!open_elf(&e)) return NULL;
    for (int k = 0; k < e.head.e_shnum; k++) {
        Elf64_Shdr s;
        if (!section(&e, k, &s)) return NULL;
        const char *name = name_of(&e, &s);
        if (!str_has_prefix(name, ".text.")) continue;
        if (str_eq(name + 6, kernel)) return name + 6;
        if (!is_named(name + 6, kernel, n)) continue;
        if (found) return NULL; // several: nobody says which
        found = name + 6;
    }
    return found;
}
