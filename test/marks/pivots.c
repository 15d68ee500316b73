// pivots.c -- that iterations meet at one place alone is asked for a while; then what they meet on is said.
int g[20000];
void f(int n) {
#pragma sculpt
    for (int i = n / 2; i < n; i++)
        for (int j = 0; j < 15; j++)
            g[(int)((unsigned)i * 5u % 64u)] = g[2 * j] + g[j >> 1];
}
int main(void) {
    f(100);
    return g[3];
}
// device 0
// remark 5:5 loop i carries a dependence on g, from g[i * 5 % 64] at line 7
// remarks 1
