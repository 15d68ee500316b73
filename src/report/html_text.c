// SPDX-License-Identifier: MIT
// html_text.c -- text into markup: everything that could be taken for markup is escaped.
#include "report/html.h"
#include <string.h>

void page_raw(Page *p, const char *markup) { text_put(&p->out, markup); }

void page_text(Page *p, const char *s) {
    while (s && *s) {
        int n = text_character(s);
        const char *as = !n           ? "\xef\xbf\xbd"
                         : *s == '<'  ? "&lt;"
                         : *s == '>'  ? "&gt;"
                         : *s == '&'  ? "&amp;"
                         : *s == '"'  ? "&quot;"
                         : *s == '\'' ? "&#39;"
                                      : NULL;
        if (as) text_put(&p->out, as);
        else text_putn(&p->out, s, (size_t)n);
        s += n ? n : 1;
    }
}

static void number(Page *p, const char *spec, const char *end, va_list *ap) {
    char fmt[24], out[400];
    size_t n = (size_t)(end - spec) + 1;
    if (n >= sizeof fmt) return;
    memcpy(fmt, spec, n);
    fmt[n] = 0;
    if (*end == 'd' && end[-1] == 'l') snprintf(out, sizeof out, fmt, va_arg(*ap, long long));
    else if (*end == 'u') snprintf(out, sizeof out, fmt, va_arg(*ap, size_t));
    else if (*end == 'd' || *end == 'c') snprintf(out, sizeof out, fmt, va_arg(*ap, int));
    else snprintf(out, sizeof out, fmt, va_arg(*ap, double));
    page_text(p, out);
}

void page_printf(Page *p, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    while (*fmt) {
        size_t n = strcspn(fmt, "%");
        text_putn(&p->out, fmt, n);
        fmt += n;
        if (!*fmt) break;
        const char *end = fmt + 1 + strspn(fmt + 1, "0123456789.+-lz");
        if (*end == '%') text_put(&p->out, "%");
        else if (*end == 's') page_text(p, va_arg(ap, const char *));
        else number(p, fmt, end, &ap);
        fmt = end + 1;
    }
    va_end(ap);
}

