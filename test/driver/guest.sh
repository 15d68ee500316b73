#!/bin/sh
# What a program has of its own, libsculpt leaves alone: its children, its handlers of signals and the stack
# for them, and its end, whenever that comes.  test/driver/guest.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
ulimit -c 0
bad=0
check() { # name, status of the check
    [ "$2" -eq 0 ] || { echo "FAIL guest: $1"; head -n 5 out log; bad=$((bad + 1)); }
}
"$sculpt" cc --no-remarks -O1 "$root/test/driver/guest.c" -o guest -lpthread >log 2>&1
check "the program is compiled" $?
export SCULPT_OFFLOAD=always TMPDIR=$work/tmp SCULPT_DEVICE SCULPT_SYNC=0
unset SCULPT_CHECK
devices=cpu
"$sculpt" devices --json 2>/dev/null | grep -q '"opencl:' && devices="cpu opencl"

cold() { # arguments, with nothing compiled yet
    rm -rf cache pocl tmp
    mkdir cache pocl tmp
    SCULPT_CACHE_DIR=$work/cache POCL_CACHE_DIR=$work/pocl timeout 600 ./guest "$@" >out 2>log
}
for SCULPT_DEVICE in $devices; do
    for how in handlers ignore reaper; do
        cold 3 $how
        check "$how on $SCULPT_DEVICE" $?
    done
done
# PoCL starts programs from threads of its own.
SCULPT_DEVICE=cpu
cold 3 waiter
check "a thread that waits for any child" $?

# The C compiler ends with the program that ends while kernels are compiled beside it.
cat >cc <<'EOF'
[ -e first ] || { : >first; exec gcc "$@"; }
echo $$ >compiler
mv compiler compiles
sleep 600
EOF
for how in exit _exit quick_exit abort kill fork; do
    rm -f first compiles
    SCULPT_HOST_CC="sh cc" cold 1 when "$work/compiles" $how
    status=$?
    case $how in abort) status=$((status - 134)) ;; kill) status=$((status - 143)) ;; *) status=$((status - 7)) ;; esac
    [ $status -eq 0 ]
    check "$how while a kernel is compiled" $?
    i=0
    while kill -0 "$(cat compiles)" 2>/dev/null && [ $i -lt 600 ]; do i=$((i + 1)) && sleep 0.1; done
    [ $i -lt 600 ]
    check "$how: the compiler ends" $?
    case $how in exit | fork) [ -z "$(ls -A tmp)" ] ;; esac
    check "$how: its folder is removed" $?
done

# What a compiler without a word did.
for status in 3 0; do
    echo "exit $status" >cc
    SCULPT_HOST_CC="sh cc" cold 1 exit
    [ $? -eq 7 ] && grep -Eq 'failed: it (ended with status 3|made no file); the original loops run' log
    check "a compiler that ends with $status" $?
done

# NVRTC compiles beside the program when that ends: its own end has to wait.
sh "$root/test/driver/stub.sh" stub/lib
check "a machine without a GPU" $?
export STUB_SAYS=$work/says CUDA_PATH=$work/stub LD_LIBRARY_PATH=$work/stub/lib:$LD_LIBRARY_PATH
SCULPT_DEVICE=cuda
cold 1 when "$work/says"
[ $? -eq 7 ]
check "the end while NVRTC compiles" $?

# What directives move: an update its own part, and all of what was only promised before.
cat >moves.c <<'END'
#include <stdlib.h>
enum { N = 1 << 20 };
typedef struct {
    double x;
    struct { float at[3]; char kind; } in;
} Item;
static void fill(Item *p) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
        p[i].x = i, p[i].in.kind = 1;
        for (int k = 0; k < 3; k++) p[i].in.at[k] = k;
    }
}
static void step(const float *from, float *to) {
#pragma acc parallel loop
    for (int i = 1; i < N - 1; i++) to[i] = from[i - 1] + from[i + 1];
}
int main(void) {
    float *u = calloc(3 * N, sizeof *u), *v = u + N, *w = v + N;
#pragma acc enter data create(u[0 : 3 * N])
#pragma acc update device(u[0 : 3 * N])
    for (int t = 0; t < 20; t++) {
        step(u, v);
#pragma acc update self(v[0 : 4])
#pragma acc update device(w[0 : 8])
        float *first = u;
        u = v, v = w, w = first;
    }
    Item *p = malloc(N * sizeof *p);
#pragma omp target enter data map(alloc: p[0:N])
    for (int t = 0; t < 20; t++) {
        fill(p);
#pragma omp target update from(p[N / 2:2])
#pragma omp target update to(p[7 * t:1])
    }
#pragma omp target exit data map(from: p[9:3])
    return 0;
}
END
"$sculpt" cc -O1 moves.c -o moves 2>log && rm -f moved.json &&
    SCULPT_SYNC=1 SCULPT_OFFLOAD=always SCULPT_CACHE_MAX=0 SCULPT_TIME=moved.json ./moves
moved() { # up or down, by all regions
    sed -n "s/.*\"bytes_$1\": \([0-9]*\).*/\1/p" moved.json | awk '{ all += $1 } END { printf "%d", all }'
}
up=$(moved up) down=$(moved down)
[ "$up" -ge 12582912 ] && [ "$up" -lt 12600000 ] && [ "$down" -lt 10000 ]
check "directives move what they name: $up bytes up, $down down" $?

# Which array there is no room for.
SCULPT_FAULT=alloc cold 1 exit
[ $? -eq 7 ] && grep -q 'warning: c: SCULPT_FAULT: alloc number [0-9]* fails; the original loops run' log
check "an array that the device has no room for" $?
[ $bad -eq 0 ]
