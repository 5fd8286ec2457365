#include "cmemory.h"

#include <features.h>
#include <sqlite3.h>

void cmemory_uncount_sqlite(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#ifdef __GLIBC__
#include <malloc.h>

size_t cmemory_unused(void) { return mallinfo2().fordblks; }
void cmemory_trim(void) { malloc_trim(0); }
void cmemory_keep(int bytes) {
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_TOP_PAD, bytes);
    /* glibc no longer adapts this limit itself, once one of them is set. */
    mallopt(M_MMAP_THRESHOLD, 4 * bytes);
}
#else
size_t cmemory_unused(void) { return 0; }
void cmemory_trim(void) {}
void cmemory_keep(int bytes) {}
#endif
