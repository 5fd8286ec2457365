// Makes file operations of a program fail, or kills it there, for tests. Preloaded (LD_PRELOAD) into a program.
//
// FAULT_FOLDER   only files below this folder are affected
// FAULT_CONTROL  while this file exists, its content "CALL ERRNO" names the failing operation: write, sync, rename or open.
//                Every third affected call succeeds, so that operations of several steps fail at each of them.
// FAULT_POINT    "NUMBER ERRNO MODE": that call fails, counted from 1 over all operations; in the mode "all", so do all
//                later ones. ERRNO 0 kills the program before the call, as kill -9 does. NUMBER 0 only counts.
// FAULT_LOG      gets a line "CALL PATH" for each call that FAULT_POINT counts
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_uint calls;

static void record(const char *call, const char *path) {
    const char *log = getenv("FAULT_LOG");
    char line[4200];
    int length = snprintf(line, sizeof line, "%s %s\n", call, path);
    int file = log ? NEXT(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    ssize_t done = NEXT(write)(file, line, length);
    (void)done;
    close(file);
}

// The error of the n-th call; 0 if it must not fail.
static int error_at_point(const char *call, const char *path, const char *point) {
    unsigned number = 0;
    int code = 0;
    char mode[8] = "";
    if (sscanf(point, "%u %d %7s", &number, &code, mode) < 2) return 0;
    record(call, path);
    unsigned present = atomic_fetch_add(&calls, 1) + 1;
    if (number == 0 || (strcmp(mode, "all") == 0 ? present < number : present != number)) return 0;
    if (code == 0) kill(getpid(), SIGKILL);
    while (code == 0) pause();
    return code;
}

// The error of `call` while the control file names it; 0 if it must not fail now.
static int controlled_error(const char *call, const char *control) {
    FILE *file = NEXT(fopen)(control, "re");
    if (!file) return 0;
    char name[16];
    int code = 0;
    int count = fscanf(file, "%15s %d", name, &code);
    fclose(file);
    if (count != 2 || strcmp(name, call) != 0) return 0;
    return atomic_fetch_add(&calls, 1) % 3 == 2 ? 0 : code;
}

// The error of `call` on `path`; 0 if it must not fail now.
static int fault(const char *call, const char *path) {
    const char *folder = getenv("FAULT_FOLDER"), *control = getenv("FAULT_CONTROL"), *point = getenv("FAULT_POINT");
    if (!folder || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (point) return error_at_point(call, path, point);
    return control ? controlled_error(call, control) : 0;
}

static int fault_of_descriptor(const char *call, int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return fault(call, path);
}

// The path of a name in an open folder; `NULL` if it is unknown.
static const char *path_in(int folder, const char *name, char path[8192]) {
    if (folder == AT_FDCWD || !name || name[0] == '/') return name;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, 4096);
    if (length <= 0) return NULL;
    snprintf(path + length, 8192 - length, "/%s", name);
    return path;
}

static int fault_in(const char *call, int folder, const char *name) {
    char path[8192];
    return fault(call, path_in(folder, name, path));
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

int renameat(int folder, const char *from, int other, const char *to) {
    FAIL_IF(fault_in("rename", other, to));
    return NEXT(renameat)(folder, from, other, to);
}

int link(const char *from, const char *to) {
    FAIL_IF(fault("link", to));
    return NEXT(link)(from, to);
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    FAIL_IF(fault_in("link", other, to));
    return NEXT(linkat)(folder, from, other, to, flags);
}

int unlink(const char *path) {
    FAIL_IF(fault("unlink", path));
    return NEXT(unlink)(path);
}

int unlinkat(int folder, const char *name, int flags) {
    FAIL_IF(fault_in(flags & AT_REMOVEDIR ? "rmdir" : "unlink", folder, name));
    return NEXT(unlinkat)(folder, name, flags);
}

int mkdir(const char *path, mode_t mode) {
    FAIL_IF(fault("mkdir", path));
    return NEXT(mkdir)(path, mode);
}

int mkdirat(int folder, const char *name, mode_t mode) {
    FAIL_IF(fault_in("mkdir", folder, name));
    return NEXT(mkdirat)(folder, name, mode);
}

int rmdir(const char *path) {
    FAIL_IF(fault("rmdir", path));
    return NEXT(rmdir)(path);
}

int ftruncate(int descriptor, off_t size) {
    FAIL_IF(fault_of_descriptor("truncate", descriptor));
    return NEXT(ftruncate)(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
    FAIL_IF(fault_of_descriptor("truncate", descriptor));
    return NEXT(ftruncate64)(descriptor, size);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    FAIL_IF(fault_of_descriptor("read", descriptor));
    return NEXT(read)(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    FAIL_IF(fault_of_descriptor("read", descriptor));
    return NEXT(pread)(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    FAIL_IF(fault_of_descriptor("read", descriptor));
    return NEXT(pread64)(descriptor, bytes, count, offset);
}

// With FAULT_CONTROL, only opening files to create them fails: the files that are stored stay readable.
static int fault_of_opening(const char *path, int flags) {
    return fault(flags & O_CREAT ? "open" : "open to read", path);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    FAIL_IF(fault_of_opening(path, flags));
    return NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    FAIL_IF(fault_of_opening(path, flags));
    return NEXT(open64)(path, flags, mode);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    char path[8192];
    FAIL_IF(fault_of_opening(path_in(folder, name, path), flags));
    return NEXT(openat)(folder, name, flags, mode);
}

int openat64(int folder, const char *name, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    char path[8192];
    FAIL_IF(fault_of_opening(path_in(folder, name, path), flags));
    return NEXT(openat64)(folder, name, flags, mode);
}
