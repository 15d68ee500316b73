// SPDX-License-Identifier: MIT
// make_table.c -- reads blas.def.
#include "table.h"

Routine routines[300];
int n_routines;

void die(const char *what, const char *where) {
    fprintf(stderr, "blas.def: %s: %s\n", what, where);
    exit(1);
}

static Sort sort_of(const char *name, const char *suffix) {
    static const char *const letters[] = {"trans", "transa", "transb", "uplo", "diag", "side"};
    static const char *const sizes[] = {"m", "n", "k", "kl", "ku"};
    if (!strcmp(suffix, "p") || !strcmp(name, "ap")) return POINTER;
    if (*suffix || !strcmp(name, "alpha") || !strcmp(name, "beta")) return NUMBER;
    for (int i = 0; i < 6; i++)
        if (!strcmp(name, letters[i])) return LETTER;
    for (int i = 0; i < 5; i++)
        if (!strcmp(name, sizes[i])) return SIZE;
    if (!strncmp(name, "inc", 3)) return STEP;
    if (!strncmp(name, "ld", 2)) return ROWS;
    return MATRIX;
}

static Arg read_arg(char *word) {
    Arg a = {.type = 't', .is_written = *word == '+'};
    word += a.is_written;
    char *any = strchr(word, '~');
    a.is_any = any;
    if (any) *any = 0;
    char *bracket = strchr(word, '['), *equals = strchr(word, '='), *dot = strchr(word, '.');
    if (bracket) {
        *bracket++ = 0;
        bracket[strlen(bracket) - 1] = 0;
        a.sort = VECTOR;
        strcpy(a.expr, bracket);
    } else if (equals) {
        *equals++ = 0;
        a.sort = ROWS;
        strcpy(a.expr, equals);
    } else {
        if (dot) *dot++ = 0;
        a.sort = sort_of(word, dot ? dot : "");
        if (a.sort == NUMBER && dot) a.type = *dot;
    }
    if (strlen(word) >= sizeof a.name) die("a long name", word);
    strcpy(a.name, word);
    return a;
}

int find_arg(const Row *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->arg[i].name, name)) return i;
    die("no such argument", name);
    return -1;
}

static void add_routine(const Row *r, char letter, const char *name) {
    Routine *t = &routines[n_routines++];
    t->row = r;
    t->letter = letter;
    int n = 0;
    for (; *name && *name != '*' && n < 15; name++) t->name[n++] = *name == '%' ? letter : *name;
}

static void read_row(char *line) {
    Row *r = calloc(1, sizeof *r);
    char *part[4] = {0};
    int parts = 0;
    for (char *p = strtok(line, ":"); p && parts < 4; p = strtok(NULL, ":")) part[parts++] = p;
    // A colon of an expression `c?a:b` has been cut, too: they are written with a semicolon here.
    if (parts < 3) die("a row has three or four parts", line);
    r->has_order = parts == 4;
    char *save, *names = part[0];
    bool has_result = false;
    for (char *w = strtok_r(part[1], " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        if (!strcmp(w, "->")) has_result = true;
        else if (has_result) r->result = *w;
        else r->arg[r->n++] = read_arg(w);
    }
    if (r->has_order) {
        int n = 0;
        for (char *w = strtok_r(part[2], " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
            r->turned[n] = *w == '^';
            r->row[n++] = find_arg(r, w + (*w == '^'));
        }
        if (n != r->n) die("the row-major order lacks arguments", part[0]);
    }
    char *words = part[parts - 1], *first = strtok_r(words, " \n", &save);
    snprintf(r->operations, sizeof r->operations, "%s", first ? first : "");
    for (char *w = strtok_r(NULL, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        if (!strcmp(w, "batched")) r->is_batched = true;
        else if (!strncmp(w, "room=", 5)) snprintf(r->room, sizeof r->room, "%s", w + 5);
        else die("a word behind the operations", w);
    }
    const char *letters = NULL;
    for (char *w = strtok_r(names, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        r->is_extra |= w[strlen(w) - 1] == '*';
        if (*w == '[') add_routine(r, w[1], w + 3);
        else if (!letters) letters = w;
        else
            for (const char *l = letters; *l; l++) add_routine(r, *l, w);
    }
}

// A row ends where the next line does not begin with a blank.
void read_all(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) die("cannot be read", path);
    static char row[2000], line[400];
    bool inside = false; // an expression's colon stands behind a question mark
    while (true) {
        bool more = fgets(line, sizeof line, f);
        if (more && (*line == '#' || *line == '\n')) continue;
        if ((!more || *line != ' ') && *row) {
            read_row(row);
            *row = 0;
        }
        if (!more) break;
        for (char *c = line; *c; c++) {
            if (*c == '?') inside = true;
            else if (*c == ':' && inside && c[1] != ' ') *c = ';', inside = false;
        }
        if (strlen(row) + strlen(line) >= sizeof row) die("a long row", line);
        strcat(row, line);
    }
    fclose(f);
}

const char *expr_of(const char *text) {
    static char buffer[80];
    snprintf(buffer, sizeof buffer, "%s", text);
    for (char *c = buffer; *c; c++)
        if (*c == ';') *c = ':';
    return buffer;
}

bool has_arg(const Row *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->arg[i].name, name)) return true;
    return false;
}
