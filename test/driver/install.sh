#!/bin/sh
# What `make install` lays out, used from elsewhere.  test/driver/install.sh BUILD
#
# The compiler makes a program, a program calls the library by pkg-config and by CMake's package, and
# the recipes, machines and ladders that belong to it are found.
build=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export SCULPT_CACHE_DIR="$work/cache"
unset SCULPT_DEVICES
cd "$work" || exit 2
bad=0
check() { # what, its status
    [ "$2" = 0 ] && return
    echo "FAIL install: $1"
    head -n 8 log | sed 's/^/    /'
    bad=$((bad + 1))
}
cmake --install "$build" --prefix "$work/first" >log 2>&1
check "cmake --install" $?
mv first moved # nothing may know where it was laid
PATH=$work/moved/bin:$PATH
export PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name sculpt.pc)")

mkdir user && cd user || exit 2
cat >scale.c <<'END'
#include <stdio.h>
int main(void)
{
    static float a[5000];
#pragma sculpt
    for (int i = 0; i < 5000; i++)
        a[i] = 2 * i;
    return a[4999] != 9998;
}
END
cat >ask.c <<'END'
#include <sculpt/sculpt.h>
#include <stdio.h>
int main(void)
{
    float *x = sculpt_malloc(4000);
    x[999] = 1;
    puts(sculpt_device_name());
    sculpt_free(x);
    return 0;
}
END
sculpt --version >log 2>&1 && grep -qx "sculpt $(pkg-config --modversion sculpt)" log
check "one version for all" $?
SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu sculpt run --require-device scale.c >log 2>&1
check "sculpt run" $?
sculpt cc -O2 scale.c -o scale >log 2>&1 && SCULPT_DEVICE=cpu ./scale >>log 2>&1
check "sculpt cc" $?
gcc ask.c -o ask $(pkg-config --cflags --libs sculpt) >log 2>&1 &&
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir sculpt) SCULPT_DEVICE=cpu ./ask >>log 2>&1
check "pkg-config" $?
gcc "$root/examples/library/plan.c" -o plan $(pkg-config --cflags --libs sculpt) >log 2>&1 && # /bin: no sculpt in $PATH
    PATH=/usr/bin:/bin LD_LIBRARY_PATH=$(pkg-config --variable=libdir sculpt) SCULPT_DEVICE=cpu ./plan >>log 2>&1 && grep -q '^0 wrong' log
check "a plan from C text, read by the program that lies with the library" $?
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(sculpt 0.1 REQUIRED)
add_executable(ask ask.c)
target_link_libraries(ask sculpt::sculpt)
execute_process(COMMAND ${SCULPT_COMPILER} --version COMMAND_ERROR_IS_FATAL ANY)
END
{ cmake -S . -B b -DCMAKE_PREFIX_PATH="$work/moved" && cmake --build b && SCULPT_DEVICE=cpu b/ask; } >log 2>&1
check "CMake's package" $?
# The Python module by pip, which fetches what builds it: it finds the library beside the program.
mkdir module && cp -r "$root/python/pyproject.toml" "$root/python/sculpt" module
if python3 -m venv v >log 2>&1 && { v/bin/pip install -q ./module || ! grep -q 'No matching distribution' log; } >log 2>&1; then
    (cd .. && env -u SCULPT_LIBRARY -u PYTHONPATH SCULPT_DEVICE=cpu user/v/bin/python "$root/test/driver/python.py") >>log 2>&1
    check "pip install" $?
    (cd .. && env -u SCULPT_LIBRARY -u PYTHONPATH PATH=/usr/bin:/bin user/v/bin/python -c 'import sculpt') >log 2>&1
    [ $? = 1 ] && grep -q 'ImportError: .*SCULPT_LIBRARY names the file' log
    check "and without the library says what lacks" $?
fi
sculpt explain --machine K20 scale.c >log 2>&1 && grep -q 'on NVIDIA Tesla K20\|on .*K20' log
check "machines" $?
sculpt bench ladder nothing >log 2>&1
grep -q 'first.ladder\|there is no ladder\|nothing' log
check "ladders" $?
for file in share/man/man1/sculpt.1 share/bash-completion/completions/sculpt share/zsh/site-functions/_sculpt share/fish/vendor_completions.d/sculpt.fish share/sculpt/recipes/sgemm.sculpt \
    share/sculpt/bench/ladders/first.ladder share/sculpt/examples/matmul_1d.c include/sculpt/sculpt.h; do
    [ -s "$work/moved/$file" ]
    check "$file" $?
done
mkdir "$work/b" && cmake --install "$build" --prefix "$work/sculpt" >log 2>&1 && cp "$build/install_manifest.txt" "$work/b/installed" &&
    make -s -f "$root/Makefile" BUILD="$work/b" uninstall >log 2>&1 && [ -z "$(find "$work/sculpt" -type f -o -type l)" ]
check "make uninstall" $?
exit $((bad > 0))
