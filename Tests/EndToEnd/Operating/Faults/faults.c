// Makes file operations of a program fail, for tests. Preloaded (LD_PRELOAD) into the server.
//
// FAULT_FOLDER   only files below this folder are affected
// FAULT_CONTROL  while this file exists, its content "CALL ERRNO" names the failing operation: write, sync, rename or open
//
// Every third affected call succeeds, so that operations of several steps fail at each of them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_uint calls;

// The error of `call` on `path`; 0 if it must not fail now.
static int fault(const char *call, const char *path) {
    const char *folder = getenv("FAULT_FOLDER"), *control = getenv("FAULT_CONTROL");
    if (!folder || !control || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    FILE *file = NEXT(fopen)(control, "re");
    if (!file) return 0;
    char name[16];
    int code = 0;
    int count = fscanf(file, "%15s %d", name, &code);
    fclose(file);
    if (count != 2 || strcmp(name, call) != 0) return 0;
    return atomic_fetch_add(&calls, 1) % 3 == 2 ? 0 : code;
}

static int fault_of_descriptor(const char *call, int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return fault(call, path);
}

#define FAIL_IF(code) do { int error = (code); if (error) { errno = error; return -1; } } while (0)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    FAIL_IF(fault_of_descriptor("write", descriptor));
    return NEXT(write)(descriptor, bytes, count);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
    FAIL_IF(fault_of_descriptor("write", descriptor));
    return NEXT(writev)(descriptor, pieces, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    FAIL_IF(fault_of_descriptor("write", descriptor));
    return NEXT(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    FAIL_IF(fault_of_descriptor("write", descriptor));
    return NEXT(pwrite64)(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
    FAIL_IF(fault_of_descriptor("sync", descriptor));
    return NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    FAIL_IF(fault_of_descriptor("sync", descriptor));
    return NEXT(fdatasync)(descriptor);
}

int rename(const char *from, const char *to) {
    FAIL_IF(fault("rename", to));
    return NEXT(rename)(from, to);
}

// Only opening files to create them fails: the files that are stored stay readable.
int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (flags & O_CREAT) FAIL_IF(fault("open", path));
    return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (flags & O_CREAT) FAIL_IF(fault("open", path));
    return NEXT(open64)(path, flags, mode);
}
