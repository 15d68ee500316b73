// SPDX-License-Identifier: MIT
// complete.c -- `sculpt help --completion bash|zsh|fish`: verbs, their options, and the values of some.
#include "driver/driver.h"
#include "model/machine.h"
#include "rule/catalogue.h"
#include <string.h>

typedef struct Option {
    const char *name, *what; // what: the rest of its line in the help text
} Option;
typedef VEC(Option) Options;

// The options of a verb's text.
static Options options_of(Arena *a, const char *verb) {
    Options v = {0};
    for (const char *s = help_text(verb); *s; s = help_next(s)) {
        size_t end = help_head(s), gap = end + strspn(s + end, " ");
        const char *what = arena_strndup(a, s + gap, strcspn(s + gap, "\n"));
        for (size_t at = 2; at < end; at += strcspn(s + at, " "), at += strspn(s + at, " "))
            if (s[at] == '-')
                vec_push(a, &v, ((Option){arena_strndup(a, s + at, strcspn(s + at, "[=,: \n")), what}));
    }
    vec_push(a, &v, ((Option){"--help", "this text"}));
    return v;
}

// ---- values --------------------------------------------------------------------------------------
static const char *rules(Arena *a) {
    Text t = text_new(a);
    for (const Rule *const *r = rule_catalogue; *r; r++) text_printf(&t, "%s%s", t.n ? " " : "", (*r)->name);
    return text_str(&t);
}

static const char *machines(Arena *a) {
    Text t = text_new(a);
    for (const char **n = machine_names(a); *n; n++) text_printf(&t, "%s%s", t.n ? " " : "", *n);
    return text_str(&t);
}

// Options whose values are words of a list, which is made, or written here.
static const struct {
    const char *option;
    const char *(*make)(Arena *a);
    const char *words;
} valued[] = {
    {"--machine", machines, NULL}, {"--why", rules, NULL}, {"--step", rules, NULL},
    {"--device", NULL, "cuda opencl cpu host"}, {"--target", NULL, "cuda opencl c gpu cpu"},
    {"--permit", NULL, "reassociate approximate fast-math unordered"}, {"--judge", NULL, "each last none"},
    {"--effort", NULL, "measure patient exhaustive"},
    {"--strategy", NULL, "model exhaustive random annealing genetic bayesian"},
    {"--show", NULL, "tree c cuda opencl all"}, {"--dump", NULL, "region nest"},
};
enum { NVALUED = sizeof valued / sizeof *valued };

static const char *values(Arena *a, int i) { return valued[i].make ? valued[i].make(a) : valued[i].words; }

static const char *values_of(Arena *a, const char *option) {
    for (int i = 0; i < NVALUED; i++)
        if (str_eq(valued[i].option, option)) return values(a, i);
    return NULL;
}

// ---- what bash and zsh share: `case` with a list of words for each value and each verb -----------------
static void put_names(int n) {
    for (int i = 0; help_names[i] && (n == 0 || i < n); i++) printf("%s%s", i ? " " : "", help_names[i]);
}

static void put_values(Arena *a) {
    for (int i = 0; i < NVALUED; i++) printf("    %s) values=\"%s\" ;;\n", valued[i].option, values(a, i));
}

static void put_verbs(Arena *a) {
    for (int i = 0; i < HELP_VERBS; i++) {
        Options v = options_of(a, help_names[i]);
        printf("    %s) options=\"", help_names[i]);
        for (int k = 0; k < v.n; k++) printf("%s%s", k ? " " : "", v.at[k].name);
        printf("\"%s%s%s ;;\n", str_eq(help_names[i], "rules") ? " values=\"" : "",
               str_eq(help_names[i], "rules") ? rules(a) : "", str_eq(help_names[i], "rules") ? "\"" : "");
    }
    fputs("    help) values=\"", stdout);
    put_names(0);
    puts("\" ;;");
}

static void put_bash(Arena *a) {
    puts("# bash completion for sculpt, made by 'sculpt help --completion bash'\n_sculpt() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
         "    [ \"$cur\" = = ] && cur= || { [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}; }\n"
         "    case $prev in");
    put_values(a);
    puts("    *) case ${COMP_WORDS[1]} in");
    put_verbs(a);
    fputs("    esac ;;\n    esac\n    [ \"$COMP_CWORD\" = 1 ] && options= values=\"help --version ", stdout);
    put_names(HELP_VERBS);
    puts("\"\n    COMPREPLY=()\n"
         "    [[ -z $values && $cur != -* ]] || COMPREPLY=($(compgen -W \"$values $options\" -- \"$cur\"))\n"
         "}\ncomplete -o default -F _sculpt sculpt");
}

static void put_zsh(Arena *a) {
    puts("#compdef sculpt\n# made by 'sculpt help --completion zsh'\n_sculpt() {\n"
         "    local prev=${words[CURRENT-1]} options= values=\n"
         "    [[ $PREFIX == --*=* ]] && prev=${PREFIX%%=*} && compset -P '*='\n    case $prev in");
    put_values(a);
    puts("    *) case ${words[2]} in");
    put_verbs(a);
    fputs("    esac ;;\n    esac\n    (( CURRENT == 2 )) && options= values=\"help --version ", stdout);
    put_names(HELP_VERBS);
    puts("\"\n    [[ -n $values ]] && compadd -- ${=values}\n    [[ $PREFIX == -* ]] && compadd -- "
         "${=options}\n"
         "    [[ -n $values ]] || _files\n}\n_sculpt \"$@\"");
}

// ---- fish: a line for each word, with what the help says of it --------------------------------------------
static void put_fish_text(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (strchr("'\\", *text)) putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void put_fish_verb(Arena *a, const char *verb) {
    Options v = options_of(a, verb);
    for (int i = 0; i < v.n; i++) {
        const char *name = v.at[i].name, *of = values_of(a, name);
        bool is_long = str_has_prefix(name, "--");
        printf("complete -c sculpt -n '__fish_seen_subcommand_from %s' -%s %s -d ", verb, is_long ? "l" : "o",
               name + 1 + is_long);
        put_fish_text(v.at[i].what);
        printf(of ? " -x -a '%s'\n" : "\n", of);
    }
}

static void put_fish(Arena *a) {
    puts("# fish completion for sculpt, made by 'sculpt help --completion fish'");
    for (const char *s = help_text("sculpt"); *s; s = help_next(s)) {
        size_t end = help_head(s), gap = end + strspn(s + end, " ");
        if (!end || s[2] == '-') continue;
        printf("complete -c sculpt -n __fish_use_subcommand -a %.*s -d ", (int)end - 2, s + 2);
        put_fish_text(arena_strndup(a, s + gap, strcspn(s + gap, "\n")));
        putchar('\n');
    }
    for (int i = 0; i < HELP_VERBS; i++) put_fish_verb(a, help_names[i]);
    printf("complete -c sculpt -n '__fish_seen_subcommand_from rules' -f -a '%s'\n"
           "complete -c sculpt -n '__fish_seen_subcommand_from help' -f -a '", rules(a));
    put_names(0);
    puts("'");
}

int help_complete(const char *shell) {
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    static void (*const put[])(Arena *a) = {put_bash, put_zsh, put_fish};
    Arena *a = arena_new();
    int i = 0;
    while (shells[i] && !str_eq(shells[i], shell)) i++;
    if (shells[i]) put[i](a);
    else
        usage_error("help", "--completion takes bash, zsh or fish, not '%s'%s", shell,
                    word_meant(a, shell, shells));
    arena_free(a);
    return shells[i] ? 0 : 2;
}
