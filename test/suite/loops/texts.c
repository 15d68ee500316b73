// device 6
// texts.c -- text and lists without a name of their own, looked up by subscripts.
#include "../suite.h"
enum { N = 500 };
static signed char c[N];
static int f[N];

static void show(const char *name) {
    for (int i = 0; i < N; i++) f[i] = c[i];
    show_ints(name, f, N);
}
static void initialised(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        static const char escaped[] = "a\"\\\n\0b\x41\377?\t\1" "2" "z";
        const unsigned char longer[20] = "q\xffw";
        char own[] = "xyzzy";
        own[2] = escaped[i % 14];
        c[i] = own[i % 5] + longer[i % 20];
    }
}
static void digits(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = "0123456789abcdef"[i & 15] ^ *"x";
}
static void escaped(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = "a\"\\\n\0b\x41\377?\t\1" "2" "z"[i % 14];
}
static void chosen(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) {
        const char *word = i % 2 ? "even" : "odd!";
        c[i] = word[i % 4];
    }
}
static void wide(void) {
#pragma sculpt
    for (int i = 0; i < N; i++) f[i] = L"wide\x1234"[i % 6] + u8"\xc3\xa9"[i % 3];
}
static void lists(void) {
#pragma sculpt
    for (int i = 0; i < N; i++)
        f[i] = (int[]){1, i, 3}[i % 3] + (struct { int a[3]; }){{4, i, 6}}.a[i % 3] + *(const int[]){i};
}
int main(void) {
    initialised(), show("initialised");
    digits(), show("digits");
    escaped(), show("escaped");
    chosen(), show("chosen");
    wide(), show_ints("wide", f, N);
    lists(), show_ints("lists", f, N);
    return 0;
}
