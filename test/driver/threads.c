// threads.c -- a hundred threads execute one plan, each on arrays of its own and one that all read; some make
// plans of their own meanwhile.
#include <pthread.h>
#include <sculpt/sculpt.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 100, TURNS = 5, N = 64 };
static const char source[] = "void scale(int n, float k, const float x[n], float o[n]) {\n"
                             "#pragma sculpt\n"
                             "    for (int i = 0; i < n; i++) o[i] = k * x[i] + (float)i;\n"
                             "}\n";
static sculpt_plan *plan;
static float x[N];

static void *work(void *arg) {
    double k = (double)(size_t)arg;
    float o[N];
    size_t wrong = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        sculpt_plan *own = (size_t)arg % 25 == 24 ? sculpt_plan_c(source, "n=64", SCULPT_ESTIMATE) : plan;
        void *arrays[2] = {x, o};
        if (sculpt_plan_array(own, 0)[0] == 'o') arrays[0] = o, arrays[1] = x;
        if (!sculpt_execute(own, arrays, &k))
            return fprintf(stderr, "not run: %s\n", sculpt_message()), (void *)1;
        for (int i = 0; i < N; i++) wrong += o[i] != (float)k * x[i] + (float)i;
        if (own != plan) sculpt_destroy(own);
    }
    return (void *)wrong;
}

int main(void) {
    pthread_t thread[THREADS];
    size_t wrong = 0;
    for (int i = 0; i < N; i++) x[i] = (float)(i % 7);
    plan = sculpt_plan_c(source, "n=64", SCULPT_ESTIMATE);
    if (!plan) return fprintf(stderr, "%s\n", sculpt_message()), 1;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)i)) return perror("pthread_create"), 1;
    for (int i = 0; i < THREADS; i++) {
        void *bad;
        pthread_join(thread[i], &bad);
        wrong += (size_t)bad;
    }
    sculpt_destroy(plan);
    printf("%zu wrong in %d threads\n", wrong, THREADS);
    return wrong > 0;
}
