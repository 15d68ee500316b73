// CHECK loops.c:conv3d_const --where "d >= 3 && h >= 3 && w >= 3" --grid "(w - 2 + 7) / 8, (h - 2 + 7) / 8, (d - 2 + 3) / 4" --block "8,8,4" --bind filter=f
__constant__ float filter[27];
__global__ void conv3(const float *x, float *y, int d, int h, int w) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.y * blockDim.y + threadIdx.y;
    int a = blockIdx.z * blockDim.z + threadIdx.z;
    if (a < d - 2 && b < h - 2 && c < w - 2) {
        float s = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    s += x[(a + i) * h * w + (b + j) * w + (c + k)] * filter[i * 9 + j * 3 + k];
        y[a * (h - 2) * (w - 2) + b * (w - 2) + c] = s;
    }
}
