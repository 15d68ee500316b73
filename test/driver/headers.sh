#!/bin/sh
# Headers of compilers, here and wherever else: a file that includes one keeps its loop.  test/driver/headers.sh SCULPT
#
# The headers of a compiler (OpenMP's, OpenACC's, vectors of the processor, types and limits), and those of C that
# rest on them, are included with each compiler's folder ahead of all others. SCULPT_TEST_HEADERS names more
# folders, of other versions say, whose packages were unpacked somewhere.
sculpt=$(realpath "$1") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
names="omp.h openacc.h immintrin.h x86intrin.h xmmintrin.h emmintrin.h complex.h tgmath.h assert.h float.h limits.h
    stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdnoreturn.h stdio.h stdlib.h math.h string.h"
cat >loop.c <<'END'
void f(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = (float)i;
}
END
read=0 bad=0
for folder in /usr/lib/gcc/*/*/include /usr/lib/llvm-*/lib/clang/*/include $SCULPT_TEST_HEADERS; do
    [ -f "$folder/stddef.h" ] || [ -f "$folder/omp.h" ] || continue
    for name in $names; do
        case $name in
        omp.h | openacc.h | *intrin.h) [ -f "$folder/$name" ] || continue ;;
        esac
        printf '#include <%s>\n' $name | cat - loop.c >one.c
        if timeout 3600 "$sculpt" explain --json -isystem "$folder" -fopenmp one.c 2>log | grep -q '"on_device": true'; then
            read=$((read + 1))
        else
            echo "FAIL headers: <$name> of $folder"
            head -n 3 log
            bad=$((bad + 1))
        fi
    done
done
echo "headers: $read read, $bad not"
[ $bad -eq 0 ] && [ $read -gt 0 ]
