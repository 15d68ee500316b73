// SPDX-License-Identifier: MIT
// launch.h -- runs a hand-written kernel on data of its own: a number for each parameter, in their order;
// a pointer's is how many elements it has.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <vector>

static inline void must(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(e));
    exit(1);
}

// Floats in +-1, integers from 0 to most - 1, the same in each run.
template <class T>
static T *filled(long long n, long long most)
{
    std::vector<T> v(n);
    uint64_t x = 88172645463325252ull;
    for (long long i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        v[i] = std::is_integral<T>::value ? (T)(x % (uint64_t)most) : (T)((double)(x >> 11) / 4503599627370496.0 - 1.0);
    }
    T *out;
    must(cudaMalloc((void **)&out, n * sizeof(T)));
    must(cudaMemcpy(out, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    return out;
}

template <class T>
static std::enable_if_t<std::is_pointer<T>::value, T> argument(long long value, long long most, std::vector<void *> &own)
{
    auto p = filled<std::remove_const_t<std::remove_pointer_t<T>>>(value, most);
    own.push_back(p);
    return p;
}

template <class T>
static std::enable_if_t<!std::is_pointer<T>::value, T> argument(long long value, long long, std::vector<void *> &)
{
    return (T)value;
}

template <class... P>
static int launch(void (*kernel)(P...), dim3 grid, dim3 block, std::vector<long long> values, long long most)
{
    std::vector<void *> own;
    size_t at = 0;
    std::tuple<P...> args{argument<P>(values.at(at++), most, own)...};
    void *pointers[sizeof...(P)];
    size_t k = 0;
    std::apply([&](auto &...x) { ((pointers[k++] = (void *)&x), ...); }, args);
    cudaEvent_t begin, end;
    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
    must(cudaEventRecord(begin));
    must(cudaLaunchKernel((const void *)kernel, grid, block, pointers, 0, 0));
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    float ms;
    must(cudaEventElapsedTime(&ms, begin, end));
    printf("kernels %.6f ms\n", ms);
    for (void *p : own)
        must(cudaFree(p));
    return 0;
}
