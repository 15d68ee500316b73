#!/bin/sh
# A program may call its functions and variables what libsculpt and the libraries below it call theirs, or what
# they want of the C library: each finds its own.  test/driver/names.sh SCULPT
sculpt=$(realpath "$1") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
ulimit -c 0
bad=0
lib=$(dirname "$sculpt")
devices=cpu
"$sculpt" devices --json 2>/dev/null | grep -q '"opencl:' && devices="cpu opencl"

# Every name that they take from each other or from the C library, but for those that are one in a process: C's
# reserved ones, the allocator's, data of the C library.
below() { ldd "$@" | awk '$3 ~ "/" { print $3 }' | grep -vE '/lib(c|m|stdc\+\+|gcc_s)\.so'; }
drivers=$(ldconfig -p | awk '/lib(OpenCL|pocl)\.so\.[0-9]+ / { print $NF }')
{
    nm -D --defined-only $(below "$lib/libsculpt.so") | awk '$2 == "T" { print $3 }'
    nm -D --undefined-only "$lib/libsculpt.so" $(below "$lib/libsculpt.so" $drivers) $drivers | awk '$1 == "U" { print $2 }'
    nm "$lib/libsculpt.so" | awk '$2 == "t" { print $3 }' # its own, which nobody else sees
} 2>/dev/null | sed 's/@.*//' | grep -E '^[A-Za-z][A-Za-z0-9_]*$' | sort -u | grep -vxE \
    'sculpt_.*|ffi_type_.*|malloc|calloc|realloc|free|reallocarray|memalign|valloc|pvalloc|posix_memalign|aligned_alloc|malloc_usable_size|environ|std(in|out|err)|opt(arg|ind|err|opt)|main|product' >names
[ "$(wc -l <names)" -gt 300 ] && grep -qx stat names && grep -qx simplify names && grep -qx sqlite3_step names ||
    { echo "FAIL names: too few are known"; bad=1; }

cat >loops.c <<'END'
enum { N = 96 };
static float a[N * N], b[N * N], c[N * N];
__attribute__((noinline)) static void product(int n, float *restrict c, const float *restrict a,
                                              const float *restrict b) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
int main(void) {
    int wrong = 0;
    for (int i = 0; i < N * N; i++) a[i] = (float)(i % 5), b[i] = (float)(i % 7), c[i] = 1;
    product(N, c, a, b);
    for (int i = 0; i < N * N; i++) {
        float sum = 1;
        for (int k = 0; k < N; k++) sum += a[i / N * N + k] * b[k * N + i % N];
        wrong += c[i] != sum;
    }
    return wrong != 0;
}
END
{ sed 's/.*/int &(void) { __builtin_trap(); }/' names; cat loops.c; } >functions.c
{ sed 's/.*/double &[2] = {1, 2};/' names; cat loops.c; } >variables.c

export SCULPT_OFFLOAD=always SCULPT_SYNC=1 SCULPT_REQUIRE=1 SCULPT_DEVICE
cold() { # program, with nothing compiled yet
    for SCULPT_DEVICE in $devices; do
        rm -rf cache pocl
        mkdir cache pocl
        SCULPT_CACHE_DIR=$work/cache POCL_CACHE_DIR=$work/pocl timeout 600 "./$1" >log 2>&1 ||
            { echo "FAIL names: $1 on $SCULPT_DEVICE ends with $?"; head -n 5 log; bad=$((bad + 1)); }
    done
}
for kind in functions variables; do
    "$sculpt" cc -w -fno-builtin -O1 $kind.c -o $kind >log 2>&1 || { echo "FAIL names: $kind"; head log; bad=1; continue; }
    cold $kind
done
# Linked by hand, with all names for everybody and no slot that may be written.
"$sculpt" cc -w -fno-builtin -O1 -c functions.c -o functions.o >log 2>&1 &&
    gcc -rdynamic -Wl,-z,now functions.o -o linked -L"$lib" -Wl,-rpath,"$lib" -lsculpt >log 2>&1 ||
    { echo "FAIL names: linked by hand"; head log; bad=$((bad + 1)); }
[ -x linked ] && cold linked
[ $bad = 0 ]
