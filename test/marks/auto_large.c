// flags: --auto
// A loop without a mark that has very many statements, because functions call functions, is left alone; the
// same one with a mark is not.
typedef struct { double x, v; } Body;
static inline void step(Body *b, double y) { b->x += y * b->v; b->v -= y * b->x; b->x *= 0.5; b->v *= 0.25; }
static inline void four(Body *b, double y) { step(b, y); step(b, 2 * y); step(b, 3 * y); step(b, 4 * y); }
static inline void sixteen(Body *b, double y) { four(b, y); four(b, y / 3); four(b, y / 5); four(b, y / 7); }
static inline void twice(Body *b, double y) { sixteen(b, y); sixteen(b, y + 1); }
static inline void more(Body *b, double y) { twice(b, y); twice(b, y + 2); }
static inline void most(Body *b, double y) { more(b, y); more(b, y * y); }
void alone(int n, Body *b, double y) {
    for (int i = 0; i < n; i++) most(&b[i], y);
}
void asked(int n, Body *b, double y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) more(&b[i], y);
}
// remark 12:5 stays on the host: with what it calls the loop has
// device 1
