// SPDX-License-Identifier: MIT
// sarif.c -- findings and diagnostics as editors take them (SARIF 2.1.0).
//
// Paths are URIs: reserved characters are escaped; relative ones stay relative to where sculpt ran.
#include "report/report.h"
#include <ctype.h>
#include <jansson.h>
#include <string.h>

static const char *uri(Arena *a, const char *file) {
    Text t = text_new(a);
    for (const char *s = file ? file : ""; *s; s++) {
        unsigned char ch = (unsigned char)*s;
        if (isalnum(ch) || strchr("-._~/", ch)) text_putn(&t, s, 1);
        else text_printf(&t, "%%%02X", ch);
    }
    return text_str(&t);
}

static const char *rule_id(Arena *a, const Diag *d) { return arena_printf(a, "SC%04d", d->code); }

static json_t *location(Arena *a, Loc loc) {
    json_t *region = json_pack("{s:i, s:i}", "startLine", loc.line > 0 ? loc.line : 1, "startColumn",
                               loc.col > 0 ? loc.col : 1);
    return json_pack("{s:{s:{s:s}, s:o}}", "physicalLocation", "artifactLocation", "uri", uri(a, loc.file),
                     "region", region);
}

static json_t *finding(Arena *a, const Subject *s, const Finding *f) {
    const char *words = f->cure ? arena_printf(a, "%s. Cure: %s", f->text, f->cure) : f->text;
    return json_pack("{s:s, s:s, s:{s:s}, s:[o], s:f, s:{s:s, s:f, s:b}}", "ruleId", finding_name(f->kind),
                     "level", report_level(f), "message", "text", text_clean(a, words), "locations",
                     location(a, f->loc), "rank", 100 * f->share, "properties", "subject", s->name, "share",
                     f->share, "assumed", f->assumed);
}

static json_t *diagnostic(Arena *a, const Diag *d) {
    return json_pack("{s:s, s:s, s:{s:s}, s:[o]}", "ruleId", rule_id(a, d), "level",
                     report_diag_level(d->level), "message", "text", text_clean(a, d->text), "locations",
                     location(a, d->loc));
}

static void add_rule(json_t *rules, const char *id, const char *what) {
    for (size_t i = 0; i < json_array_size(rules); i++)
        if (str_eq(json_string_value(json_object_get(json_array_get(rules, i), "id")), id)) return;
    json_array_append_new(rules, json_pack("{s:s, s:{s:s}}", "id", id, "shortDescription", "text",
                                           what && *what ? what : id));
}

json_t *report_sarif(const Report *r) {
    json_t *results = json_array(), *rules = json_array();
    for (int k = 0; k < FIND_KINDS; k++)
        add_rule(rules, finding_name((FindingKind)k), finding_name((FindingKind)k));
    for (int i = 0; i < r->subjects.n; i++) {
        const Subject *s = r->subjects.at[i];
        for (int k = 0; s->now && k < s->now->findings.n; k++)
            json_array_append_new(results, finding(r->a, s, &s->now->findings.at[k]));
    }
    for (int i = 0; i < r->ndiags; i++) {
        add_rule(rules, rule_id(r->a, &r->diags[i]), diag_explain(r->diags[i].code));
        json_array_append_new(results, diagnostic(r->a, &r->diags[i]));
    }
    json_t *driver =
        json_pack("{s:s, s:s, s:o}", "name", "sculpt", "semanticVersion", "0.1.0", "rules", rules);
    return json_pack("{s:s, s:s, s:[{s:{s:o}, s:s, s:o}]}", "version", "2.1.0", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "runs", "tool", "driver", driver,
                     "columnKind", "utf16CodeUnits", "results", results);
}
