#ifndef CMEMORY_H
#define CMEMORY_H
#include <stddef.h>

/* The number of bytes that the allocator holds but that are not in use; 0 if unknown. */
size_t cmemory_unused(void);

/* Returns unused memory to the system. */
void cmemory_trim(void);
#endif
