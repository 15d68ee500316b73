#!/bin/sh
# What `sculpt plan` says: the nests there are to choose from, and the one that explain shows.  test/driver/plan.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export SCULPT_CACHE_DIR="$work"
cd "$work" || exit 2
bad=0 good=0
check() { # what, status
    [ "$2" -eq 0 ] && good=$((good + 1)) && return
    echo "FAIL plan: $1"
    [ -e out ] && head -n 12 out | sed 's/^/    /'
    bad=$((bad + 1))
}
plan() { "$sculpt" plan "$@" >out 2>log; }

# ---- a product: many shapes, one runs, and its steps make it
plan "$root/examples/matmul.c" --permit reassociate --arg n=1000 && [ "$(grep -c '<- runs' out)" -eq 1 ] && [ "$(grep -cE '^ +[0-9]+  [0-9.]+ [mu]s ' out)" -ge 5 ]
check "shapes of a product: $(cat log)" $?
grep -q 'its estimate is the least' out && grep -q 'no teams of threads for rows: it is a product' out && grep -qE '^      (strip|map) ' out
check "the choice, templates that do not fit, steps" $?
# ---- teams, with the permission and without
plan "$root/examples/softmax.c" --permit reassociate --arg n=1024 --arg m=4096 && grep -q 'reduce .*<- runs' out
check "a team runs" $?
printf 'void f(int n, int m, float *s, float *a) {\n#pragma sculpt\nfor (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s[i] += a[i * m + k];\n}\n' >rows.c
plan rows.c && grep -q 'no teams of threads for rows: sums may not be reordered' out
check "what teams lack" $?
# ---- a product of complex numbers costs what four of real ones do, with what C says of infinities and without
printf '#include <complex.h>\nvoid f(int n, double complex c[n][n], const double complex a[n][n], const double complex b[n][n]) {\n#pragma sculpt reassociate\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];\n}\n' >complex.c
price() { awk '/<- runs/ { print ($3 == "s" ? 1e3 : $3 == "ms" ? 1 : 1e-3) * $2; exit }' out; }
plan complex.c --machine H200 --arg n=4096 -fcx-limited-range && limited=$(price) && plan complex.c --machine H200 --arg n=4096 && full=$(price)
awk -v x="${full:-1e9}" -v y="${limited:-0}" 'BEGIN { exit !(y > 0 && x < 1.1 * y) }'
check "a complex product: ${full:-?} ms, ${limited:-?} ms without infinities" $?
# ---- rows of a table of which the last is kept: tiles of waves, however the row is copied
for copy in 'for (int j = 0; j <= m; j++) p[j] = q[j];' 'memcpy(p, q, (m + 1) * sizeof(int));'; do
    printf '#include <string.h>\nvoid f(int n, int m, const int *a, const int *b, int *p, int *q) {\n#pragma sculpt\nfor (int i = 0; i < n; i++) {\nq[0] = i;\nfor (int j = 1; j <= m; j++) q[j] = a[i] == b[j] ? p[j - 1] : (p[j] < q[j - 1] ? p[j] : q[j - 1]) + 1;\n%s\n}\n}\n' "$copy" >kept.c
    plan kept.c --machine H200 --arg n=4096 --arg m=4096 --verdict && grep -q '<- runs' out && grep -q 'fuse .* late=1' out && grep -q 'tile ' out && grep -q 'proved' out
    check "a row that is kept: $copy" $?
done
# ---- sums along rows and along columns of a term that stands in a variable: each by itself, and no waves
printf 'void f(int n, int m, const float (*x)[m], float *r, float *c) {\n#pragma sculpt reassociate\nfor (int i = 0; i < n; i++) {\nfloat s = 0;\nfor (int j = 0; j < m; j++) { float h = x[i][j] * 2; s += h; c[j] += h; }\nr[i] = s;\n}\n}\n' >both.c
plan both.c --machine H200 --arg n=65536 --arg m=1024 --recipes && grep -q 'distribute i_1 parts=0,0,1' out && ! grep -q '^ *skew' out
check "a variable that two sums use" $?
# ---- sizes that nobody gives: which one keeps the nests from running
printf 'void f(int n, int m, int pitch, float *a) {\n#pragma sculpt\nfor (int i = 0; i < n; i++) for (int k = 0; k < m; k++) a[i * pitch + k] += 1;\n}\n' >pitch.c
plan pitch.c --arg n=1000 --arg m=20000 && grep -q 'not for these sizes; assumed, because nobody gives it: pitch = 16384' out && grep -q 'nothing runs .*nobody gives it: pitch = 16384 (--arg' out
check "a size that lacks" $?
plan pitch.c --arg n=1000 --arg m=20000 --arg pitch=20000 && grep -q '<- runs' out && ! grep -q 'nobody gives' out
check "all sizes" $?
plan pitch.c --arg n=1000 --arg m=20000 --arg pitch=10 && grep -q 'not for these sizes (' out && ! grep -q 'nobody gives' out
check "sizes at which nothing runs" $?
# ---- json says the same; the program's choice is explain's
plan "$root/examples/jacobi.c" --json && grep -q '"runs": true' out && grep -q '"price_s"' out && grep -q '"bounded_by"' out
check "json" $?
for e in matmul softmax jacobi csr euclid; do
    plan "$root/examples/$e.c" --permit reassociate
    price=$(sed -n 's/^ *[0-9]*  \([0-9.]* [a-z]*\) .*<- runs/\1/p' out | head -n 1)
    "$sculpt" explain "$root/examples/$e.c" --permit reassociate >said 2>log && grep -q "predicted $price on" said
    check "$e: explain shows what runs, $price: $(grep -m 1 predicted said)" $?
done
# ---- the look at infinities behind a complex product's sum is proved with the sum
cat >complex.c <<'END'
#include <complex.h>
void product(int n, const double complex a[n][n], const double complex b[n][n], double complex c[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex s = 0;
            for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
END
plan --verdict --machine H200 --permit reassociate --arg n=2048 complex.c
[ $? -eq 0 ] && grep -q 'expand s_im.*<- runs' out && grep -q '^  proved' out
check "a complex product is proved" $?
# ---- a linear recurrence: near three passes over two arrays, each piece by way of shared memory, proved
for body in 'y[i] = s = c[i] ? 0 : s + a[i];' 'if (c[i]) s = 0; s += a[i]; y[i] = s;' 'if (i) y[i] = 0.2f * a[i] + 0.8f * y[i - 1]; else y[i] = a[i];' 'y[i] = s = 0.5f * a[i] + 0.25f * s;'; do
    printf 'void f(int n, const int *restrict c, const float *restrict a, float *restrict y) {\nfloat s = 0;\n#pragma sculpt reassociate\nfor (int i = 0; i < n; i++) { %s }\n}\n' "$body" >linear.c
    plan --verdict --machine H200 --arg n=67108864 linear.c && grep -q '^  proved' out && awk -v t="$(price)" 'BEGIN { exit !(t > 0 && t < 0.6) }'
    check "a linear recurrence: $body" $?
done
# ---- the middle of 25 numbers: all of them in registers
cat >middle.c <<'END'
void middle(int h, int w, const unsigned char (*restrict in)[w], unsigned char (*restrict out)[w]) {
#pragma sculpt
    for (int i = 2; i < h - 2; i++)
        for (int j = 2; j < w - 2; j++) {
            unsigned char v[25];
            for (int y = 0; y < 5; y++)
                for (int x = 0; x < 5; x++) v[5 * y + x] = in[i + y - 2][j + x - 2];
            for (int a = 0; a < 13; a++)
                for (int b = a + 1; b < 25; b++)
                    if (v[b] < v[a]) {
                        unsigned char t = v[a];
                        v[a] = v[b];
                        v[b] = t;
                    }
            out[i][j] = v[12];
        }
}
END
plan --machine H200 --arg h=4096 --arg w=4096 middle.c && grep -q 'registers.*<- runs' out && awk -v t="$(price)" 'BEGIN { exit !(t > 0 && t < 1) }'
check "the middle of 25 numbers" $?
# ---- a page, which test/page looks at
plan "$root/examples/matmul.c" --html page.html && [ ! -s out ] && grep -q 'class=gain>runs<' page.html
check "a page" $?
plan "$root/examples/matmul.c" --html nowhere/page.html
[ $? -eq 2 ] && grep -q "cannot write 'nowhere/page.html'" log
check "a page that can't be written" $?
# ---- slips
plan --machine K21 rows.c; [ $? -eq 2 ] && grep -q "did you mean 'K20'" log
check "no such machine" $?
plan; [ $? -eq 2 ] && grep -q 'a C file is needed' log
check "no file" $?
echo 'int main(void) { return 0; }' >none.c
plan none.c; [ $? -eq 2 ] && grep -q 'no marked loop was found.*SC0005' log
check "a file without loops" $?
cp none.c none.cpp
plan none.cpp; [ $? -eq 2 ] && grep -q "'none.cpp' is no C file" log
check "a file of C++" $?
echo "plan: $good passed, $bad failed"
[ $bad -eq 0 ]
