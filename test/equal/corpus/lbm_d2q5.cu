// CHECK loops.c:lbm_d2q5 --grid "(w + 127) / 128, h" --block 128
#define F(q, yy, xx) f[(q) * h * w + (yy) * w + (xx)]
#define G(q, yy, xx) g[(q) * h * w + (yy) * w + (xx)]
__global__ void lbm_step(const float *__restrict__ f, float *__restrict__ g, float omega, int w, int h) {
    const int x = threadIdx.x + blockIdx.x * blockDim.x;
    const int y = blockIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    const float f0 = F(0, y, x);
    const float f1 = F(1, y, x - 1);
    const float f2 = F(2, y, x + 1);
    const float f3 = F(3, y - 1, x);
    const float f4 = F(4, y + 1, x);
    const float rho = f0 + f1 + f2 + f3 + f4;
    const float ux = (f1 - f2) / rho;
    const float uy = (f3 - f4) / rho;
    G(0, y, x) = f0 - omega * (f0 - rho / 3.0f);
    G(1, y, x) = f1 - omega * (f1 - rho / 6.0f * (1.0f + 3.0f * ux));
    G(2, y, x) = f2 - omega * (f2 - rho / 6.0f * (1.0f - 3.0f * ux));
    G(3, y, x) = f3 - omega * (f3 - rho / 6.0f * (1.0f + 3.0f * uy));
    G(4, y, x) = f4 - omega * (f4 - rho / 6.0f * (1.0f - 3.0f * uy));
}
