// CHECK loops.c:copy_floats
__global__ void copy_vec4(const float4 *__restrict__ in, float4 *__restrict__ out, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) out[i] = in[i];
}
__global__ void copy_tail(const float *in, float *out, int from, int n) {
    int i = from + threadIdx.x;
    if (i < n) out[i] = in[i];
}
void copy(int n, const float *x, float *y) {
    int n4 = n / 4;
    if (n4 > 0) copy_vec4<<<(n4 + 255) / 256, 256>>>((const float4 *)x, (float4 *)y, n4);
    if (n % 4) copy_tail<<<1, 4>>>(x, y, n4 * 4, n);
}
