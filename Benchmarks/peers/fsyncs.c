/* A preload library that counts fsync and fdatasync in the first eight bytes of the file that FEED_FSYNCS names.
   cc -shared -fPIC -O2 -o fsyncs.so fsyncs.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t ignored;
static _Atomic uint64_t *count = &ignored;
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void map_count(void) {
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    const char *path = getenv("FEED_FSYNCS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof(uint64_t)) != 0) return;
    void *memory = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) count = memory;
    close(file);
}

int fsync(int file) {
    atomic_fetch_add(count, 1);
    return real_fsync(file);
}

int fdatasync(int file) {
    atomic_fetch_add(count, 1);
    return real_fdatasync(file);
}
