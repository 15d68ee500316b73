#!/bin/sh
# The compiler driver as build systems use it.  test/driver/run.sh SCULPT
#
# Each check compiles small programs with `sculpt cc` and compares what it leaves behind with
# what a C compiler leaves. Needs no device: regions may run anywhere.
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir tmp one two
export TMPDIR="$work/tmp" SCULPT_CACHE_DIR="$work" SCULPT_WISDOM="$work/wisdom.db"
bad=0
check() { # name, status of the check
    if [ "$2" -ne 0 ]; then
        echo "FAIL driver: $1"
        bad=$((bad + 1))
    fi
}
cc() { timeout 3600 "$sculpt" cc --no-remarks "$@"; }

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
! timeout 600 "$sculpt" cc -c nowhere.c >log 2>&1 && ! grep -q sculpt: log && grep -q nowhere.c log
check "a file that isn't there is the C compiler's to tell" $?
grep -q '^one.o: one/one.c one/config.h' one.d && grep -q '^two.o: two/two.c two/config.h' two.d
check "-MMD names the originals" $?
cc -c one/one.c -o x.o -MD -MF deps/x.d 2>/dev/null
check "a dependency file that can't be written is an error" $((! $?))
cc -c one/one.c -o x.o -MD -MP -MT 'target x' -MF x.d && grep -q 'target x: one/one.c' x.d
check "-MT -MF" $?
cc -c one/one.c -o x.o -Wp,-MMD,y.d && grep -q 'one/one.c' y.d
check "-Wp,-MMD" $?
cp one/one.c "one/a b#\$.c" && cc -c "one/a b#\$.c" -o x.o -MMD -MF x.d && grep -qF 'one/a\ b\#$$.c' x.d
check "dependencies with spaces" $?
cat >given.c <<'END'
#include <stdio.h>
#if N != 100
#error N is not given
#endif
int main(void) {
    static int a[N];
#pragma sculpt
    for (int i = 0; i < N; i++) a[i] = i * M;
    printf("%d\n", a[N - 1]);
    return 0;
}
END
for o in "-Wp,-DN=100,-DM=3" "-Xpreprocessor -DN=100 -Xpreprocessor -D -Xpreprocessor M=3" \
    "--define-macro=N=100 --define-macro M=3"; do
    "$sculpt" cc $o given.c -o given 2>log && [ "$(./given)" = 297 ] && grep -q '1 on a device' log
    check "$o" $?
done
SCULPT_CC="gcc -DN=100 -DM=3" "$sculpt" cc given.c -o given 2>log && grep -q '1 on a device' log
check "options in SCULPT_CC" $?
for o in -ffreestanding -fpack-struct -fsingle-precision-constant -mfpmath=387 -fsso-struct=big-endian; do
    "$sculpt" cc -DN=100 -DM=3 $o given.c -o given 2>log && grep -q SC0005 log && [ "$(./given)" = 297 ]
    check "a remark under $o" $?
done
for o in -fsanitize=address "-fsanitize=leak,undefined" "-fsanitize=thread -fno-sanitize=address"; do
    "$sculpt" cc -DN=100 -DM=3 -c $o given.c 2>log && grep -q 'watches the host alone.*SC0005' log
    check "loops stay where $o watches" $?
done
for o in -fsanitize=leak "-fsanitize=address,undefined -fno-sanitize=all" "-fsanitize=bounds -fno-sanitize=bounds"; do
    "$sculpt" cc -DN=100 -DM=3 -c $o given.c 2>log && grep -q '1 on a device' log
    check "$o watches no loop" $?
done
SCULPT_REQUIRE=1 "$sculpt" cc -DN=100 -DM=3 -c -fsanitize=undefined given.c 2>log && grep -q '1 on a device' log
check "SCULPT_REQUIRE asks for the device under a sanitizer" $?
"$sculpt" cc -DN=100 -DM=3 -E given.c -o given.i && "$sculpt" cc given.i -o given 2>log && grep -q SC0005 log
check "a remark of preprocessed text" $?
"$sculpt" cc -DN=100 -DM=3 given.c -o given 2>log
PATH='' SCULPT_OFFLOAD=always SCULPT_DEVICE=opencl POCL_CACHE_DIR="$work/none" ./given >log 2>&1 && /bin/grep -q 297 log
check "a program without PATH" $?
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
"$sculpt" cc -x c - -x none one/one.c two/two.c -o lang <main.c 2>log && [ "$(./lang)" = "2 4 809 809 <stdin>:9" ] &&
    ! grep -q SC0005 log && "$sculpt" cc -x c -E - <main.c 2>log >out && [ ! -s log ]
check "standard input goes to the compiler as it is" $?
"$sculpt" cc --recipe none.sculpt -c main.c -o none.o 2>log
[ $? -ne 0 ] && grep -q "recipe 'none.sculpt' can't be read" log
check "a recipe that is not there" $?
cc -S one/one.c -o one.s && cc main.c one.s two.o -o asm && [ "$(./asm)" = "$want" ]
check "-S and assembly input" $?
cc -static main.c one/one.c two/two.c -o static 2>log && [ "$(./static)" = "$want" ]
check "-static runs the original loops" $?

# ---- every C, no warnings of our own
cat >strict.c <<'END'
static float b[100];
void moved(int n, long lo, float *a);
void moved(int n, long lo, float *a) {
    int i;
#pragma acc data copy(a[lo:n]) copyin(b[lo:]) if (n)
    {
        int m = n;
#pragma acc update device(b[0:n])
#pragma acc parallel loop
        for (i = 0; i < m; i++) a[lo + i] += b[i];
    }
#pragma omp target data map(tofrom: a[:n])
    {
#pragma omp target teams distribute parallel for map(always, to: b[0:n])
        for (i = 0; i < n; i++) a[i] += b[i];
    }
}
END
for std in c89 gnu89 c99 gnu99 c11 gnu11 c17 gnu17 gnu2x; do
    cc -std=$std -pedantic-errors -Wall -Wextra -Werror -Wno-unknown-pragmas -Wconversion \
        -Wsign-conversion -Wcast-qual -Wshadow -Wdeclaration-after-statement -g -c one/one.c strict.c \
        >log 2>&1
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
timeout 3600 "$sculpt" run --no-remarks main.c one/one.c two/two.c -- 7 'b c' >out 2>log
[ $? -eq 7 ] && [ "$(cat out)" = "$want 7 b c" ]
check "run passes arguments and the exit status" $?
printf '#include <signal.h>\nint main(void) { return raise(SIGTERM); }\n' >term.c
(timeout 3600 "$sculpt" run term.c; exit $?) >log 2>&1
[ $? -eq 143 ]
check "run dies of its program's signal" $?
timeout 3600 "$sculpt" run -c main.c >log 2>&1
[ $? -eq 2 ] && grep -q SC0002 log
check "run refuses -c" $?
timeout 3600 "$sculpt" run --device gpu main.c >log 2>&1
[ $? -eq 2 ] && grep -q "'gpu' is no device" log
check "run refuses a device that can't be" $?
timeout 3600 "$sculpt" run wrong.c >log 2>&1
[ $? -ne 0 ] && grep -q 'wrong.c:1:' log
check "run reports C errors" $?

# ---- what the user's own words permit, and what a device must have run
host_calls() { # a table of times on a line: how often PROGRAM.c:LINE ran on the host
    sed -n "s/^$1 .* \([0-9]*\) on the host: .*/\1/p" log
}
cat >sum.c <<'END'
#include <stdio.h>
int main(void)
{
    static float a[5000];
    float s = 0;
    int i;
#pragma scop
    for (i = 0; i < 5000; i++)
        a[i] = (float)(i % 8);
#pragma endscop
#pragma scop
    for (i = 0; i < 5000; i++)
        s += a[i];
#pragma endscop
    printf("%g\n", (double)s);
    return 0;
}
END
run() { SCULPT_OFFLOAD=always timeout 3600 "$sculpt" run --no-remarks --device cpu "$@" >out 2>log; }
run --time --require-device sum.c
[ $? -eq 3 ] && grep -q '^sum.c:12:1: error: ran on the host' log && ! grep -q '^sum.c:8:1: error' log
check "--require-device names the region that stayed on the host" $?
printf '%s\n' 'int a[9];' 'int main(void) {' '#pragma sculpt' 'for (int i = 5; i < 3; i++) a[i] = i;' \
    '#pragma sculpt' 'for (int i = 0; i < 9; i++) a[i] = i;' 'return a[8] - 8; }' >idle.c
run --require-device idle.c
check "--require-device does not mind loops without iterations" $?
run --time sum.c && [ "$(host_calls sum.c:12)" = 1 ] && [ -z "$(host_calls sum.c:8)" ] && [ "$(cat out)" = 17500 ]
check "--time has a line for each region" $?
for grant in '--permit reassociate' --permit=fast-math --permit=unordered -ffast-math -Ofast -fassociative-math; do
    run --time --require-device $grant sum.c && [ "$(cat out)" = 17500 ] && [ -z "$(host_calls sum.c:12)" ]
    check "$grant makes the sum parallel" $?
done
cat >ragged.c <<'END'
#include <stdio.h>
int main(void) {
    static int row[101];
    static float v[5000], d[100];
    for (int i = 0; i < 100; i++) row[i + 1] = row[i] + i, d[i] = (float)(1 + i % 3);
    for (int e = 0; e < row[100]; e++) v[e] = (float)(e % 8);
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        for (int e = row[i]; e < row[i + 1]; e++) v[e] *= d[i];
    double sum = 0;
    for (int e = 0; e < row[100]; e++) sum += v[e];
    printf("%g\n", sum);
    return 0;
}
END
gcc -o ragged ragged.c && ./ragged >steps
for grant in '' '--permit reassociate'; do
    run --require-device $grant ragged.c && cmp -s out steps
    check "rows of which data tell the places are a mark's own, ${grant:-nothing permitted}" $?
done
run --require-device -ffast-math -fno-fast-math sum.c
[ $? -eq 3 ]
check "-fno-fast-math takes it back" $?
run --permit everything sum.c
[ $? -eq 2 ] && grep -q SC0002 log
check "a permission that there is not" $?
sed '/#pragma/d' sum.c >plain.c
run --time --require-device --auto plain.c
[ $? -eq 3 ] && grep -q '^plain.c:7 ' log
check "--auto finds loops without marks" $?
# Of a call that has little to do the device's library isn't told, which takes a few nanoseconds.
"${SCULPT_CC:-gcc}" -O2 "$root/test/driver/little.c" -o little.plain && ./little.plain >steps && cc -O2 --auto "$root/test/driver/little.c" -o little &&
    ./little >more && awk 'NR == FNR { plain = $1; next } { exit plain != "no" && !($1 < plain + 60 * 100) }' steps more
check "a thousand short calls took $(cat more) instructions where plain ones take $(cat steps)" $?
cat >read.c <<'END'
int get(void);
void f(int n, float *a) {
    int i, k, m;
    if (n > 0) k = get();
    for (i = 0; i < n; i++) a[i] = (float)k;
    if (n > 3) m = get();
    for (i = 0; i < n - 3; i++) a[i] += (float)m;
}
void g(long n, float *a) {
    long i;
    for (i = -9223372036854775807L - 1; i < n; i++) a[i + 9223372036854775807L + 1] = 1;
}
END
cc -O2 --auto -Wall -Wextra -Werror -c read.c -o read.o >log 2>&1
check "variables that only the loops read, and the least of all numbers, are not warned of: $(cat log)" $?
cat >stays.c <<'END'
int f(int n, int *v)
{
    int i, j, kk;
#pragma sculpt
    for (i = 0, j = n - 1; i < j; i++, j--) {
        int t = v[i];
        v[i] = v[j], v[j] = t;
    }
#pragma sculpt
    for (kk = 0; kk < n; kk++) {
        if (v[kk] == 7777) break;
        v[kk] += kk;
    }
    return i + 100 * j + 10000 * kk;
}
int main(void)
{
    int v[10], i;
    double x[4] = {0};
    for (i = 0; i < 10; i++) v[i] = i;
#pragma omp for simd
    for (i = 0; i < 4; i++) x[i] += 1;
    return f(10, v) == 5 + 100 * 4 + 10000 * 10 && x[3] == 1 ? 0 : 1;
}
END
cc -O2 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas stays.c -o stays >log 2>&1 && SCULPT_OFFLOAD=always ./stays
check "variables that loops set which stay are not warned of: $(cat log)" $?
run --require-device plain.c && [ "$(cat out)" = 17500 ]
check "without --auto they are left alone" $?
cat >fma.c <<'END'
#include <stdio.h>
double x[1], y[1];
int main(int argc, char **argv)
{
    double a = 1 + 0x1p-30 * argc, b = 1 - 0x1p-30 * argc;
    (void)argv;
#pragma acc parallel loop
    for (int i = 0; i < argc; i++)
        y[i] = a * b + x[i];
    x[0] = -1;
#pragma acc parallel loop
    for (int i = 0; i < argc; i++)
        y[i] = a * b + x[i];
    printf("%a\n", y[0]);
    return 0;
}
END
run -ffp-contract=off --require-device fma.c && [ "$(cat out)" = 0x0p+0 ]
check "-ffp-contract=off rounds twice: $(cat out)" $?
"$sculpt" explain -ffp-contract=off --json fma.c >off 2>/dev/null
"$sculpt" explain -ffp-contract=fast --json fma.c >fast 2>/dev/null
! cmp -s off fast
check "-ffp-contract reaches the region" $?
timeout 3600 "$sculpt" run --no-remarks --device opencl:99 sum.c >out 2>log
[ $? -eq 0 ] && grep -q 'warning: .*SC0301' log && [ "$(cat out)" = 17500 ]
check "a device that is not here is told, however small the work" $?

# ---- check
timeout 3600 "$sculpt" check --device cpu sum.c >out 2>log && grep -q '^check: 2 regions, 0 wrong' log
check "check says that all is right: $(tail -n 1 log)" $?
cat >apart.c <<'END'
double a[100], b[100];
int main(void)
{
    for (int i = 0; i < 100; i++) a[i] = 1.0 / (i + 3), b[i] = 0.1 * i;
#pragma sculpt
    for (int i = 0; i < 100; i++) b[i] = a[i] * a[i] - b[i];
#pragma sculpt
    for (int i = 0; i < 100; i++) a[i] = a[i] + b[i];
    return 0;
}
END
timeout 3600 "$sculpt" check --device host sum.c >out 2>log
[ $? -eq 3 ] && grep -q 'nothing was compared' log
check "a check that compares nothing is told: $(cat log)" $?
timeout 3600 "$sculpt" check -O1 --device cpu apart.c >out 2>log
[ $? -eq 0 ] && grep -q '^apart.c:6.*right; the original loops round products' log &&
    grep -q '^apart.c:8.*the same values' log
check "check says where contraction makes all the difference" $?
# Where terms cancel, contraction is all there is; so it is, in floats, of terms of a sum of doubles.
cat >cancel.c <<'END'
#include <stdio.h>
static float f[64];
int main(void)
{
    double x[3] = {0.3, 0.7, 1.1}, y[3], e = 0;
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < 3; i++) y[i] = -(0.1 * x[i]);
#pragma omp parallel for
        for (int i = 0; i < 3; i++) y[i] += 0.1 * x[i];
    }
    for (int i = 0; i < 64; i++) f[i] = 0.1f + i * 0.013f;
#pragma omp parallel for reduction(+ : e)
    for (int i = 0; i < 64; i++) e += 0.5 * f[0] * (f[i] * f[i] + f[63 - i] * f[i]);
    printf("%g %g\n", y[0], e);
    return 0;
}
END
timeout 3600 "$sculpt" check -O1 -fopenmp --device cpu cancel.c >out 2>log
[ $? -eq 0 ] && grep -q '^cancel.c:9: .*20 calls.*bit for bit' log && grep -q '^check: 2 regions, 0 wrong' log
check "terms that cancel are no mistake: $(cat log)" $?
cat >handed.c <<'END'
int a[1200], b[1200];
int main(void)
{
    int arr[10] = {0};
    for (int i = 0; i < 1200; i++) a[i] = i * 7 % 1000;
#pragma omp parallel for firstprivate(arr)
    for (int i = 0; i < 1200; i++) {
        for (int k = 0; k < 10; k++) arr[k] = a[(i + k) % 1200];
        b[i] = arr[i % 10];
    }
    return b[0];
}
END
timeout 3600 "$sculpt" check --device cpu handed.c >out 2>log && grep -q '^check: 1 region, 0 wrong' log
check "check does not mind copies of an array that the original loops write" $?
cat >later.c <<'END'
double a[2000], b[2000];
int main(void)
{
    for (int i = 0; i < 2000; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b) nowait
    for (int i = 0; i < 2000; i++) b[i] = 2 * a[i] + 1;
#pragma omp taskwait
    return b[1] != 3;
}
END
timeout 3600 "$sculpt" check -O1 -fopenmp --device cpu later.c >out 2>log && grep -q '^check: 1 region, 0 wrong' log
check "check waits for loops that OpenMP runs later" $?
cat >wrong.c <<'END'
int main(void)
{
    static float a[100];
    int i;
#pragma scop
    for (i = 0; i < 100; i++)
        a[i] = 12345.0f + (float)i;
#pragma endscop
    return a[99] != 12444.0f;
}
END
cc -S wrong.c -o wrong.s && sed 's/12345/12346/' wrong.s >edited.s
timeout 3600 "$sculpt" check --device cpu edited.s >out 2>log
[ $? -eq 4 ] && grep -q '^wrong.c:6: .*WRONG in 100, a, .*12346 on the device, 12345 as compiled' log &&
    grep -q '^check: 1 region, 1 wrong' log
check "check finds a region that is wrong: $(head -n 1 log)" $?
SCULPT_CHECK=1 SCULPT_CHECK_FILE=$work/found.json SCULPT_DEVICE=cpu "$sculpt" run edited.s >out 2>log
[ $? -eq 4 ] && grep -q '"mismatches": 100' found.json
check "SCULPT_CHECK_FILE" $?

# ---- threads
cat >team.c <<'END'
#include <stdio.h>
#include <string.h>
#define N 600
static double x[N], y[N], part[4][N];
static void orphan(int n, double *to)
{
    int i;
#pragma omp for
    for (i = 0; i < n; i++)
        to[i] = x[i] * 2;
}
int main(void)
{
    int i, k, me = 0;
    double sum = 0;
    for (i = 0; i < N; i++)
        x[i] = i;
#pragma omp parallel private(i, k) num_threads(3)
    {
        double own[N];
        int f;
#pragma omp critical
        f = me++;
        memset(own, 0, sizeof own);
        k = 3;
#pragma omp for
        for (i = 0; i < N; i++)
            y[i] = x[i] + k;
#pragma omp for nowait schedule(static)
        for (i = 0; i < N; i++)
            own[i] = y[i];
#pragma omp for schedule(static)
        for (i = 0; i < N; i++)
            part[f][i] = own[i] + f;
        orphan(N, part[3]);
#pragma omp for reduction(+ : sum)
        for (i = 0; i < N; i++)
            sum += y[i] + part[3][i];
    }
    for (i = 0; i < N; i++)
        for (k = 0; k < 3; k++)
            sum += part[k][i] > 0 ? (part[k][i] - k - y[i]) : 0;
    printf("%.10g\n", sum);
    return 0;
}
END
"${SCULPT_CC:-gcc}" -w -fopenmp team.c -o plain && ./plain >want
for std in gnu89 gnu17; do
    run --time -Wall -Wextra -Werror -pedantic -Wno-long-long -std=$std -fopenmp team.c && cmp -s out want &&
        [ "$(host_calls team.c:30)$(host_calls team.c:33)" = 11 ] && [ -z "$(host_calls team.c:27)$(host_calls team.c:9)$(host_calls team.c:37)" ]
    check "omp for inside omp parallel, -std=$std: $(head -n 1 log)" $?
done

# ---- what stands before a loop stays there
cat >before.c <<'END'
#include <stdio.h>
#define N 64
#define IVDEP _Pragma("GCC ivdep")
static float a[N];
int main(void)
{
    int i, r = 0;
    double s = 0;
    if (r)
#pragma omp simd
        for (i = 0; i < N; i++)
            a[i] = 9;
    else
        for (i = 0; i < N; i++)
            a[i] = i;
#pragma GCC unroll 4
    // a comment between
    for (i = 0; i < N; i++)
        a[i] += 1;
    IVDEP
    for (i = 0; i < N; i++)
        a[i] *= 2;
again:
    for (i = 0; i < N; i++)
        a[i] += 2;
    if (r++ < 2)
        goto again;
#pragma scop
#pragma GCC ivdep
    for (i = 0; i < N; i++)
        a[i] *= 2;
#pragma endscop
    for (i = 0; i < N; i++)
        s += a[i];
    printf("%g\n", s);
    return 0;
}
END
"${SCULPT_CC:-gcc}" -w before.c -o plain && ./plain >want
for flags in -w -fopenmp; do
    run --auto $flags before.c && cmp -s out want
    check "pragmas, labels and else before a loop ($flags): $(head -n 1 log)" $?
done

# ---- names, storage classes and line ends of all kinds
cat >odd.c <<'END'
#include <stdio.h>
#define p 3
#define text "x"
inline void fill(int n, float *a)
{
#pragma scop
    for (int j = 0; j < n; j++) a[j] = j;
#pragma endscop
}
extern inline void fill(int n, float *a);
static double total(register int n, const float *a)
{
    register double s = 0;
    register i;
#pragma acc parallel loop reduction(+:s)
    for (i = 0; i < n; i++) s += a[i] * p;
    return s + (i != n);
}
static int last(int n, int m, float a[n][m])
{
    int i, j;
#pragma scop
    for (j = 0; j < n; j++)
        for (i = 0; i < m; i++)
            a[j][i] += 1;
#pragma endscop
    return i + j;
}
int main(void) { static float a[50]; fill(50, a); double s = total(50, a); printf("%g %d %s\n", s, last(5, 10, (void *)a), text); return 0; }
END
sed 's/$/\r/' odd.c >crlf.c
for f in odd.c crlf.c; do
    cc -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-implicit-int -Dline=1 -Di=counter $f -o odd >log 2>&1 &&
        [ "$(SCULPT_DEVICE=cpu SCULPT_OFFLOAD=always SCULPT_TIME=$work/odd.json ./odd)" = "3675 15 x" ]
    check "$f: $(head -n 1 log)" $?
done
[ "$(grep -c '"device_calls": 1' odd.json)" = 4 ]
check "odd.c on the device" $?

# ---- data scopes need every region inside to be heard of
cat >scope.c <<'END'
#include <stdio.h>
#define N 4096
static double a[N], b[N];
#define CUT(body) body
static void smooth(void)
{
    int i, t;
    for (t = 0; t < 3; t++) {
#pragma scop
        for (i = 1; i < N - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
#pragma endscop
#pragma scop
        for (i = 1; i < N - 1; i++)
            a[i] = b[i] / 2;
#pragma endscop
        printf("%d\n", t);
    }
}
int main(void)
{
    int i, t;
    for (i = 0; i < N; i++)
        a[i] = i % 7;
#pragma acc data copy(a[0:N]) create(b[0:N])
    {
        for (t = 0; t < 3; t++) {
#pragma acc parallel loop
            for (i = 1; i < N - 1; i++)
                b[i] = a[i - 1] + a[i + 1];
#pragma acc parallel loop
            CUT(for (i = 1; i < N - 1; i++) a[i] = b[i] / 2;)
        }
    }
    smooth();
    printf("%.17g\n", a[77]);
    return 0;
}
END
"${SCULPT_CC:-gcc}" -w scope.c -o plain && ./plain >want
for d in $("$sculpt" devices --json | sed -n 's/.*"spec": "\([^"]*\)".*/\1/p'); do
    SCULPT_OFFLOAD=always timeout 3600 "$sculpt" run --no-remarks --device "$d" -w scope.c >out 2>log && cmp -s out want
    check "a region that can't be replaced in a data scope, $d" $?
done
cc --quiet scope.c -w -S -o scope.s && ! grep -q sculpt_data_enter scope.s
check "the data scope around it is dropped" $?
grep -q sculpt_data_begin scope.s
check "another one is not" $?

# ---- marks in headers; a project with make
mkdir -p proj/src proj/include
cat >proj/include/api.h <<'END'
int one(float a[8], int n, float alpha);
int two(float a[8], int n, float alpha);
static inline void zero(int n, float *x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 0;
}
END
cp one/one.c two/two.c proj/src
echo '#define V 1' >proj/include/config.h
printf '#include "api.h"\nvoid clear(float *x) { zero(8, x); }\n' >proj/src/clear.c
cat >proj/Makefile <<'END'
CFLAGS = -O2 -g -Wall -Wextra -Werror -Wno-unknown-pragmas -Iinclude -MD -MP
prog: obj/main.o libk.a
	$(CC) -o $@ obj/main.o -L. -lk
libk.a: obj/one.o obj/two.o obj/clear.o
	$(AR) rcs $@ $^
obj/main.o: ../main.c
	$(CC) $(CFLAGS) -c -o $@ $<
obj/%.o: src/%.c
	$(CC) $(CFLAGS) -c -o $@ $<
-include $(wildcard obj/*.d)
END
mkdir proj/obj
(cd proj && make -s CC="$sculpt cc" >../log 2>&1 && ./prog) >out && grep -q '^2 3 809 809' out
check "a project built by make: $(head -n 1 log)" $?
(cd proj && "$sculpt" explain -Iinclude src/clear.c 2>&1 | grep -q '^include/api.h:6:5: zero_6, #pragma omp')
check "a marked loop in a header is a region" $?
(cd proj && make -q CC="$sculpt cc" && touch include/api.h && ! make -q CC="$sculpt cc")
check "dependencies of a project" $?
(cd proj && "${SCULPT_CC:-gcc}" -o by_gcc obj/main.o -L. -lk -L"$(dirname "$sculpt")" -lsculpt \
    -Wl,-rpath,"$(dirname "$sculpt")" && ./by_gcc >/dev/null)
check "objects linked by the plain compiler with -lsculpt" $?
printf '#include <stdio.h>\nint main(void)\n{\n    int a[9];\n#pragma scop\n    for (int i = 0; i < 9; i++)\n        a[i] = i;\n#pragma endscop\n    return puts(__BASE_FILE__ " " __FILE__) + a[0] < 0;\n}\n' >one/base.c
cc one/base.c -o base && [ "$(./base)" = "one/base.c one/base.c" ]
check "__BASE_FILE__ is the user's: $(./base)" $?
cc -O1 -flto main.c one/one.c two/two.c -o lto && [ "$(./lto)" = "$want" ]
check "-flto" $?
if command -v gdb >/dev/null; then
    cc -g -c one/one.c -o line.o && gdb -batch -ex 'info line one/one.c:7' line.o >out 2>&1
    grep -q 'Line 7 of "one/one.c" starts at address' out
    check "gdb finds the user's lines: $(tail -n 1 out)" $?
fi

# ---- recipes
cat >mm.c <<'END'
void mm(int n, float a[restrict n][n], float b[restrict n][n], float c[restrict n][n])
{
#pragma sculpt reassociate
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                a[i][j] += b[i][k] * c[k][j];
}
void in_place(int n, int steps, float x[restrict n])
{
#pragma sculpt
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            x[i] = x[i - 1] + x[i + 1];
}
END
printf 'let W = 32\nstrip j by=W as=jb,jj  # threads\ninterchange i jb jj k\nmap block i jb\nmap thread jj\n' >mm.sculpt
"$sculpt" rules | grep -q '^  strip ' && "$sculpt" rules strip | grep -q 'as=OUTER,INNER'
check "rules" $?
"$sculpt" rules --prove >proofs && ! grep -qvE '^  [a-z]+ +([0-9]+ of [0-9]+ examples proved|no example)$' proofs &&
    [ "$(wc -l <proofs)" = "$("$sculpt" rules | grep -c '^  ')" ]
check "rules' examples, proved" $?
"$sculpt" rules shuffle 2>&1 | grep -q "there is no rule 'shuffle'"
check "a rule that isn't" $?
"$sculpt" apply --recipe mm.sculpt --judge each mm.c:5 >out 2>log &&
    grep -q '^== 4: map thread jj' out && [ "$(grep -c '^-- legal for all sizes' out)" = 4 ] && grep -q '== as it runs: proved' out
check "apply --recipe: $(cat log)" $?
"$sculpt" apply --step 'strip j by=8' --show all mm.c:5 2>log | grep -q '__global__'
check "apply --step --show all: $(cat log)" $?
"$sculpt" apply --step 'strip j by=8' --json mm.c:5 2>log | grep -q '"recipe": "strip j by=8'
check "apply --json: $(cat log)" $?
"$sculpt" apply --step 'interchange i t' mm.c:12 >out 2>log
[ $? = 1 ] && grep -q 'step:1:1: error: the recipe would change the meaning' log
check "apply refuses: $(cat log)" $?
"$sculpt" apply --step 'interchange i t' --judge each mm.c:12 >out 2>log
[ $? = 1 ] && grep -q 'step:1:1: error: interchange i t would change the meaning' log && grep -q 'line 14' log
check "apply --judge each refuses and names the accesses: $(cat log)" $?
"$sculpt" apply --recipe mm.sculpt mm.c >out 2>log
[ $? = 2 ] && grep -q 'there are 2 regions' log
check "a recipe for one of two regions: $(cat log)" $?
printf 'strip j by=32 as=jb,jj\ninterchange i jb jj k\nmap block i jb\nmap thread jj\npack b at=k0 tile=8,32\n' >packed.sculpt
"$sculpt" emit --target cuda --host --recipe packed.sculpt mm.c:5 >out 2>log
[ $? = 0 ] && grep -q 'inline int sculpt_host_max' out && [ -z "$(grep -o 'inline int sculpt_[a-z0-9_]*(' out | sort | uniq -d)" ]
check "emit --host: helpers of kernels and of the host are two: $(cat log)" $?
printf 'strip q by=4\n' >bad.sculpt
"$sculpt" emit --target cuda --early --recipe packed.sculpt mm.c:5 2>log | grep -c '^    sculpt_wait_' >out
[ "$(cat out)" = 1 ] && ! "$sculpt" emit --target cuda --recipe packed.sculpt mm.c:5 2>log | grep -q sculpt_wait_
check "emit --early: that kernel waits which reads nothing packed between its writes: $(cat out log)" $?
"$sculpt" emit --target cuda --recipe bad.sculpt mm.c:5 >out 2>log
[ $? = 1 ] && grep -q 'bad.sculpt:1:1: error: strip: there is no loop q; there are i, k, j' log
check "a recipe that does not fit: $(cat log)" $?
"$sculpt" emit --target cuda --recipe mm.sculpt mm.c:5 2>log | grep -q 'threadIdx.x'
check "emit --recipe: $(cat log)" $?
cat >leave.c <<'END'
void steps(int n, int m, const long *restrict x, int *restrict y) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            long v = x[i * m + j];
            int k = 0;
            while (v != 1) v = v % 2 ? 3 * v + 1 : v / 2, k++;
            y[i * m + j] = k;
        }
}
END
echo 'grid j i threads=32,8 per=1,4' >leave.sculpt
"$sculpt" emit --target cuda --recipe leave.sculpt leave.c >out 2>log && grep -q 'while (' out && ! grep -q 4611686018427387904 out
check "several elements a thread, of which each leaves its loop when it likes: $(cat log)" $?
cc --recipe bad.sculpt:5 -c mm.c -o bad.o >out 2>log
[ $? -ne 0 ] && [ ! -e bad.o ]
check "cc stops at a recipe that does not fit" $?
cc --recipe mm.sculpt:5 -c mm.c -o mm.o >out 2>log && [ -e mm.o ]
check "cc --recipe: $(cat log)" $?
cat >domain.c <<'END'
int a[1000];
void f(int n) {
#pragma scop
    for (int i = n - 1; i >= 0; i -= 3) a[i] = i;
    for (int i = 0; i < 10; ++i) if ((i < 5 || i > 6) && n > i) a[i] = i;
#pragma endscop
}
END
"$sculpt" explain domain.c >out 2>log && grep -qF 'S0[i] : n - 1 >= i > -1 and (i - (n - 1)) % 3 = 0' out &&
    grep -qF 'S1[i_1] : 0 <= i_1 < 10 and (i_1 < 5 || i_1 > 6) and n > i_1' out
check "explain prints domains with their parentheses: $(grep ' for ' out)" $?
"$sculpt" explain --why interchange mm.c >out 2>log && grep -q 'interchange k i  *legal for all sizes' out &&
    grep -q 'interchange i t  *refused' out
check "explain --why: $(cat log)" $?
"$sculpt" explain --legal mm.c:12 >out 2>log && grep -q 'skew i with=t  *legal for all sizes' out && ! grep -q 'interchange i t' out
check "explain --legal: $(cat log)" $?

"$sculpt" explain --why stage mm.c:5 >out 2>log && grep -q 'not .*\[.*\] in S0 .*it stands in no kernel' out
check "explain --why says what lacks the pattern: $(cat log)" $?
"$sculpt" explain --why reverse "$root/examples/trisolve.c" >out 2>log && grep -q 'reverse i .*flow dependence: .* distance (>0, >0, 0), carried by i' out
check "explain --why names the distance: $(cat log)" $?

# ---- pattern rules: the talk's table, on its spelling of the six programs
(cd "$root/bench/talk" && "$sculpt" explain --patterns matmul.c euclid.c nbody.c laplace.c gauss.c jacobi.c) >out 2>log
cat >want <<END
pattern rule          matmul  euclid   nbody laplace   gauss  jacobi
DEFINEARG                  x       x       x       x       x       x
TRANSPOSITION                      x               x
HOISTTOREG                                 x
HOISTTOREGLOOP                     x               x
TILEINLOCAL                x                               x
TILEINLOCALSTENCIL                                                 x
END
tail -n 7 out | sed 's/ *$//' | diff want - >diff 2>&1
check "explain --patterns: $(cat diff log)" $?
# A loop that stays is no error beside one that does not.
echo 'void g(unsigned *a, int n) { for (int i = 0; i < n; i++) a[i] += 3; }
void f(unsigned *a) { for (unsigned char i = 10; i != 5; i++) a[i] += i; }' >stays.c
for words in "plan --auto" "explain --auto --patterns"; do
    "$sculpt" $words stays.c >out 2>log && ! grep -q error log
    check "$words: a loop that stays: $(head -n 1 log)" $?
done

# ---- optional steps: measured once, remembered, and taken by the program
mkdir pays
cat >pays/pays.c <<END
#include <stdio.h>
#include <stdlib.h>
static void sums(int n, float *restrict out, const float *restrict x) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += x[i] * x[j];
        out[i] = s;
    }
}
int main(void) {
    float x[300], out[300];
    for (int i = 0; i < 300; i++) x[i] = i % 7;
    sums(300, out, x);
    printf("%g\n", out[6]);
    return 0;
}
END
cc -O1 pays/pays.c -o pays/pays >log 2>&1 && SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_TIME=times ./pays/pays >out && ! grep -q measured times
check "a program before anything was measured: $(cat log)" $?
"$sculpt" bench inclusion --root "$root" --device cpu --source pays/pays.c -n 300 --budget 0.05 --pairs 3 --quiet >ways 2>log && grep -q '4 ways of define hoist' ways &&
    grep -q 'the best' ways
check "bench inclusion: $(cat ways log)" $?
"$sculpt" bench inclusion --root "$root" --device cpu --source pays/pays.c -n 300 --quiet >ways 2>log && grep -q 'remembered from an earlier run' ways
check "bench inclusion remembers: $(cat ways log)" $?
SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_TIME=times ./pays/pays >out2 && cmp -s out out2 && grep -q '"measured": 1' times
check "the program takes what was measured" $?

# ---- threads of the cpu device wait as the user says, and else asleep
printf '#include <stdio.h>\n#include <stdlib.h>\nint a[999];\nint main(void) {\n#pragma sculpt\n for (int i = 0; i < 999; i++) a[i] = i;\n puts(getenv("OMP_WAIT_POLICY") ? "set" : "not set");\n}\n' >wait.c
cc wait.c -o wait && for policy in "" active; do
    env -u OMP_WAIT_POLICY ${policy:+OMP_WAIT_POLICY=$policy} OMP_DISPLAY_ENV=true SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./wait >out 2>log
    grep -qi "OMP_WAIT_POLICY = '${policy:-passive}'" log && grep -qx "$([ -n "$policy" ] || echo 'not ')set" out ||
        ! grep -q OMP_WAIT_POLICY log || check "OMP_WAIT_POLICY=$policy: $(cat out log)" 1
done

# ---- data that come and go in slices, where they travel at all
cat >slices.c <<END
#include <stdio.h>
#include <stdlib.h>
void sculpt_data_begin(void), sculpt_data_end(void);
static void blur(int n, const float *restrict a, float *restrict b) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) b[j + n * i] = 0.25f * (a[j + n * i] + a[j - 1 + n * i] + a[j + n * (i + 1)] + a[j + n * (i - 1)]);
#pragma endscop
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), scope = argc > 2;
    float *a = malloc(sizeof *a * n * n), *b = calloc(n * n, sizeof *b);
    double sum = 0;
    for (int i = 0; i < n * n; i++) a[i] = (float)(i % 1000);
#ifdef WITH_SCULPT
    if (scope) sculpt_data_begin();
#endif
    for (int k = 0; k < 2; k++) blur(n, a, b), blur(n, b, a);
#ifdef WITH_SCULPT
    if (scope) sculpt_data_end();
#endif
    for (int i = 0; i < n * n; i++) sum += b[i] * (i % 7) + a[i] * (i % 5);
    printf("%.9g\n", sum + 0 * scope);
    return 0;
}
END
cat >half.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 900 };
static float *a, *b;
static void *wait(void *m) { return pthread_mutex_lock(m), NULL; }
static void half(int n, const float *restrict a, float *restrict b) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) b[j + n * i] = b[j + n * i] * 0.5f + a[j + n * i];
#pragma endscop
}
int main(int argc, char **argv) {
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    pthread_t other;
    double sum = 0;
    a = malloc(sizeof *a * N * N), b = calloc(N * N, sizeof *b);
    for (int i = 0; i < N * N; i++) a[i] = (float)(i % 1000);
    pthread_mutex_lock(&held);
    if (argc > 1) pthread_create(&other, NULL, wait, &held);
    for (int k = 0; k < 2; k++) half(N, a, b);
    pthread_mutex_unlock(&held);
    if (argc > 1) pthread_join(other, NULL);
    for (int i = 0; i < N * N; i++) sum += b[i] * (i % 7);
    printf("%.9g %s\n", sum, argc > 1 ? argv[1] : "");
    return 0;
}
END
"$sculpt" explain --travel --machine H200 --arg n=16384 slices.c >out 2>log && grep -q 'pinned .*the slices are chosen' out
check "explain says when data come in slices: $(cat log)" $?
if "$sculpt" devices --json 2>/dev/null | grep -q '"opencl:'; then
    command cc -O1 slices.c -o slices.plain && "$sculpt" cc -O1 -DWITH_SCULPT slices.c -o slices >log 2>&1
    for n in 700 1501; do
        ./slices.plain $n >want
        rm -f times
        SCULPT_OFFLOAD=always SCULPT_DEVICE=opencl SCULPT_TIME=times ./slices $n >out 2>log && cmp -s want out && grep -q '"streamed": 4' times
        check "data in slices, n = $n: $(cat out log times)" $?
        rm -f times
        SCULPT_OFFLOAD=always SCULPT_DEVICE=opencl SCULPT_TIME=times ./slices $n scope >out 2>log && cmp -s want out && ! grep -q streamed times
        check "no slices where data stay, n = $n: $(cat out log times)" $?
    done
    command cc -O1 -pthread half.c -o half.plain && "$sculpt" cc -O1 -pthread half.c -o half >log 2>&1
    for beside in "" beside; do
        ./half.plain $beside >want
        rm -f times
        SCULPT_OFFLOAD=always SCULPT_DEVICE=opencl SCULPT_TIME=times ./half $beside >out 2>log && cmp -s want out &&
            [ "$(grep -c '"streamed": 2' times)" = "$([ "$beside" ] && echo 0 || echo 1)" ]
        check "half of a matrix in slices, but not beside another thread: $beside $(cat out log times)" $?
    done
fi

# ---- what a person vouches for, checked before each launch
cat >scatter.c <<END
#include <stdio.h>
static void scatter(int n, float *restrict x, const float *restrict y, const int *restrict idx) {
#pragma scop
    for (int i = 0; i < n; i++) x[idx[i]] = 2 * y[i];
#pragma endscop
}
int main(int argc, char **argv) {
    static float x[1000], y[1000];
    static int idx[1000];
    (void)argv;
    for (int i = 0; i < 1000; i++) idx[i] = i * 7 % 1000, y[i] = i;
    if (argc > 1) idx[500] = idx[3];
    scatter(1000, x, y, idx);
    double s = 0;
    for (int i = 0; i < 1000; i++) s += x[i] * (i % 13);
    printf("%g\n", s);
    return 0;
}
END
printf 'assume ann distinct idx\nstrip i by=64 as=ib,it\nmap block ib\n' >scatter.sculpt
gcc -w -O1 scatter.c -o plain && cc -O1 --recipe scatter.sculpt scatter.c -o scatter >log 2>&1
check "cc --recipe with assume: $(cat log)" $?
for twice in "" twice; do
    rm -f times
    ./plain $twice >want && SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_TIME=times ./scatter $twice >out 2>log && cmp -s want out
    check "assume: the right values ($twice)" $?
    case $twice in
    "") grep -q '"device_calls": 1' times ;;
    *) grep -q 'a value of idx is there twice' times ;;
    esac
    check "assume: on the device only where it holds ($twice): $(cat times log)" $?
done

# ---- one word at the end
cat >loops.c <<'END'
#include <stdio.h>
float dot(int n, const float *x, const float *y) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
void add(int n, float a, const float *restrict x, float *restrict y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
void chain(int n, float *x) { for (int i = 1; i < n; i++) x[i] = x[i - 1] * x[i - 1] + x[i]; }
void say(int n, float *x) { for (int i = 0; i < n; i++) printf("%f\n", x[i]); }
END
"$sculpt" cc --auto -c loops.c 2>log && [ "$(wc -l <log)" = 1 ] &&
    grep -q '^sculpt: loops.c: 4 loops: 1 on a device, 1 would be with --permit reassociate, 2 stay on the host for .*(1), .*(1).*--remarks says where' log
check "cc --auto: one line a file: $(cat log)" $?
"$sculpt" cc --auto --remarks -c loops.c 2>log && [ "$(grep -c 'remark:.*SC0' log)" = 3 ] && tail -n 1 log | grep -q '^sculpt: loops.c: 4 loops'
check "cc --auto --remarks: why each loop stays: $(cat log)" $?
"$sculpt" cc --auto --permit reassociate -c loops.c 2>log && grep -q '2 on a device, 2 stay on the host' log
check "cc --auto --permit: what the line promised: $(cat log)" $?
sed -n '1p;4,5p' loops.c >stay.c && "$sculpt" cc --auto -c stay.c 2>log && [ ! -s log ] && "$sculpt" cc --auto --quiet -c loops.c 2>log && [ ! -s log ]
check "cc --auto says nothing where nothing is to be had, or nobody asks: $(cat log)" $?
case $(uname -m) in x86*)
    "$sculpt" cc --auto -c loops.c 2>log && grep -q 'a\*b + c is rounded once' log && "$sculpt" cc --auto -c -std=c99 loops.c 2>log && ! grep -q rounded log &&
        "$sculpt" cc --auto -c -std=c99 -ffp-contract=fast loops.c 2>log && grep -q rounded log && "$sculpt" cc --auto -c -std=gnu99 -mfma loops.c 2>log && ! grep -q rounded log
    check "cc says where a device rounds otherwise than the host, and keeps a standard's rule: $(cat log)" $? ;;
esac
cat >own.c <<'END'
#include <math.h>
void own(int n, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = fma(a[i], .1, .3);
}
END
"$sculpt" cc -c own.c 2>log && grep -q '1 on a device' log && ! grep -q rounded log
check "a program's own fma is rounded once everywhere: $(cat log)" $?
cat >members.c <<'END'
struct two { int *a, *b; int n; };
__attribute__((noinline)) void f(struct two *t) {
#pragma sculpt
    for (int i = 0; i < t->n; i++) t->a[i] = t->b[i] + 1;
}
int main(void) {
    int a[64] = {0};
    struct two t = {&t.n, a, 1};
    f(&t);
    return 0;
}
END
cc members.c -o members >log 2>&1 && SCULPT_OFFLOAD=always SCULPT_REQUIRE=1 ./members 2>log
grep -q 't->a and t->n overlap\|t->n and t->a overlap' log
check "what overlaps is said in the program's words: $(cat log)" $?
{ echo '#pragma STDC FP_CONTRACT OFF'; cat loops.c; } >off.c && "$sculpt" cc --auto -c off.c 2>log && ! grep -q rounded log
check "cc keeps #pragma STDC FP_CONTRACT OFF: $(cat log)" $?
cat >ranked.c <<'END'
void flat(int n, float *restrict x) {
#pragma sculpt
    for (int i = 1; i < n; i++) x[i] = x[i - 1] * x[i - 1] + 1;
}
void deep(int n, float (*restrict x)[n]) {
#pragma sculpt
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) x[i][j] += x[i - 1][j] * x[i][j - 1] + x[i - 1][j - 1] + x[i - 1][(j + n / 2) % n];
}
END
"$sculpt" cc -c ranked.c 2>log && grep -o '^ranked.c:[0-9]*:[0-9]*: remark' log | sed -n 1p | grep -q 'c:[678]:' && tail -n 1 log | grep -q '2 marked loops: 0 on a device, 2 stay'
check "cc: remarks about the deepest loops first: $(cat log)" $?

cat >said.h <<'END'
static void more(int n, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += 1;
}
END
cat >said.c <<'END'
#include <stdio.h>
static int a[10];
#line 50 "a\\b.y"
#include "said.h"
static const char *file(void) { return __FILE__; }
static int line(void) { return __LINE__; }
# 77
static int next(void) { return __LINE__; }
int main(void) {
#line 100 "gram.y"
#pragma omp parallel for
    for (int i = 0; i < 10; i++)
        a[i] = __LINE__;
    more(10, a);
    printf("%s %d %d %s %d %d\n", __FILE__, __LINE__, a[5], file(), line(), next());
    return 0;
}
END
"$sculpt" cc said.c -o said 2>log && [ "$(SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./said)" = 'gram.y 104 103 a\b.y 52 77' ]
check "lines are those that #line says: $(./said)" $?

# ---- the other verbs
cat >turned.c <<'END'
void turned(int n, float (*restrict a)[n], float (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[j][i];
#pragma endscop
}
END
printf 'target gpu\ngrid j i threads=32,8\n' >plain.sculpt # the planner would turn tiles
"$sculpt" explain --recipe plain.sculpt --machine H200 --arg n=8192 turned.c >out 2>log &&
    grep -q 'turned.c:6:.*coalescing: load a.*32 sectors a request where 4 would do.*32768 bytes apart' out && grep -q 'step: transpose a at=.* order=1,0' out
check "explain finds the load that is not coalesced: $(grep -c coalescing out)" $?
"$sculpt" explain --machine K20 --arg n=8192 turned.c 2>/dev/null | grep -q 'on Tesla K20, n = 8192'
check "explain --machine" $?
"$sculpt" explain --machine abacus turned.c >out 2>log; [ $? -eq 2 ] && grep -q "no machine is called 'abacus'; known are" log
check "explain --machine of a machine that nobody knows" $?
"$sculpt" explain --recipe plain.sculpt --json --arg n=1024 turned.c 2>/dev/null | grep -q '"sectors_per_request": 32.0'
check "explain --json has the model's figures" $?
"$sculpt" emit --dump=nest --target cuda turned.c >turned.nest 2>log && "$sculpt" explain --json --arg n=1024 turned.nest 2>log >out &&
    grep -q '"sectors_per_request": 32.0' out && grep -q '"statement": 0' out
check "explain --json of a text of nests: $(cat log)" $?
"$sculpt" emit --lines --target cuda --from=turned.nest 2>log | grep '^/\*0 ' >out && [ "$(grep -c '\[' out)" = "$(wc -l <out)" ]
check "emit --lines: each access begins a line, with its statement: $(cat out log)" $?
"$sculpt" explain --json --kernel saxpy --grid 64 --block 256 --arg y=16384 --arg x=16384 --arg a=2 --arg n=16384 "$root/bench/unseen/vectors.cu" 2>log |
    grep -q '"sectors_per_request": 4.0'
check "explain --json of a hand-written kernel: $(cat log)" $?
mkdir -p counted && cat >counted/cases.json <<'END'
[{"case": "c", "group": "course", "name": "rung", "lines": {"7": [0, "a"], "8": [0, "s"]}, "advice": {"seconds": 1e-5, "launches": 1, "kernels": [{"name": "k",
"launches": 1, "refused": null, "predicted": {"seconds": 1.2e-5, "launch_seconds": 2e-6, "limit": "latency"}, "occupancy": {"registers": 32, "share": 1},
"accesses": [{"access": "a[i]", "array": "a", "statement": 0, "write": false, "shared": false, "atomic": false, "async": false, "assumed": false, "requests": 10,
"lanes_per_request": 32, "sectors_per_request": 4}, {"access": "s[i]", "array": "s", "statement": 0, "write": true, "shared": true, "atomic": false, "async": false,
"assumed": false, "requests": 10, "lanes_per_request": 32, "wavefronts_per_request": 2, "wavefronts_without_conflicts": 1}]}]}}]
END
cat >counted/counted.json <<'END'
{"programs": {}, "kernels": [{"kernel": "k", "time": 10000, "registers": 32, "warps_percent": 100, "accesses": [
{"line": 7, "opcode": "LDG", "kind": "global load", "executed": 10, "threads": 320, "on": 320, "sectors": 40, "wavefronts": 0, "ideal": 0},
{"line": 8, "opcode": "STS", "kind": "shared store", "executed": 10, "threads": 320, "on": 320, "sectors": 0, "wavefronts": 40, "ideal": 10}]}]}
END
python3 "$root/bench/counters" compare --dir counted >out 2>log && grep -q 'shared store s\[i\]: \[1.0, 3.0\] predicted, counted  DIFFERS' out &&
    ! grep -q 'global load' out && grep -A2 '"global accesses"' out | tr -d ' \n' | grep -q '"globalaccesses":\[1,1' && grep -q '"time: median error": 0.0,' out
check "bench/counters tells a figure that the counters contradict: $(cat out log)" $?
"$sculpt" explain --recipe plain.sculpt --sarif --arg n=1024 turned.c 2>/dev/null | grep -q '"ruleId": "coalescing"'
check "explain --sarif" $?
"$sculpt" explain --recipe plain.sculpt --json --fix=fixed.sculpt --arg n=8192 turned.c >tried 2>log && grep -q '"transpose a at=[a-z0-9_]* order=1,0"' tried && grep -q '^grid' fixed.sculpt &&
    "$sculpt" apply --recipe fixed.sculpt --show cuda turned.c >out 2>log && grep -q '__global__' out
check "explain --fix tries what the findings name, and writes a recipe that can be followed: $(cat log)" $?
timeout 3600 "$sculpt" bench notes --device cpu --only launches --set n=256 --set steps=4 >out 2>log && grep -q '64 steps in one launch' out && ! grep -q WRONG out
check "bench notes: $(tail -n 1 log)" $?
"$sculpt" explain --code SC0104 | grep -q affine
check "explain --code" $?
"$sculpt" explain --json one/one.c 2>/dev/null | grep -q '"regions"'
check "explain --json" $?
"$sculpt" devices --json >/dev/null && "$sculpt" cache --json | grep -q '"max_bytes"'
check "devices and cache" $?
"$sculpt" rnu >log 2>&1
[ $? -eq 2 ] && grep -q "did you mean 'run'" log
check "a mistyped verb" $?
# ---- functions of OpenMP's and OpenACC's run time
cat >api.c <<'END'
#include <omp.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
static double x[1000];
int main(void) {
    omp_lock_t lock;
    int host = 0;
    double t = omp_get_wtime();
    omp_set_num_threads(2);
    omp_init_lock(&lock), omp_set_lock(&lock), omp_unset_lock(&lock), omp_destroy_lock(&lock);
    acc_init(acc_device_default);
    acc_copyin(x, sizeof x);
#pragma acc parallel loop present(x)
    for (int i = 0; i < 1000; i++) x[i] = i;
    acc_update_self(x, sizeof x);
    double *y = omp_target_alloc(sizeof x, omp_get_default_device());
    omp_target_memcpy(y, x, sizeof x, 0, 0, omp_get_default_device(), omp_get_initial_device());
#pragma omp target teams distribute parallel for is_device_ptr(y)
    for (int i = 0; i < 1000; i++) y[i] += 1;
    omp_target_memcpy(x, y, sizeof x, 0, 0, omp_get_initial_device(), omp_get_default_device());
    acc_copyout(x, sizeof x);
#pragma omp target map(from: host)
    host = omp_is_initial_device();
    printf("%g %d %d %d %d %d\n", x[10], omp_get_thread_num(), host, omp_get_wtime() >= t, omp_get_num_devices() == acc_get_num_devices(acc_device_not_host), acc_is_present(x, 8));
    omp_target_free(y, 0);
    double *d = acc_malloc(sizeof x), *z = malloc(sizeof x); // the program's own memory of the device
    acc_memcpy_to_device_async(d, x, sizeof x, 1);
    acc_map_data(x, d, sizeof x);
#pragma acc parallel loop present(x) async(1)
    for (int i = 0; i < 1000; i++) x[i] *= 2;
    acc_memcpy_from_device_async(z, d + 10, 8, 1);
    acc_wait_all();
    acc_unmap_data(x);
    acc_memcpy_from_device(z + 1, d + 11, 8);
    printf("%g %g %d\n", z[0], z[1], acc_malloc(0) == NULL);
    acc_shutdown(acc_device_default);
}
END
for openmp in "" -fopenmp; do
    for device in host cpu; do
        cc -O1 -Wno-unknown-pragmas $openmp api.c -o api 2>log && [ "$(SCULPT_OFFLOAD=always SCULPT_DEVICE=$device ./api)" = "$(printf '11 0 1 1 1 1\n22 24 1')" ]
        check "functions of the run time, '$openmp', $device: $(head -n 1 log)" $?
    done
done

# ---- threads of a program beside a library that was linked without -fopenmp, and the other way round
cat >threads_lib.c <<'END'
#include <omp.h>
int lib_threads(void) { return omp_get_max_threads(); }
void lib_fill(int *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = i;
}
END
cat >threads_main.c <<'END'
#include <stdio.h>
void lib_fill(int *, int);
int lib_threads(void), omp_get_max_threads(void);
int main(void)
{
    static int a[1000];
    int s = 0;
    lib_fill(a, 1000);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 1000; i++) s += a[i];
    printf("%d %d %d\n", s, lib_threads(), omp_get_max_threads());
}
END
plain=${SCULPT_CC:-gcc}
for openmp in "" -fopenmp; do
    cc -O1 -Wno-unknown-pragmas $openmp -fPIC -c threads_lib.c -o threads_lib.o 2>log && cc -shared threads_lib.o -o libthreads.so 2>>log &&
        $plain -O1 -fopenmp threads_main.c -L. -lthreads -Wl,-rpath,"$PWD" -o threads 2>>log && [ "$(OMP_NUM_THREADS=2 ./threads)" = "499500 2 2" ]
    check "threads beside a library, '$openmp': $(head -n 1 log)" $?
done
$plain -O1 -fopenmp -fPIC -shared threads_lib.c -o libthreads.so && cc -O1 -Wno-unknown-pragmas threads_main.c -L. -lthreads -Wl,-rpath,"$PWD" -o threads 2>log &&
    [ "$(OMP_NUM_THREADS=2 ./threads)" = "499500 2 1" ]
check "threads of a library beside a program of one: $(head -n 1 log)" $?

# ---- loops that wait for tasks of the host's OpenMP, which knows nothing of ours
cat >awaited.c <<'END'
#include <stdio.h>
#include <time.h>
static double a[1000], b[1000];
int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a[0])
        {
            nanosleep(&(struct timespec){0, 50000000}, NULL);
            for (int i = 0; i < 1000; i++) a[i] += 1;
        }
#pragma omp target teams distribute parallel for map(to : a[0:1000]) map(tofrom : b[0:1000]) depend(in : a[0])
        for (int i = 0; i < 1000; i++) b[i] = 2 * a[i] + 1;
    }
    printf("%g\n", b[7]);
}
END
for openmp in -fopenmp "-Wno-unknown-pragmas"; do
    timeout 3600 "$sculpt" cc -O1 $openmp awaited.c -o awaited 2>log && [ "$(OMP_NUM_THREADS=2 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./awaited)" = 3 ]
    check "loops behind tasks, $openmp: $(grep remark log)" $?
    if [ "$openmp" = -fopenmp ]; then grep -q "wait for tasks of the host" log; else grep -q "1 on a device" log; fi
    check "and where they run, $openmp: $(cat log)" $?
done

# ---- one thread keeps the order: how many the mark asks for is known at run time
cat >alone.c <<'END'
#include <stdio.h>
static unsigned a[3000], ix[3000];
int main(int argc, char **argv)
{
    (void)argv;
    for (unsigned i = 0; i < 3000; i++) a[i] = i, ix[i] = i * 3 % 50;
#pragma omp parallel for num_threads(argc)
    for (int i = 1; i < 3000; i++) a[ix[i]] += argc < 2 ? a[ix[i - 1]] : 1;
    printf("%u\n", a[7]);
}
END
$plain -O1 -fopenmp alone.c -o alone && ./alone >want
cc -Wall -Wextra -Werror -O1 -fopenmp alone.c -o alone 2>log && ! SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./alone >out 2>log && cmp -s out want &&
    grep -q 'alone.c:8:.*by its mark one thread runs' log
check "one thread at run time stays with the host, aloud: $(cat log)" $?
SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./alone x >out 2>log
check "and several don't: $(cat log)" $?

# ---- what a device is required for and can't be seen to run there
cat >silent.c <<'END'
#include <stdio.h>
static int a[100], b[100];
#ifdef INSIDE_ALONE
static int width = 8;
#endif
#define FILL(n) b[1] = 0; for (int i = 0; i < n; i++) a[i] = i;
#ifdef AT_FILE_SCOPE
#pragma sculpt
#endif
#ifdef BROKEN_FILE
#error no
#endif
int main(void)
{
#ifdef IN_MACRO
#pragma sculpt
    FILL(100)
#elif defined BROKEN_FUNCTION
    int inner(int x) { return x; }
#pragma sculpt
    for (int i = 0; i < 100; i++) a[i] = inner(i);
#elif defined RETURNS
#pragma sculpt
    for (int i = 0; i < 100; i++) if (b[i]) return 1; else a[i] = i;
#elif defined INSIDE_ALONE
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        b[i] = fflush(stdout);
        for (int k = 0; k < width; k++) a[k] = k;
    }
#else
#pragma sculpt
    for (int i = 0; i < 100; i++) a[i] = i;
#endif
    return printf("%d\n", a[7] + b[7]) < 0;
}
END
requires() { # flags: the status of a program that requires a device
    cc -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas "$@" -o silent && [ "$(./silent)" = 7 ] || return 9
    SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./silent >out 2>log
}
requires silent.c
check "a marked loop on the device" $?
for what in IN_MACRO BROKEN_FUNCTION RETURNS AT_FILE_SCOPE INSIDE_ALONE; do
    requires -D$what silent.c
    [ $? = 3 ] && grep -q 'silent.c:.*ran on the host' log
    check "SCULPT_REQUIRE hears of a loop that stays as it is: $what" $?
done
"$sculpt" cc -DINSIDE_ALONE -c silent.c 2>log
grep -q '1 marked loop: 0 on a device, 1 stays .*; 1 loop inside of these is on a device' log
check "the line about a file parts a loop that stays from those taken inside of it: $(tail -n 1 log)" $?
sed 's/#error no/#ifdef __is_identifier\n#error no\n#endif/' silent.c >unread.c
requires -DBROKEN_FILE unread.c
[ $? = 3 ]
check "SCULPT_REQUIRE hears of a file that clang can't read" $?
cat >operator.c <<'END'
#include <stdio.h>
static int a[100];
#define LOOPS _Pragma("sculpt") for (int i = 0; i < 100; i++) { a[i] = i; }
int main(void) { LOOPS return printf("%d\n", a[7]) < 0; }
END
requires operator.c
[ $? = 3 ] && grep -q 'operator.c:.*ran on the host' log
check "SCULPT_REQUIRE hears of marks in a file without a line #pragma" $?
"$sculpt" cc -E silent.c -o silent.i 2>log
for how in silent.i "-fsanitize=undefined silent.c" "-mfpmath=387 silent.c" "-x c -"; do
    "$sculpt" cc $how -o silent <silent.c 2>log && [ "$(./silent)" = 7 ]
    check "a program of a text that is not read: $how" $?
    SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./silent >out 2>log
    [ $? = 3 ] && grep -q 'ran on the host' log
    check "SCULPT_REQUIRE hears of a text that is not read: $how" $?
done
cp silent.c silent.cpp
for how in silent.i "-static silent.c" "-ffreestanding -c silent.c" "-x c -" "-c silent.cpp"; do
    SCULPT_REQUIRE=1 "$sculpt" cc $how -o silent <silent.c 2>log
    [ $? = 1 ] && grep -q 'error: .*left to the host compiler.*SC0005' log
    check "a compile that requires a device fails where no mark is read: $how" $?
done
grep -v '^#pragma' silent.c >unmarked.c
SCULPT_REQUIRE=1 "$sculpt" cc -x c - -c -o silent.o <unmarked.c 2>log
check "and does not where there is none" $?
cat >serial.c <<'END'
#include <stdio.h>
static int a[100];
int main(void)
{
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc serial loop
    for (int i = 1; i < 100; i++) a[i] += a[i - 1] & 0;
    return printf("%d\n", a[7]) < 0;
}
END
requires serial.c
[ $? = 3 ] && grep -q 'serial.c:7.*ran on the host' log
check "SCULPT_REQUIRE hears of a loop for one thread" $?
cc -O1 silent.c -o silent
cat >made.c <<'END'
#include <stdio.h>
#define L(n, x) do { printf("%d %s\n", __LINE__, __func__); _Pragma("sculpt") for (int i = 0; i < n; i++) x[i] = i; } while (0)
#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
#define U(n, x) { double CAT(t, __LINE__) = 2; _Pragma("sculpt") for (int i = 0; i < n; i++) x[i] *= CAT(t, __LINE__); }
int main(void) {
    static double a[100];
    L(100,
      a
     );
    U(100, a) U(100, a)
    if (a[3] > 1) L(50, a); else L(20, a);
    return printf("%g %d\n", a[99], __LINE__) < 0;
}
END
command cc -w made.c -o plain && ./plain >want
cc -Wall -Wextra -Werror -Wshadow -std=c99 -pedantic made.c -o made >log 2>&1 &&
    SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./made >out 2>>log && cmp -s out want
check "loops that macros hold: $(cat log)" $?
for slip in DEVICE=cdua:cuda OFFLOAD=allways:always TUNE=raed:read LOG=bnech:bench FAULT=lauch:launch OFLOAD=always:SCULPT_OFFLOAD; do
    env "SCULPT_${slip%:*}" ./silent >out 2>log; [ "$(grep -c "(did you mean '${slip#*:}'?)" log)" = 1 ]
    check "a slip in a variable is told: $slip, $(cat log)" $?
done
for wrong in FAULT=launch:x FAULT=alloc:0 CHECK=ja CHECK_FILE=/dev/null/x CACHE_MAX=much WISDOM_MAX=much REPEAT=-1; do
    env SCULPT_CHECK=1 "SCULPT_$wrong" SCULPT_DEVICE=cpu ./silent >out 2>log; grep -q "SCULPT_$wrong is not followed" log
    check "a value that means nothing is told: $wrong, $(cat log)" $?
done
SCULPT_OFLOAD=always "$sculpt" cc -c silent.c -o silent.o 2>log; grep -q "did you mean 'SCULPT_OFFLOAD'" log
check "the compiler tells of a slip in a variable, too" $?
SCULPT_FAULT=alloc:1 SCULPT_OFFLOAD=always SCULPT_DEVICE=opencl SCULPT_REQUIRE=1 ./silent >out 2>log
[ $? = 3 ]
check "SCULPT_REQUIRE hears of a launch that fell back" $?
gcc -w "$root/test/driver/required.c" -o plain && "$sculpt" cc -w -fopenmp "$root/test/driver/required.c" -o required 2>log
./plain >want
SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 ./required >out 2>>log && cmp -s out want
check "loops that need no sizes to run on a device" $?
sed 's/$/\r/' silent.c >lines.c
requires lines.c
check "lines that end in CR LF" $?
for setting in SCULPT_OFFLOAD=allways SCULPT_REPEAT=x SCULPT_CACHE_MAX=2G SCULPT_TIME=no/such/folder; do
    SCULPT_DEVICE=cpu env SCULPT_TIME=times $setting ./silent >out 2>log
    [ "$(cat out)" = 7 ] && [ "$(grep -c "warning: $setting " log)" = 1 ]
    check "a setting that means nothing is said once: $setting" $?
done
for option in --devise=cpu --chek --no-remarkz --requiredevice; do
    "$sculpt" run $option silent.c >out 2>log
    [ $? = 2 ] && grep -q 'did you mean' log
    check "run knows no $option" $?
done
"$sculpt" run --no-warnings --device=cpu silent.c >out 2>log && [ "$(cat out)" = 7 ]
check "run hands gcc's long options on" $?
cp silent.c silent.cpp
for verb in run explain 'emit --target c' check apply; do
    "$sculpt" $verb silent.cpp >out 2>log
    [ $? = 2 ] && [ -s log ]
    check "$verb of a C++ file" $?
done

# Of a table of pointers one row is used, so how far rows lie apart is nobody's business, nor what memory they take.
cat >last.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    enum { N = 32, M = 36 };
    double *block = malloc(sizeof *block * N * M), *a[N], sum = 0;
    for (int i = 0; i < N; i++) a[i] = block + i * M;
    for (int i = 0; i < N * M; i++) block[i] = i % 7;
    double **rows = a;
    int n = N, m = M;
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k; j < m; j++) rows[i][j] -= rows[k][j] * 0.25;
    }
    for (int i = 0; i < N * M; i++) sum += block[i];
    printf("%.17g\n", sum);
    return 0;
}
END
command cc -O1 -ffp-contract=off last.c -o last.plain && ./last.plain >want
"$sculpt" cc -w -O1 -ffp-contract=off -fopenmp last.c -o last >log 2>&1
for d in cpu $("$sculpt" devices --json 2>/dev/null | grep -o '"opencl:' | head -n 1 | tr -d '":'); do
    SCULPT_SYNC=1 SCULPT_OFFLOAD=always SCULPT_REQUIRE=1 SCULPT_DEVICE=$d ./last >out 2>>log && cmp -s want out
    check "one row of a table of pointers on $d: $(cat log)" $?
done

# Marks that the host's compiler is told to read, too, and refuses.
printf '%s\n' 'void f(int n, float *restrict a) {' '#pragma acc parallel loop device_type(nvidia) vector_length(32) tile(3, 3)' \
    '    for (int i = 0; i < n; i++) a[i] += 1;' '}' >acc.c
"$sculpt" cc -c -fopenacc acc.c >log 2>&1
[ $? -ne 0 ] && grep -q 'refuses marks that -fopenacc has it read.*SC0004' log && "$sculpt" cc -c acc.c >>log 2>&1
check "marks that only gcc refuses: $(cat log)" $?
echo 'int g(' >>acc.c
! "$sculpt" cc -c -fopenacc acc.c >log 2>&1 && ! grep -q 'refuses marks' log
check "what gcc refuses beside its marks: $(cat log)" $?

# A loop that is to run in order: nobody permits another order of its sum.
cat >seq.c <<'END'
float a[64][80], b[64], x[8];
void sums(int n, int m) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float s = 0;
#pragma acc loop seq
        for (int j = 0; j < m; j++) s += a[i][j];
        b[i] = s;
    }
}
static float at(int i) { return x[i]; }
void names(float *y) {
    { double x = 3; y[8] = (float)x; }
#pragma sculpt
    for (int i = 0; i < 8; i++) y[i] = at(i);
    double x = 3;
#pragma sculpt
    for (int i = 0; i < 8; i++) y[i] = at(i) + (float)x;
}
END
"$sculpt" explain seq.c:4 >out 2>log
grep -q 'for j = 0 .. m  *serial' out && ! grep -q 'reduce j' out
check "a loop marked seq: $(cat log)" $?
"$sculpt" cc -c seq.c >log 2>&1
[ "$(grep -c 'SC0108' log)" = 1 ] && grep -q "'x' is hidden by another 'x' in 'names'" log
check "the names of globals, where they stand: $(cat log)" $?

# Tiles of loops that always run as often and begin later at each step.
cat >seidel.c <<'END'
#define N 200
double a[N][N];
void seidel(void) {
#pragma sculpt
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]) / 4;
}
END
"$sculpt" plan --machine H200 --verdict seidel.c >out 2>log && grep -q 'tile t i j' out && grep -q '^  proved' out
check "Gauss-Seidel of a known size in tiles: $(cat log)" $?
"$sculpt" cc -c seidel.c >log 2>&1
grep -q 'runs on a GPU, and stays on the host where the device is a processor' log && ! grep -q SC0901 log
check "a remark says on which devices loops stay on the host: $(cat log)" $?

# What `make demo` shows: rates and times on each device, all of them above nothing.
"$root/tools/demo" "$sculpt" 256 >out 2>log && grep -q '^sculpt on cpu ' out &&
    awk '/^sculpt on/ { if (!($4 > 0 && $5 > 0)) exit 1 } /^gcc|what/ { if (!($NF > 0)) exit 1 }' out
check "the demo's rates: $(cat out log)" $?

[ -z "$(ls tmp)" ]
check "no temporary file is left: $(ls tmp)" $?
[ $bad -eq 0 ] && echo "driver: all right"
exit $((bad != 0))
