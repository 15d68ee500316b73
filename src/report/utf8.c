// SPDX-License-Identifier: MIT
// utf8.c -- paths and lines of source may hold any bytes; documents hold characters.
#include "report/report.h"

int text_character(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    if (*s < 0x80) return *s == '\n' || *s == '\t' || (*s >= 0x20 && *s != 0x7f);
    int n = *s >= 0xf0 && *s < 0xf5 ? 4 : *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xc2 && *s < 0xe0 ? 2 : 0;
    for (int k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    if (*s == 0xc2 && s[1] < 0xa0) return 0;                                         // C1 controls
    // overlong, surrogates
    if (n == 3 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f))) return 0;
    if (n == 4 && ((*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))) return 0;
    return n;
}

const char *text_clean(Arena *a, const char *s) {
    Text t = text_new(a);
    while (*s) {
        int n = text_character(s);
        if (n) text_putn(&t, s, (size_t)n);
        else text_put(&t, "\xef\xbf\xbd");
        s += n ? n : 1;
    }
    return text_str(&t);
}
