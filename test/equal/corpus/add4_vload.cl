// CHECK loops.c:add4 --grid "n / 256" --block 64 --where "n % 256 == 0"
__kernel void vadd4(__global const float *a, __global const float *b, __global float *c, const unsigned int n) {
    size_t i = get_global_id(0);
    float4 x = vload4(i, a);
    float4 y = vload4(i, b);
    vstore4(x + y, i, c);
}
