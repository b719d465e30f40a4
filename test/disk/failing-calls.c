/*
 * Makes one call of the system fail for files below one folder; preloaded into the program under test.
 *
 *   EDU_FAIL_BELOW   the folder, without links and without a slash at its end
 *   EDU_FAIL_CALL    kind of call: open, write, sync, rename, mkdir, truncate, lock
 *   EDU_FAIL_AT      number of the call among those of its kind, from 1; 0 never fails
 *   EDU_FAIL_HOW     error number; 0 writes half of the bytes, once
 *   EDU_FAIL_ON      how many calls fail from there on; a full disk stays full
 *   EDU_FAIL_LOG     file to append a line to for each call that is counted: kind, path, and ! if it failed
 *
 * Opening counts only if it may create or write.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum verdict { PASS, FAIL, SHORT };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static long counted = 0;

static long number(const char *name) {
  const char *text = getenv(name);
  return text == NULL ? 0 : atol(text);
}

static int is_below(const char *path) {
  const char *folder = getenv("EDU_FAIL_BELOW");
  if (folder == NULL) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void report(const char *call, const char *path, int failed) {
  const char *file = getenv("EDU_FAIL_LOG");
  if (file == NULL) return;
  int handle = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (handle < 0) return;
  char line[PATH_MAX + 32];
  int length = snprintf(line, sizeof line, "%s %s%s\n", call, path, failed ? " !" : "");
  syscall(SYS_write, handle, line, (size_t)length);
  syscall(SYS_close, handle);
}

static enum verdict judge(const char *call, const char *path) {
  const char *kind = getenv("EDU_FAIL_CALL");
  if (!is_below(path) || (kind != NULL && strcmp(kind, call) != 0)) return PASS;
  pthread_mutex_lock(&turn);
  long at = number("EDU_FAIL_AT"), now = ++counted, how = number("EDU_FAIL_HOW");
  int hit = at > 0 && now >= at && now < at + (how == 0 ? 1 : number("EDU_FAIL_ON"));
  report(call, path, hit);
  pthread_mutex_unlock(&turn);
  if (!hit) return PASS;
  if (how == 0) return SHORT;
  errno = (int)how;
  return FAIL;
}

static enum verdict judge_file(const char *call, int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int kept = errno;
  ssize_t length = syscall(SYS_readlink, link, path, sizeof path - 1);
  errno = kept;
  if (length <= 0) return PASS;
  path[length] = '\0';
  return judge(call, path);
}

/* The folder of a path may be a link, such as those of /proc/self/fd. */
static enum verdict judge_path(const char *call, const char *path) {
  char folder[PATH_MAX], real[PATH_MAX * 2];
  const char *name = strrchr(path, '/');
  if (name == NULL || name == path) return judge(call, path);
  snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
  int kept = errno;
  char *resolved = realpath(folder, NULL);
  errno = kept;
  if (resolved == NULL) return PASS;
  snprintf(real, sizeof real, "%s%s", resolved, name);
  free(resolved);
  return judge(call, real);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                  \
  int name(const char *path, int flags, ...) {                                      \
    va_list more;                                                                   \
    va_start(more, flags);                                                          \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;       \
    va_end(more);                                                                   \
    if ((flags & O_ACCMODE) != O_RDONLY && judge_path("open", path) == FAIL) return -1; \
    return NEXT(name)(path, flags, mode);                                           \
  }
OPEN(open)
OPEN(open64)

#define WRITE(name, place, given)                                            \
  ssize_t name place {                                                       \
    enum verdict verdict = judge_file("write", file);                        \
    if (verdict == FAIL) return -1;                                          \
    if (verdict == SHORT && size > 1) size /= 2;                             \
    return NEXT(name) given;                                                 \
  }
WRITE(write, (int file, const void *bytes, size_t size), (file, bytes, size))
WRITE(pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
WRITE(pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))

/* Of several buffers, a short write takes half of the first one. */
#define WRITEV(name, place, given)                                           \
  ssize_t name place {                                                       \
    enum verdict verdict = judge_file("write", file);                        \
    if (verdict == FAIL) return -1;                                          \
    struct iovec half = buffers[0];                                          \
    if (verdict == SHORT && half.iov_len > 1) {                              \
      half.iov_len /= 2;                                                     \
      buffers = &half;                                                       \
      count = 1;                                                             \
    }                                                                        \
    return NEXT(name) given;                                                 \
  }
WRITEV(writev, (int file, const struct iovec *buffers, int count), (file, buffers, count))
WRITEV(pwritev, (int file, const struct iovec *buffers, int count, off_t at), (file, buffers, count, at))
WRITEV(pwritev64, (int file, const struct iovec *buffers, int count, off64_t at), (file, buffers, count, at))

#define OF_FILE(name, call, place, given) \
  int name place { return judge_file(call, file) == FAIL ? -1 : NEXT(name) given; }
OF_FILE(fsync, "sync", (int file), (file))
OF_FILE(fdatasync, "sync", (int file), (file))
OF_FILE(ftruncate, "truncate", (int file, off_t size), (file, size))
OF_FILE(ftruncate64, "truncate", (int file, off64_t size), (file, size))

/* A rename counts where it leads to; a link that gives a file its final name is one as well. */
#define TO_PATH(name, call, place, path, given) \
  int name place { return judge_path(call, path) == FAIL ? -1 : NEXT(name) given; }
TO_PATH(rename, "rename", (const char *from, const char *to), to, (from, to))
TO_PATH(link, "rename", (const char *from, const char *to), to, (from, to))
TO_PATH(mkdir, "mkdir", (const char *path, mode_t mode), path, (path, mode))

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

#define CONTROL(name)                                                            \
  int name(int file, int command, ...) {                                         \
    va_list more;                                                                \
    va_start(more, command);                                                     \
    void *argument = va_arg(more, void *);                                       \
    va_end(more);                                                                \
    if (is_lock(command) && judge_file("lock", file) == FAIL) return -1;         \
    return NEXT(name)(file, command, argument);                                  \
  }
CONTROL(fcntl)
CONTROL(fcntl64)
