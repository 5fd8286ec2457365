#ifndef CMEMORY_H
#define CMEMORY_H
#include <stddef.h>

/* Bytes the allocator holds that nobody uses; 0 where that cannot be found out. */
size_t cmemory_unused(void);

/* Gives unused memory back to the system. */
void cmemory_trim(void);
#endif
