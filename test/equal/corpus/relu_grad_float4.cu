// CHECK loops.c:relu_grad --where "n % 4 == 0" --grid "(n / 4 + 255) / 256" --bind "n4=n/4" --block 256
__global__ void relu_backward(const float4 *dy, const float4 *x, float4 *dx, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4) return;
    float4 d = dy[i], v = x[i], o;
    o.x = v.x > 0.f ? d.x : 0.f;
    o.y = v.y > 0.f ? d.y : 0.f;
    o.z = v.z > 0.f ? d.z : 0.f;
    o.w = v.w > 0.f ? d.w : 0.f;
    dx[i] = o;
}
