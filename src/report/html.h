// SPDX-License-Identifier: MIT
// html.h -- the page's parts. One file, no script, no network: the style and all pictures are inline.
//
// What is printed by page_printf is markup in the format and text in the arguments: every %s is
// escaped, so no name, path or line of source can become markup. page_raw is for literals alone.
#ifndef SCULPT_REPORT_HTML_H
#define SCULPT_REPORT_HTML_H
#include "model/maps.h"
#include "report/report.h"

typedef struct Page {
    Arena *a;
    Text out;
    const Report *r;
    int subject;                  // number of the subject that is being printed; part of its anchors
    int *nlines;                  // of each source, and one
    bool **shown;                 // which of its lines stand on the page, by number
    bool measured;                // times are, for all that the foot says
    int nsvg;                     // pictures so far: their titles need names
} Page;

// ---- html.c: the head, up to the line "on MACHINE" of the page's header, and the foot
void page_begin(Page *p, const char *verb, const char *title, const char *machine);
void page_end(Page *p);

// ---- html_text.c
void page_raw(Page *p, const char *markup);
void page_text(Page *p, const char *text);                   // escaped; NULL is nothing
// Knows %s (escaped), %c, %d, %lld, %zu and %g, %f with widths and precisions, %%.
void page_printf(Page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// ---- html_code.c: C and its kin, with comments, words and literals marked
void page_code(Page *p, const char *text, size_t n, bool *in_comment);
void page_listing(Page *p, const char *text, const char *label);      // a block of its own

// ---- sections, each under a heading
typedef struct Section {
    const char *id, *title;
    bool (*has)(const Report *r, const Subject *s);
    void (*put)(Page *p, const Subject *s);
} Section;
void page_source(Page *p);                                   // html_source.c
void page_place(Page *p, Loc loc);                           // with a link, if its line is shown
void page_findings(Page *p, const Subject *s);
bool has_ladder(const Report *r, const Subject *s);          // html_ladder.c
void page_ladder(Page *p, const Subject *s);
void page_fix(Page *p, const Subject *s);
bool has_nest(const Report *r, const Subject *s);            // html_kernel.c
void page_glance(Page *p);                                   // a line for each subject
void page_summary(Page *p, const Subject *s);
void page_time(Page *p, const Subject *s);
void page_parts(Page *p, const KernelCost *k, const TimeCost *t); // what each part of the machine would take
void page_occupancy(Page *p, const Subject *s);
void page_accesses(Page *p, const Subject *s);
void page_kernels(Page *p, const Subject *s);                // html_facts.c
void page_facts(Page *p, const Subject *s);
void page_machine(Page *p);

// ---- pictures. Units are those of the viewBox; text in them is read on phones, so boxes are narrow.
// Begins a picture with a title and a description for those who don't see it.
void svg_begin(Page *p, const char *class, double width, double height, const char *title,
               const char *description);
void svg_end(Page *p);
typedef struct Axis {
    double lo, hi;                // values at the ends
    double from, to;              // units there
    bool log;
} Axis;
double axis_at(const Axis *x, double value);                 // clamped to the ends
const char *axis_text(Arena *a, double v);  // "10 G"
int axis_ticks(const Axis *x, double *out, int max);         // decades, or round steps
void svg_roofline(Page *p, const Subject *s);                // svg_roofline.c
void svg_curve(Page *p, const KernelCost *k, const TimeCost *t, OccupancyKnob knob); // svg_occupancy.c
void svg_banks(Page *p, const BankMap *b, const char *title);                        // svg_banks.c
void svg_request(Page *p, const AccessCost *c);              // a small one: sectors, or words a bank
void svg_launches(Page *p, const NestCost *n);               // svg_launches.c
#endif
