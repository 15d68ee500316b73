#!/bin/sh
# Plans on the device's own memory and in the caller's stream, where the driver only counts.
#   test/driver/stream.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -m 700 cache && sh "$root/test/driver/stub.sh" lib || exit 2
gcc -Wall -I"$root/include" "$root/test/driver/stream.c" -L"$(dirname "$sculpt")" -lsculpt -ldl -lpthread -o stream || exit 1
unset SCULPT_TUNE SCULPT_OFFLOAD
export STUB_SAYS="$work/says" CUDA_PATH="$work" SCULPT_DEVICE=cuda SCULPT_SYNC=1 SCULPT_CACHE_DIR="$work/cache"
export SCULPT_WISDOM="$work/none/w.db" LD_LIBRARY_PATH="$work/lib:$(dirname "$sculpt")"
timeout 120 ./stream || exit 1
command -v python3 >/dev/null || exit 0
cat >gpu.py <<'END'
# Arrays of a GPU and a stream from Python.
import ctypes
import sculpt

n, driver = 1000, ctypes.CDLL("libcuda.so.1")
memory = ctypes.create_string_buffer(8 * n)
at = ctypes.addressof(memory)
ctypes.c_void_p.in_dll(driver, "stub_owns").value = at
ctypes.c_size_t.in_dll(driver, "stub_owned").value = 8 * n


class OnGpu:
    def __init__(self, at, strides=None):
        of = dict(data=(at, False), shape=(n,), typestr="<f4", strides=strides, version=3)
        self.__cuda_array_interface__ = of


class Stream:
    cuda_stream = 4096


k = sculpt.kernel("void twice(int n, const float x[n], float o[n]) { for (int i = 0; i < n; i++) o[i] = 2 * x[i]; }")
k(n=n, x=OnGpu(at), o=OnGpu(at + 4 * n), stream=Stream())
copied = ctypes.c_int.in_dll(driver, "stub_copied")
assert copied.value == 0 and ctypes.c_void_p.in_dll(driver, "stub_met").value == 4096
try:
    k(n=n, x=OnGpu(at, strides=(8,)), o=OnGpu(at + 4 * n))
    raise SystemExit("an array with gaps is taken")
except TypeError:
    pass
END
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/python" SCULPT_LIBRARY="$(dirname "$sculpt")/libsculpt.so.0" timeout 120 python3 gpu.py
