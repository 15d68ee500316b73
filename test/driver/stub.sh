#!/bin/sh
# Makes FOLDER/libcuda.so.1 and NVRTC beside it, of a machine without a GPU (cuda_stub.c).  test/driver/stub.sh FOLDER
root=$(realpath "$(dirname "$0")/../..") && mkdir -p "$1" && cd "$1" || exit 2
for rest in "" -DREST; do
    gcc -w -fPIC -D_GNU_SOURCE -DGRAPHS $rest -I"$root/src" -c "$root/test/driver/cuda_stub.c" -o stub$rest.o || exit 1
done
gcc -shared stub.o stub-DREST.o -o libcuda.so.1 && cp libcuda.so.1 libnvrtc.so.13 && rm stub.o stub-DREST.o
