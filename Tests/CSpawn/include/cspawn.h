#ifndef CSPAWN_H
#define CSPAWN_H
#include <spawn.h>

/* glibc's extensions of posix_spawn, which Swift does not import. */
int cspawn_close_from(posix_spawn_file_actions_t *actions, int first);
int cspawn_change_folder(posix_spawn_file_actions_t *actions, const char *path);
#endif
