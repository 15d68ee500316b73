// CHECK loops.c:mriq_q --bind ck=kv --grid "numX / 256" --block 256 --where "numX % 256 == 0"
#define PIx2 6.2831853071795864769252867665590058f
#define KMAX 512
struct kValues {
    float Kx;
    float Ky;
    float Kz;
    float PhiMag;
};
__constant__ __device__ kValues ck[KMAX];
__global__ void ComputeQ_GPU(float *x, float *y, float *z, float *Qr, float *Qi) {
    float sX, sY, sZ, sQr, sQi;
    int xIndex = blockIdx.x * 256 + threadIdx.x;
    sX = x[xIndex];
    sY = y[xIndex];
    sZ = z[xIndex];
    sQr = Qr[xIndex];
    sQi = Qi[xIndex];
    int kIndex = 0;
    for (; kIndex < KMAX; kIndex++) {
        float expArg = PIx2 * (ck[kIndex].Kx * sX + ck[kIndex].Ky * sY + ck[kIndex].Kz * sZ);
        sQr += ck[kIndex].PhiMag * cosf(expArg);
        sQi += ck[kIndex].PhiMag * sinf(expArg);
    }
    Qr[xIndex] = sQr;
    Qi[xIndex] = sQi;
}
