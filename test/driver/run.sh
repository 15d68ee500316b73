#!/bin/sh
# The compiler driver as build systems use it.  test/driver/run.sh SCULPT
#
# Each check compiles small programs with `sculpt cc` and compares what it leaves behind with
# what a C compiler leaves. Needs no device: regions may run anywhere.
sculpt=$(realpath "$1") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir tmp one two
export TMPDIR="$work/tmp" SCULPT_CACHE_DIR="$work"
bad=0
check() { # name, status of the check
    if [ "$2" -ne 0 ]; then
        echo "FAIL driver: $1"
        bad=$((bad + 1))
    fi
}
cc() { timeout 120 "$sculpt" cc --no-remarks "$@"; }

# ---- programs
echo '#define V 1' >one/config.h
echo '#define V 2' >two/config.h
for d in one two; do
    cat >$d/$d.c <<END
#include "config.h"
int $d(float a[8], int n, float alpha)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = alpha + (float)V;
#pragma endscop
    return __LINE__ + 100 * i;
}
END
done
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int one(float a[8], int n, float alpha);
int two(float a[8], int n, float alpha);
int main(int argc, char **argv)
{
    float a[8], b[8];
    int i, x = one(a, 8, 1), y = two(b, 8, 2);
    printf("%g %g %d %d %s:%d", a[7], b[7], x, y, __FILE__, __LINE__);
    for (i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
want="2 4 809 809 main.c:9"

# ---- whole programs, objects, archives, shared libraries
cc -O1 main.c one/one.c two/two.c -o all >log 2>&1
check "files of two folders" $?
[ "$(./all)" = "$want" ]
check "each file finds its own header" $?
cc -c one/one.c two/two.c -MMD >log 2>&1 && [ -f one.o ] && [ -f two.o ]
check "-c with two files" $?
grep -q '^one.o: one/one.c one/config.h' one.d && grep -q '^two.o: two/two.c two/config.h' two.d
check "-MMD names the originals" $?
cc -c one/one.c -o x.o -MD -MF deps/x.d 2>/dev/null
check "a dependency file that can't be written is an error" $((! $?))
cc -c one/one.c -o x.o -MD -MP -MT 'target x' -MF x.d && grep -q 'target x: one/one.c' x.d
check "-MT -MF" $?
cc -c one/one.c -o x.o -Wp,-MMD,y.d && grep -q 'one/one.c' y.d
check "-Wp,-MMD" $?
ar rc libtwo.a two.o && cc main.c one.o -L. -ltwo -o mixed && [ "$(./mixed)" = "$want" ]
check "objects and archives" $?
cc -shared -fPIC one/one.c -o libone.so && cc main.c two.o -L. -lone -Wl,-rpath,"$work" -o viaso &&
    [ "$(./viaso)" = "$want" ]
check "a shared library" $?
printf -- '-O2 "main.c" one/one.c\n two/two.c -o resp' >args
cc @args && [ "$(./resp)" = "$want" ]
check "a response file" $?
cp one/one.c one/one.txt
cc -x c one/one.txt -x none main.c two.o -o lang && [ "$(./lang)" = "$want" ]
check "-x c" $?
cc -S one/one.c -o one.s && cc main.c one.s two.o -o asm && [ "$(./asm)" = "$want" ]
check "-S and assembly input" $?
cc -static main.c one/one.c two/two.c -o static 2>log && [ "$(./static)" = "$want" ]
check "-static runs the original loops" $?

# ---- every C, no warnings of our own
for std in c89 gnu89 c99 gnu99 c11 gnu11 c17 gnu17 gnu2x; do
    cc -std=$std -pedantic-errors -Wall -Wextra -Werror -Wno-unknown-pragmas -Wconversion \
        -Wsign-conversion -Wcast-qual -Wshadow -Wdeclaration-after-statement -g -c one/one.c \
        -o std.o >log 2>&1
    check "-std=$std with all warnings: $(head -n 1 log)" $?
done

# ---- what configure and make ask
cc --version >out 2>&1 && "${SCULPT_CC:-gcc}" --version | cmp -s - out
check "--version is the compiler's" $?
[ "$(cc -dumpmachine)" = "$("${SCULPT_CC:-gcc}" -dumpmachine)" ]
check "-dumpmachine" $?
cc -E one/one.c >out 2>/dev/null && "${SCULPT_CC:-gcc}" -E one/one.c | cmp -s - out
check "-E passes through" $?
[ "$(cc -MM one/one.c)" = "one.o: one/one.c one/config.h" ]
check "-MM passes through" $?
cc >log 2>&1
check "no input is an error" $((! $?))
echo 'int main(void) { return 5; }' | cc -x c - -o piped && { ./piped; [ $? = 5 ]; }
check "a program from stdin" $?
! ldd ./piped | grep -q libsculpt
check "a program without regions does not load libsculpt" $?
echo 'int main(void) { return undeclared; }' >wrong.c
cc -c wrong.c >log 2>&1
[ $? -eq 1 ] && grep -q '^wrong.c:1:' log && [ ! -e wrong.o ]
check "a C error has its place and status 1" $?
cat >broken.c <<'END'
int f(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
    return 1.5 % n;
}
END
cc -c broken.c >log 2>&1
[ $? -eq 1 ] && grep -q '^broken.c:7:' log
check "an error behind a region keeps its line" $?

# ---- run
timeout 120 "$sculpt" run --no-remarks main.c one/one.c two/two.c -- 7 'b c' >out 2>log
[ $? -eq 7 ] && [ "$(cat out)" = "$want 7 b c" ]
check "run passes arguments and the exit status" $?
printf '#include <signal.h>\nint main(void) { return raise(SIGTERM); }\n' >term.c
(timeout 120 "$sculpt" run term.c) >log 2>&1
[ $? -eq 143 ]
check "run dies of its program's signal" $?
timeout 120 "$sculpt" run -c main.c >log 2>&1
[ $? -eq 2 ] && grep -q SC0002 log
check "run refuses -c" $?
timeout 120 "$sculpt" run --device gpu main.c >log 2>&1
[ $? -eq 2 ] && grep -q "'gpu' is no device" log
check "run refuses a device that can't be" $?
timeout 120 "$sculpt" run wrong.c >log 2>&1
[ $? -ne 0 ] && grep -q 'wrong.c:1:' log
check "run reports C errors" $?

# ---- the other verbs
"$sculpt" explain --code SC0104 | grep -q affine
check "explain --code" $?
"$sculpt" explain --json one/one.c 2>/dev/null | grep -q '"regions"'
check "explain --json" $?
"$sculpt" devices --json >/dev/null && "$sculpt" cache --json | grep -q '"max_bytes"'
check "devices and cache" $?
"$sculpt" rnu >log 2>&1
[ $? -eq 2 ] && grep -q "did you mean 'run'" log
check "a mistyped verb" $?
[ -z "$(ls tmp)" ]
check "no temporary file is left: $(ls tmp)" $?
[ $bad -eq 0 ] && echo "driver: all right"
exit $((bad != 0))
