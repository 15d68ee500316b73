// words.c -- remarks name what the program has, and what its clauses say.
typedef struct {
    int n;
    double v[4];
} Row;
#pragma omp declare reduction(mod : unsigned : omp_out = (unsigned)(1ull * omp_out * omp_in % 65521)) \
    initializer(omp_priv = 1)
static Row rows[60];
void ragged(void) {
#pragma omp parallel for
    for (int i = 0; i < 60; i++) {
        rows[i].n = i % 4 + 1;
        for (int k = 0; k < rows[i].n; k++) rows[i].v[k] = i + k;
    }
}
unsigned declared(void) {
    unsigned m = 1;
#pragma omp parallel for reduction(mod : m)
    for (int i = 0; i < 400; i++) m = (unsigned)(1ull * m * (i + 1) % 65521);
    return m;
}
void clauses(void) {
#pragma sculpt reduction(+ :)
    for (int i = 0; i < 60; i++) rows[i].n = i;
#pragma sculpt reduction(+ : total)
    for (int i = 0; i < 60; i++) rows[i].n += i;
#pragma sculpt reasociate
    for (int i = 0; i < 60; i++) rows[i].n -= i;
}
void alone(void) {
#pragma acc parallel loop if(0)
    for (int i = 0; i < 60; i++) rows[i].n = i;
}
int main(void) {
#pragma omp for
    for (int i = 0; i < 60; i++) rows[i].n = i;
}
// remark 11:5 subscripts of 'rows->v' are not seen to stay in their rows
// remark 19:5 loop i is a reduction of m by 'mod', which the program declares
// remark 23:1 reduction(+ :) names no variable that the loop uses
// remark 25:1 reduction(+ : total) names no variable that the loop uses
// warning 27:1 unknown clause reasociate of #pragma sculpt (did you mean 'reassociate'?)
// warnings 1
// remark 31:1 by if(0) one thread runs the loop, on the host
// remark 35:1 one thread runs the loop, because no 'omp parallel' is around it
// remarks 6
