// SPDX-License-Identifier: MIT
// nbody.c -- forces of bodies in a plane on each other, softened: one thread a body.
#include <math.h>

void nbody(int n, float (*force)[n], const float (*pos)[n], const float *mass, float soft) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float f_x = 0, f_y = 0;
        for (int j = 0; j < n; j++) {
            float a_x = pos[0][i], a_y = pos[1][i], a_m = mass[i];
            float d_x = pos[0][j] - a_x, d_y = pos[1][j] - a_y;
            float inv = 1.0f / sqrtf(d_x * d_x + d_y * d_y + soft);
            float f = a_m * mass[j] * inv * inv * inv;
            f_x += f * d_x;
            f_y += f * d_y;
        }
        force[0][i] = f_x;
        force[1][i] = f_y;
    }
}
