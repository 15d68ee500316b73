// SPDX-License-Identifier: MIT
// setting.c -- values of parameters: "n=4096 m=n pitch_a=n+3".
#include "rule/catalogue.h"
#include "tune/tune.h"
#include <ctype.h>
#include <string.h>

static const Setting *named(int n, const Setting *all, const char *name, size_t len) {
    for (int i = n - 1; i >= 0; i--)
        if (strlen(all[i].name) == len && strncmp(all[i].name, name, len) == 0) return &all[i];
    return NULL;
}

bool setting_value(Arena *a, int n, const Setting *all, const char *text, int64_t *v) {
    Text t = text_new(a);
    for (const char *s = text; *s;) {
        size_t len = 0;
        if (!isalpha((unsigned char)*s) && *s != '_') {
            text_putn(&t, s++, 1);
            continue;
        }
        while (isalnum((unsigned char)s[len]) || s[len] == '_') len++;
        const Setting *x = named(n, all, s, len);
        int64_t value;
        // What it names stands before it: no setting can go in circles.
        if (!x || !setting_value(a, (int)(x - all), all, x->value, &value)) return false;
        text_printf(&t, "(%lld)", (long long)value);
        s += len;
    }
    return step_int(text_str(&t), v);
}

bool settings_read(Arena *a, const char *text, SettingVec *out) {
    for (const char *s = text; *s;) {
        s += strspn(s, " ,\t\n");
        size_t len = strcspn(s, " ,\t\n");
        const char *eq = memchr(s, '=', len);
        if (!len) break;
        if (!eq || eq == s) return false;
        Setting x = {arena_strndup(a, s, (size_t)(eq - s)),
                     arena_strndup(a, eq + 1, len - (size_t)(eq + 1 - s))};
        vec_push(a, out, x);
        s += len;
    }
    return true;
}
