#!/bin/sh
# What `sculpt explain` says of kernels that people write: how much, how sure, and what is wrong.  test/driver/advise.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export SCULPT_CACHE_DIR="$work"
unset SCULPT_MACHINE
bad=0
check() { # name, status of the check
    [ "$2" -eq 0 ] && return
    echo "FAIL advise: $1"
    bad=$((bad + 1))
}
explain() { # kernel, options; to out
    kernel=$1
    shift
    timeout 3600 "$sculpt" explain kernels.cu --kernel "$kernel" "$@" >out 2>log
}
# The share that a finding of this kind has, in per cent.
share() { sed -n "s/^ *[0-9]*\. .*: $1: .* (\([0-9]*\) % of the time).*/\1/p" out | head -n 1; }

cat >kernels.cu <<'END'
__global__ void apart(float *b, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i * 9]; }
__global__ void close(float *b, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
__global__ void tree(float *g, float *o)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = g[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void sides(float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i % 2) b[i] = sinf(b[i]); else b[i] = cosf(b[i]); }
__global__ void race(float *b) { __shared__ float s[256]; int x = threadIdx.x; s[x] = b[x]; b[blockIdx.x * 256 + x] = s[255 - x]; }
__global__ void needless(float *b)
{
    __shared__ float s[256];
    int x = threadIdx.x;
    s[x] = b[blockIdx.x * 256 + x];
    __syncthreads();
    s[x] *= 2;
    b[blockIdx.x * 256 + x] = s[x];
}
__global__ void first(float *out, const float *a)
{
    __shared__ float u[1];
    if (threadIdx.x == 0) u[0] = a[blockIdx.x];
    unsigned int i = threadIdx.x + blockIdx.x * blockDim.x * 4;
    __syncthreads();
    for (int k = 0; k < 4; k++) out[i] += u[0], i += blockDim.x;
}
__global__ void waits(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i]; while (x > 1) x = x * 0.5f - 1; if (i < n) a[i] = x; }
__constant__ float weight[9];
__constant__ float table[256];
__global__ void weighted(float *b, const float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 9; k++) s += weight[k] * a[i + k];
    b[i] = s;
}
__global__ void looked_up(float *b, const unsigned char *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = table[a[i]]; }
__global__ void by_lane(float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = table[threadIdx.x % 16]; }
__global__ void sweep(float *g)
{
    __shared__ float s[512];
    int t = threadIdx.x, by = 1;
    s[2 * t] = g[2 * t], s[2 * t + 1] = g[2 * t + 1];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[by * (2 * t + 2) - 1] += s[by * (2 * t + 1) - 1];
        by *= 2;
    }
    __syncthreads();
    g[2 * t] = s[2 * t], g[2 * t + 1] = s[2 * t + 1];
}
struct Point { float x, y, z; };
__global__ void records(const Point *p, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = p[i].x + p[i].y + p[i].z; }
__global__ void flat(const float *p, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = p[i] + p[i + (1 << 21)] + p[i + (1 << 22)]; }
END

# ---- what a cure would save
explain apart --grid 4096 --block 256 && have=$(share coalescing) && [ "$have" -ge 50 ] && [ "$have" -le 70 ]
check "what an access would save whose lanes lie apart: $have" $?
explain close --grid 4096 --block 256 && grep -q 'no findings' out
check "an access whose lanes lie side by side has no finding" $?
explain tree --grid 4096 --block 256 && grep -q 'divergence: .*(8 times in the loop that is written out' out && [ "$(share divergence)" -ge 5 ]
check "a tree whose active threads lie apart diverges: $(grep divergence out)" $?
explain sides --grid 4096 --block 256 && grep -q 'divergence: .*100 % of the warps' out && ! grep -q 'coalescing:' out
check "of lanes that wait for each other the branch is told, not the accesses: $(grep -c coalescing: out)" $?

explain weighted --grid 4096 --block 256 && grep -q 'weight\[9\] *f32 *constant' out && grep 'load  weight' out | grep -q '1.00 elements a request' && ! grep -q 'load weight' out
check "constant memory that all lanes read at once is no finding: $(grep weight out)" $?
explain by_lane --grid 4096 --block 256 && grep -q 'constant memory: load table.* ask for 16 different elements' out
check "constant memory gives different elements one after another: $(grep table out)" $?
explain looked_up --grid 4096 --block 256 && grep -q 'constant memory: load table.* if the data send' out
check "…also where the data say which: $(grep table out)" $?
explain sweep --grid 1 --block 256 && [ "$(grep -c 'bank conflicts:' out)" -le 8 ] && grep -q 'load s.* (9 times in the loop that is written out): .* (16 ways at worst)' out
check "one place of the text is one finding, however often a loop is written out: $(grep -c 'bank conflicts:' out)" $?
moved() { "$sculpt" explain kernels.cu --json --kernel "$1" --grid 8192 --block 256 2>log | sed -n 's/.*"compulsory_bytes": \([0-9]*\).*/\1/p' | head -n 1; }
have=$(moved records) want=$(moved flat) && [ "$((have / 100000))" -eq "$((want / 100000))" ]
check "fields of one record are brought together: $have, $want bytes" $?

# ---- what is wrong
explain race --grid 4096 --block 256; [ $? -eq 1 ] && grep -q 'predicted .*; 1 error, at the end' out && grep -q ' race: threads of a block meet here on s.*(error SC0209)' out
check "a race is a finding, and the summary counts it" $?
explain needless --grid 4096 --block 256 && grep -q '1 finding, at the end' out && grep -q ' barrier: this barrier orders nothing.*(remark SC0407)' out
check "a needless barrier is a finding" $?

# ---- how sure
explain first --grid 128 --block 512 && grep 'load  a\[bx\]' out | grep -q ', 128 requests' && grep 'store u\[0\]' out | grep -q ', 128 requests'
check "what one thread of a block does is counted once a block: $(grep 'requests' out)" $?
grep -q 'followed .*of 128 blocks' out
check "what was followed of a launch is said" $?
explain waits --grid 64 --block 64 && grep -q 'assumed, because nobody gives it: n = ' out && grep -q 'assumed .*the loop over .* makes 16 iterations.*: only the data tell' out
check "guesses are said to be guesses: $(grep assumed out)" $?
explain waits --grid 64 --block 64 --arg n=4096 && ! grep -q 'because nobody gives it' out
check "what is given is no guess" $?
cat >matmul.c <<'END'
void product(int n, float (*restrict c)[n], float (*restrict a)[n], float (*restrict b)[n])
{
#pragma sculpt reduction(+:c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}
END
for m in K20 C2070 GTX280 Radeon; do
    "$sculpt" explain --machine $m --permit reassociate matmul.c >out 2>log && grep -q 'predicted [0-9.]* [mu]s on ' out && ! grep -qi 'nan\|no block fits' out
    check "on $m runs a nest that fits it: $(grep predicted out)" $?
done

# ---- how long it may take: loops far inside each other are counted once
echo 'void f(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        do do do do do do do do do a[i] *= 2;
        while (0); while (0); while (0); while (0); while (0); while (0); while (0); while (0); while (0);
    }
}' >deep.c
(ulimit -S -t 20; exec timeout 600 "$sculpt" explain deep.c) >out 2>log && grep -q 'predicted' out
check "nine loops inside each other take no time: $(cat log)" $?
# A variable that counts what happens in many loops inside of each other.
{
    printf 'void f(int n, int *a) {\n    int seen = 0;\n#pragma sculpt\n    for (int i = 0; i < n; i++)\n'
    for k in $(seq 20); do printf '        for (int q%s = 0; q%s < 3; q%s++)\n' $k $k $k; done
    printf '            a[i] = ++seen;\n}\n'
} >counted.c
(ulimit -S -t 60; ulimit -v 2000000; exec timeout 600 "$sculpt" explain counted.c) >out 2>log
check "explain of a variable counted in 20 loops: $(head -n 1 log)" $?

# Functions of whole numbers are no operations of floating point, and a remainder of two words is many.
cat >wide.c <<'END'
typedef unsigned long u64;
void f(int n, u64 *r, const u64 *a, const u64 *b, u64 m)
{
#pragma sculpt
    for (int i = 0; i < n; i++) r[i] = (u64)((unsigned __int128)a[i] * b[i] % m);
#pragma sculpt
    for (int i = 0; i < n; i++) r[i] = (u64)((unsigned __int128)a[i] * b[i] >> 64);
}
END
timeout 3600 "$sculpt" explain wide.c >out 2>log && [ "$(grep -c 'roofline     0 flop, ' out)" = 2 ] && grep -q 'for want of instruction issue' out && grep -q 'for want of device memory' out
check "products of two words have a price of their own: $(grep -E 'roofline|want' out)" $?

# Many regions of one file: what planning one takes is given back. (The stack alone reserves half a gigabyte.)
(ulimit -v 1600000; exec timeout 3600 "$sculpt" explain "$root/bench/poly/poly.c") >out 2>log && [ "$(grep -c '^  predicted ' out)" -ge 30 ]
check "explain of thirty regions: $(tail -n 1 log)" $?

# Dependences over 33 counters at either end.
{
    printf 'void f(float *a) {\n#pragma sculpt\n'
    for k in $(seq 33); do printf '    for (int q%s = 0; q%s < 2; q%s++)\n' $k $k $k; done
    printf '        a[%s0] += 1;\n}\n' "$(seq 33 | sed 's/.*/q& + /' | tr -d '\n')"
} >many.c
(ulimit -S -t 6; exec timeout 120 "$sculpt" explain many.c) >out 2>log && grep -q 'carried by q' out
check "explain of 33 loops inside each other: $(head -n 1 log)" $?

# ---- what nobody asked for
refuses() { # message, words of the command
    want=$1
    shift
    timeout 3600 "$sculpt" explain "$@" >out 2>log
    [ $? -eq 2 ] && grep -q -- "$want" out log
    check "explain $*: $(cat log)" $?
}
# Hundreds of statements: no ladder of as many steps as trees of as many kernels.
awk 'BEGIN { print "void many(int n, double *restrict a, const double *restrict b) {\n#pragma sculpt\n    for (int i = 0; i < n; i++) {"
             for (k = 0; k < 150; k++) printf "        a[i + %d] = b[i] + %d;\n", 40 * k, k
             print "    }\n}" }' >many.c
timeout 3600 "$sculpt" explain many.c >out 2>log && grep -q 'no ladder: [0-9]* steps over 150 statements' out
check "many statements" $?

echo 'int none(int x) { return x + 1; }' >none.c
cp none.c other.cpp
echo 'int main(void) { return 0; }' >none.cu
refuses "did you mean '--machine'" --machin K20 matmul.c
refuses "did you mean '--grid'" kernels.cu --gird 4
refuses "no loop has a parameter of that name" --arg m=5 matmul.c
refuses "is no value of n" --arg n=many matmul.c
refuses "nothing in 'kernels.cu' has that name" kernels.cu --kernel close --grid 1 --block 32 --arg m=5
refuses "there is no kernel 'clos' in 'kernels.cu', but: apart, close" kernels.cu --kernel clos --grid 1 --block 32
refuses "no marked loop was found" none.c
refuses "no kernel is defined" none.cu
refuses "is no C file" other.cpp
refuses "give --grid 64,64 and --block 16,16" kernels.cu --kernel close
[ $bad -eq 0 ] && echo "advise: all right"
exit $((bad != 0))
