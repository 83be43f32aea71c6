/* Makes the program lose OpenGL, as after a reset of the GPU. Preloaded, it answers glGetGraphicsResetStatus in place of the
   driver: "lost" for the calls whose numbers are in LOSE_GL ("30" or "30,40"), counted from 1, one call per frame. It appends an o
   to the file LOSE_GL_LOG whenever OpenGL is loaded and an x whenever it is lost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kNoError = 0, kUnknownContextReset = 0x8255 };

static void note(const char* what) {
  const int log = open(getenv("LOSE_GL_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (write(log, what, 1) != 1) abort();
  close(log);
}

static unsigned reset_status(void) {
  static long asked = 0;
  ++asked;
  const char* at = getenv("LOSE_GL");
  while (at && *at) {
    char* after;
    if (strtol(at, &after, 10) == asked) {
      note("x");
      return kUnknownContextReset;
    }
    at = *after ? after + 1 : after;
  }
  return kNoError;
}

typedef void (*Function)(void);

Function glfwGetProcAddress(const char* name) {
  if (strcmp(name, "glGetGraphicsResetStatus") == 0) {
    note("o");
    return (Function)reset_status;
  }
  Function (*next)(const char*) = (Function(*)(const char*))dlsym(RTLD_NEXT, "glfwGetProcAddress");
  return next(name);
}
