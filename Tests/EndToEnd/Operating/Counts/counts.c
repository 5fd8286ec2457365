// Counts what a program asks of the allocator and of the disk, for tests. Preloaded (LD_PRELOAD) into the server.
//
// COUNTS_FILE  a file that is mapped into memory: it holds the counters below as 64-bit numbers, in the byte order of the
//              machine, and can be read at any time, even after the program has been killed
//
// SYNC_DELAY   how many microseconds each call that waits for the disk takes longer (default 0)
//
// Works with the GNU C library, whose allocator also has names that are not replaced here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

struct counts {
    // Calls that return memory.
    _Atomic uint64_t allocations;
    // Calls that wait for the disk.
    _Atomic uint64_t syncs;
    // Calls that write to standard error.
    _Atomic uint64_t log_writes;
    // The allocations before the first write to standard output, with which a server says that it listens.
    _Atomic uint64_t start_allocations;
};

// Until the file is mapped.
static struct counts early;
static struct counts *counts = &early;

static useconds_t delay;

#define COUNT(name) atomic_fetch_add_explicit(&counts->name, 1, memory_order_relaxed)

__attribute__((constructor)) static void start(void) {
    const char *microseconds = getenv("SYNC_DELAY");
    if (microseconds) delay = (useconds_t)strtoul(microseconds, NULL, 10);
    const char *path = getenv("COUNTS_FILE");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof early) == 0) {
        void *map = mmap(NULL, sizeof early, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) counts = map;
    }
    close(file);
}

static void count_sync(void) {
    COUNT(syncs);
    if (delay) usleep(delay);
}

void *malloc(size_t size) {
    COUNT(allocations);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    COUNT(allocations);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    COUNT(allocations);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    COUNT(allocations);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    COUNT(allocations);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    COUNT(allocations);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *block = memory;
    return 0;
}

int fsync(int descriptor) {
    count_sync();
    return NEXT(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    count_sync();
    return NEXT(fdatasync)(descriptor);
}

int syncfs(int descriptor) {
    count_sync();
    return NEXT(syncfs)(descriptor);
}

int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned flags) {
    count_sync();
    return NEXT(sync_file_range)(descriptor, offset, count, flags);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (descriptor == STDERR_FILENO) COUNT(log_writes);
    if (descriptor == STDOUT_FILENO && counts->start_allocations == 0)
        counts->start_allocations = (uint64_t)counts->allocations;
    return NEXT(write)(descriptor, bytes, count);
}
