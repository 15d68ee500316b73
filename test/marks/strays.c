// strays.c -- marks that no loop stands behind, directives that nobody knows.
static double x[100];
void strays(void) {
    for (int i = 0; i < 100; i++) x[i] = i;
    {
#pragma acc serial
    }
    {
#pragma acc serial loop
    }
    {
#pragma omp parallel
    }
    {
#pragma omp target
    }
    {
#pragma omp target teams
    }
}
#pragma acc serial
#pragma omp parallel
void unknown(void) {
#pragma acc paralel loop
    for (int i = 0; i < 100; i++) x[i] = i;
#pragma acc foo
    for (int i = 0; i < 100; i++) x[i] = i;
#pragma omp xyzzy for
    for (int i = 0; i < 100; i++) x[i] = i;
#pragma acc init
#pragma omp tile sizes(4)
    for (int i = 0; i < 100; i++) x[i] = i;
#pragma other foo
#pragma omp metadirective when(device = {kind(gpu)} : target teams loop) default(nothing)
    for (int i = 0; i < 100; i++) x[i] = i;
}
// warning 6:1 #pragma acc serial must stand before a for loop
// warning 9:1 #pragma acc serial must stand before a for loop
// warning 12:1 #pragma omp parallel must stand before a for loop
// warning 15:1 #pragma omp target must stand before a for loop
// warning 18:1 #pragma omp target teams must stand before a for loop
// warning 21:1 #pragma acc serial must stand before a for loop
// warning 22:1 #pragma omp parallel must stand before a for loop
// warning 24:13 'paralel' marks nothing; did you mean 'parallel'?
// warning 26:13 'foo' marks nothing: it is no directive of acc
// remark 34:1 #pragma omp metadirective is left to the host
// device 0
// remarks 1
