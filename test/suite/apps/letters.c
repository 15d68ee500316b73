// device 6
// letters.c -- what <ctype.h> makes of characters: functions that look into the C library's tables.
#include "../suite.h"
#include <ctype.h>

static void upper(int n, char *s) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) s[i] = toupper((unsigned char)s[i]);
}
static int letters(int n, const char *s) {
    int c = 0;
#pragma omp parallel for reduction(+ : c)
    for (int i = 0; i < n; i++)
        if (isalpha((unsigned char)s[i])) c++;
    return c;
}
static int words(int n, const signed char *s) { // subscripts below 0, too
    int c = 0;
#pragma omp parallel for reduction(+ : c)
    for (int i = 1; i < n; i++) c += isspace(s[i - 1]) && !isspace(s[i]);
    return c;
}
static void count(int n, const char *s, int *of) {
#pragma scop
    for (int i = 0; i < n; i++)
        if (isalpha((unsigned char)s[i])) of[tolower((unsigned char)s[i]) - 'a']++;
#pragma endscop
}
static void turned(int n, const char *s, char *to) { // by 13 letters
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char c = s[i];
        if (isupper((unsigned char)c)) c = 'A' + (c - 'A' + 13) % 26;
        else if (islower((unsigned char)c)) c = 'a' + (c - 'a' + 13) % 26;
        to[i] = c;
    }
}
static int alike(int n, const char *s, const char *t) { // but for case
    int differ = 0;
#pragma omp parallel for reduction(| : differ)
    for (int i = 0; i < n; i++) differ |= tolower((unsigned char)s[i]) != tolower((unsigned char)t[i]);
    return !differ;
}

int main(void) {
    enum { N = 3001 };
    static char s[N], t[N];
    int of[26] = {0};
    for (int i = 0; i < N; i++) s[i] = (char)(i * 7919u >> 3);
    printf("letters %d, words %d\n", letters(N, s), words(N, (signed char *)s));
    for (int i = 0; i < N; i++) s[i] = (char)((i * 7919u >> 3) % 127);
    printf("letters %d, words %d\n", letters(N, s), words(N, (signed char *)s));
    count(N, s, of), show_ints("count", of, 26);
    turned(N, s, t);
    for (int i = 0; i < N; i += 211) printf("%d ", t[i]);
    memcpy(t, s, N);
    upper(N, s);
    printf("\nalike %d", alike(N, s, t));
    t[17] = '!';
    printf(" %d\n", alike(N, s, t));
    for (int i = 0; i < N; i += 311) printf("%d ", s[i]);
    printf("\n");
    return 0;
}
