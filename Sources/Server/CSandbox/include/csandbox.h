#ifndef CSANDBOX_H
#define CSANDBOX_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What Swift cannot call itself. Every function returns 0 or an error number. */

/* Starts a program as posix_spawn(3) does, in a process group of its own and with default signal handlers. In contrast to
   posix_spawn(3), from its first instruction on the process has this niceness and is killed when the calling thread
   ends. It gets `count` descriptors, numbered from 0, and no others. */
int csandbox_start(pid_t *process, char *const arguments[], char *const variables[], const int descriptors[], int count,
                   int niceness);

/* pipe2(2) with O_CLOEXEC: child processes do not inherit the ends. */
int csandbox_pipe(int ends[2]);

/* Kills this process when the thread that started it ends. */
int csandbox_end_with_parent(void);

/* Forbids this process and its descendants to gain privileges through execve(2). */
int csandbox_forbid_privileges(void);

/* Lets the calling thread interrupt others as soon as it has something to do. Otherwise, since Linux 6.6, it may wait for
   the end of the time slice of a thread with a lower priority, which takes milliseconds. Older kernels ignore it. */
int csandbox_shorten_slices(void);

/* Limits all threads of this process to system calls that use memory and open descriptors. All others fail with EPERM:
   above all those that open files, create sockets or processes, run programs, or signal or inspect other processes. */
int csandbox_filter_calls(void);

/* `png_image` of libpng 1.6, whose layout is part of its interface (version 1). */
typedef struct {
    void *opaque;
    uint32_t version;
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint32_t flags;
    uint32_t colormap_entries;
    uint32_t warning_or_error;
    char message[64];
} csandbox_png_image;

/* `WebPBitstreamFeatures`, `WebPDecBuffer` and `WebPDecoderOptions` of libwebp, whose layout is the same for all
   decoder interfaces 2.x; WebPInitDecoderConfigInternal refuses all others. */
typedef struct {
    int width, height, has_alpha, has_animation, format;
    uint32_t pad[5];
} csandbox_webp_features;

typedef struct {
    int colorspace, width, height, is_external_memory;
    union {
        struct {
            uint8_t *rgba;
            int stride;
            size_t size;
        } rgba;
        struct {
            uint8_t *y, *u, *v, *a;
            int y_stride, u_stride, v_stride, a_stride;
            size_t y_size, u_size, v_size, a_size;
        } yuva;
    } u;
    uint32_t pad[4];
    uint8_t *private_memory;
} csandbox_webp_buffer;

typedef struct {
    int bypass_filtering, no_fancy_upsampling;
    int use_cropping, crop_left, crop_top, crop_width, crop_height;
    int use_scaling, scaled_width, scaled_height;
    int use_threads, dithering_strength, flip, alpha_dithering_strength;
    uint32_t pad[5];
} csandbox_webp_options;

typedef struct {
    csandbox_webp_features input;
    csandbox_webp_buffer output;
    csandbox_webp_options options;
} csandbox_webp_config;
#endif
