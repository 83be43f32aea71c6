/* Preloaded, ends a program whose XGetGeometry fails, since the program would go on with uninitialised memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

typedef unsigned long Id;
typedef int (*Geometry)(void*, Id, Id*, int*, int*, unsigned*, unsigned*, unsigned*, unsigned*);

int XGetGeometry(void* display, Id drawable, Id* root, int* x, int* y, unsigned* width, unsigned* height, unsigned* border, unsigned* depth) {
  static Geometry real = NULL;
  if (!real) real = (Geometry)dlsym(RTLD_NEXT, "XGetGeometry");
  if (!real(display, drawable, root, x, y, width, height, border, depth)) abort();
  return 1;
}
