// Loaded before the program (LD_PRELOAD): makes the n-th call of a family fail, so that tests can check for every n how the
// program copes. Calls before main() are the loader's and are not counted. It allocates nothing and holds no lock.
//
//   FAULT_CALL=open|read|write|rename|mmap|malloc|readdir|remove
//                     the family (open: openat, fopen; read: pread; write: pwrite, writev; malloc: calloc, realloc,
//                     aligned, and operator new by way of it)
//   FAULT_N=12        the first call that fails, counted from 1
//   FAULT_ALL=1       all calls after it fail too
//   FAULT_ERRNO=5     they fail with this errno
//   FAULT_SHORT=1     instead of failing, reads and writes do one byte
//   FAULT_COUNT=3     at the end "FAMILY CALLS" is written for each family to this descriptor; without FAULT_CALL nothing fails
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

enum { kOpen, kRead, kWrite, kRename, kMmap, kMalloc, kReaddir, kRemove, kFamilies };
static const char* const kNames[kFamilies] = {"open", "read", "write", "rename", "mmap", "malloc", "readdir", "remove"};
static long counts[kFamilies];
static int wanted = -1, code, all, make_short, begun, count_to = -1;
static long from;

static long number(const char* name, long otherwise) {
  const char* const text = getenv(name);
  return text ? atol(text) : otherwise;
}

static int fails(int family) {
  if (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) return 0;
  const long n = __atomic_add_fetch(&counts[family], 1, __ATOMIC_RELAXED);
  if (family != wanted || (all ? n < from : n != from)) return 0;
  errno = code;
  return 1;
}

static void report(void) {
  begun = 0;
  for (int i = 0; i < kFamilies; ++i) dprintf(count_to, "%s %ld\n", kNames[i], counts[i]);
}

typedef int Main(int, char**, char**);
static Main* real_main;

static int counted_main(int argc, char** argv, char** environment) {
  const char* const call = getenv("FAULT_CALL");
  for (int i = 0; call && i < kFamilies; ++i) {
    if (strcmp(call, kNames[i]) == 0) wanted = i;
  }
  from = number("FAULT_N", 1);
  code = (int)number("FAULT_ERRNO", EIO);
  all = (int)number("FAULT_ALL", 0);
  make_short = (int)number("FAULT_SHORT", 0);
  count_to = (int)number("FAULT_COUNT", -1);
  if (count_to >= 0) atexit(report);
  __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
  return real_main(argc, argv, environment);
}

#define NEXT(name) (__typeof__(&name))dlsym(RTLD_NEXT, #name)

typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
int __libc_start_main(Main* start, int argc, char** argv, void (*a)(void), void (*b)(void), void (*c)(void), void* d) {
  real_main = start;
  return ((Start*)dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, a, b, c, d);
}

static int mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; }
#define OPEN(name)                                              \
  int name(const char* path, int flags, ...) {                  \
    va_list rest;                                               \
    va_start(rest, flags);                                      \
    const int mode = mode_of(flags, rest);                      \
    va_end(rest);                                               \
    return fails(kOpen) ? -1 : (NEXT(name))(path, flags, mode); \
  }
#define OPENAT(name)                                                \
  int name(int at, const char* path, int flags, ...) {              \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    const int mode = mode_of(flags, rest);                          \
    va_end(rest);                                                   \
    return fails(kOpen) ? -1 : (NEXT(name))(at, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FILE* fopen(const char* path, const char* mode) { return fails(kOpen) ? NULL : (NEXT(fopen))(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return fails(kOpen) ? NULL : (NEXT(fopen64))(path, mode); }

// How many of n bytes are read or written; 0 when the call fails.
static size_t part(int family, size_t n) { return !fails(family) ? n : make_short && n > 0 ? 1 : 0; }
#define DOES(family, call)                  \
  {                                         \
    const size_t asked = n;                 \
    n = part(family, n);                    \
    return n == 0 && asked > 0 ? -1 : call; \
  }
ssize_t read(int fd, void* to, size_t n) DOES(kRead, (NEXT(read))(fd, to, n)) ssize_t
    pread(int fd, void* to, size_t n, off_t at) DOES(kRead, (NEXT(pread))(fd, to, n, at)) ssize_t
    pread64(int fd, void* to, size_t n, off64_t at) DOES(kRead, (NEXT(pread64))(fd, to, n, at)) ssize_t
    write(int fd, const void* p, size_t n) DOES(kWrite, (NEXT(write))(fd, p, n)) ssize_t
    pwrite(int fd, const void* p, size_t n, off_t at) DOES(kWrite, (NEXT(pwrite))(fd, p, n, at)) ssize_t
    pwrite64(int fd, const void* p, size_t n, off64_t at) DOES(kWrite, (NEXT(pwrite64))(fd, p, n, at)) ssize_t
    writev(int fd, const struct iovec* of, int n) {
  return fails(kWrite) ? -1 : (NEXT(writev))(fd, of, n);
}
struct dirent* readdir(DIR* folder) { return fails(kReaddir) ? NULL : (NEXT(readdir))(folder); }
struct dirent64* readdir64(DIR* folder) { return fails(kReaddir) ? NULL : (NEXT(readdir64))(folder); }
int remove(const char* path) { return fails(kRemove) ? -1 : (NEXT(remove))(path); }
int rename(const char* a, const char* b) { return fails(kRename) ? -1 : (NEXT(rename))(a, b); }
void* mmap(void* at, size_t n, int protect, int flags, int fd, off_t from_byte) {
  return fails(kMmap) ? MAP_FAILED : (NEXT(mmap))(at, n, protect, flags, fd, from_byte);
}

// Libraries that crash in their own code when memory is refused: Mesa in glCompileShader and where it looks up functions,
// libarchive in archive_read_open1, fontconfig (with expat) in FcConfigSubstitute, stb_truetype (an assert) where ImGui has letters
// drawn, LLVM by its own documentation. Mesa's C++ throws through its own C code and leaves locks behind. Allocations that these
// libraries make themselves are not counted. Nor are those that glibc makes to register the destructor of a thread_local variable:
// without that memory it ends the program.
static const char* const kOthers[] = {"_dri.so",    "libgallium",    "libglapi", "libGL",    "libEGL",
                                      "libarchive", "libfontconfig", "libstb",   "libexpat", "libLLVM"};
// While a library is loaded no allocation is refused: its C++ initialisers use the program's operator new, and an exception that
// leaves dlopen() leaves the loader's lock behind.
static __thread int opening;
typedef void* Open(const char*, int);
void* dlopen(const char* path, int flags) {
  ++opening;
  void* const library = ((Open*)dlsym(RTLD_NEXT, "dlopen"))(path, flags);
  --opening;
  return library;
}

typedef struct {
  void* at[12];
  int n;
} Frames;
static _Unwind_Reason_Code add_frame(struct _Unwind_Context* context, void* to) {
  Frames* const frames = to;
  frames->at[frames->n++] = (void*)_Unwind_GetIP(context);
  return frames->n < 12 ? _URC_NO_REASON : _URC_END_OF_STACK;
}
static int is_new(const Dl_info* function) { return function->dli_sname && strncmp(function->dli_sname, "_Zn", 3) == 0; }

// Where the caller is operator new, which is the program's own, finds the function that called it.
static void skip_new(Dl_info* function) {
  if (!is_new(function)) return;
  Frames frames = {{0}, 0};
  _Unwind_Backtrace(add_frame, &frames);
  int i = 0;
  for (; i < frames.n && (!dladdr(frames.at[i], function) || !is_new(function)); ++i) {}
  for (; i < frames.n && (!dladdr(frames.at[i], function) || is_new(function)); ++i) {}
}

static int of_others(const void* caller) {
  Dl_info found;
  if ((wanted != kMalloc && count_to < 0) || !dladdr(caller, &found)) return 0;
  skip_new(&found);
  if (found.dli_sname && strcmp(found.dli_sname, "__cxa_thread_atexit_impl") == 0) return 1;
  for (unsigned i = 0; i < sizeof kOthers / sizeof *kOthers; ++i) {
    if (strstr(found.dli_fname, kOthers[i])) return 1;
  }
  return 0;
}

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
#define REFUSED (begun && !opening && !of_others(__builtin_return_address(0)) && fails(kMalloc))
void* malloc(size_t n) { return REFUSED ? NULL : __libc_malloc(n); }
void* calloc(size_t n, size_t each) { return REFUSED ? NULL : __libc_calloc(n, each); }
void* realloc(void* p, size_t n) { return REFUSED ? NULL : __libc_realloc(p, n); }
// Written out here, so that the return address is that of its caller and not in glibc's strdup().
char* strdup(const char* text) {
  char* const copy = REFUSED ? NULL : __libc_malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}
void* aligned_alloc(size_t a, size_t n) { return REFUSED ? NULL : __libc_memalign(a, n); }
