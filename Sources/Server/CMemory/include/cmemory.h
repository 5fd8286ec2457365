#ifndef CMEMORY_H
#define CMEMORY_H
#include <stddef.h>

/* The number of bytes that the allocator holds but that are not in use; 0 if unknown. */
size_t cmemory_unused(void);

/* Returns unused memory to the system. */
void cmemory_trim(void);

/* Lets each arena of the allocator keep this many unused bytes, and get memory in portions of this size. Otherwise, a
   response often begins by getting memory from the system and ends by returning it, which interrupts all threads. */
void cmemory_keep(int bytes);

/* Lets SQLite not count the memory that it uses: it counts under a lock that all connections share, and allocates several
   times per row. Has no effect once SQLite is in use. */
void cmemory_uncount_sqlite(void);
#endif
