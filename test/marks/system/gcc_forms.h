// Forms of declarations in gcc's headers that clang, or an older clang, refuses.
extern void omp_like_free(void *, unsigned long);
extern void *omp_like_alloc(unsigned long, unsigned long)
    __attribute__((__malloc__, __malloc__ (omp_like_free), __alloc_size__ (1)));
extern void *omp_like_calloc(unsigned long) __attribute__((__malloc__ (omp_like_free, 1)));
extern double fine(double) __attribute__((__nothrow__, __malloc__ (omp_like_free, 1)));
typedef _Decimal128 wide_like;
typedef __fancy16 half_like;
struct with_wide { int n; wide_like w; int m; };
enum { LANES_LIKE = __builtin_not_in_clang (4), AFTER_LIKE };
static inline int only_gcc(int x) {
    __attribute__((assume (x > 0))); return __builtin_not_in_clang_either(x) + AFTER_LIKE;
}
static inline int both(int x) { return x + 1; }
#error "a header that wants another compiler"
