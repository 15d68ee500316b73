#!/bin/sh
# Few iterations on data that are newer on the device run there: on the host they would wait for these. The
# driver runs nothing.
#   test/driver/near.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -m 700 cache && sh "$root/test/driver/stub.sh" lib || exit 2
cat >near.c <<'END'
enum { N = 1 << 22, FEW = 200 };
static float a[N], b[FEW], c[FEW];
int rand(void);
int main(void) {
#pragma acc data copy(a, b, c)
    for (int t = 0; t < 3; t++) {
        rand();
#pragma sculpt
        for (int i = 0; i < N; i++) a[i] = a[i] * 0.5f + (float)i;
#pragma sculpt
        for (int i = 0; i < FEW; i++) b[i] += a[i * 7];
#pragma sculpt
        for (int i = 0; i < FEW; i++) c[i] *= c[i];
    }
}
END
"$sculpt" cc -O1 near.c -o near || exit 1
unset SCULPT_TUNE SCULPT_OFFLOAD
export STUB_SAYS="$work/says" CUDA_PATH="$work" SCULPT_DEVICE=cuda SCULPT_SYNC=1 SCULPT_CACHE_DIR="$work/cache"
export SCULPT_WISDOM="$work/none/w.db" LD_LIBRARY_PATH="$work/lib:$(dirname "$sculpt")" SCULPT_TIME="$work/time"
timeout 120 ./near || exit 1
for want in '"line": 9,.*"device_calls": 3,' '"line": 11,.*"device_calls": 3,' '"line": 13,.*"host_calls": 3,'; do
    grep -q "$want" time || { echo "no $want in"; cat time; exit 1; }
done
