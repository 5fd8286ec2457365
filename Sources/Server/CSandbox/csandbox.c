#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int csandbox_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Runs in the new process, which shares the memory of this one. Returns an error number, or not at all. */
static int become(pid_t parent, char *const arguments[], char *const variables[], const int descriptors[], int count,
                  int niceness) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
    /* It may have ended before the call. */
    if (getppid() != parent) _exit(127);
    /* All its threads inherit it. It is refused where this process has a lower priority already. */
    setpriority(PRIO_PROCESS, 0, niceness);
    setpgid(0, 0);
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    /* Above the numbers that they get, because one of them may have the number of another. */
    int copies[count];
    for (int i = 0; i < count; i++)
        if ((copies[i] = fcntl(descriptors[i], F_DUPFD, count)) < 0) return errno;
    for (int i = 0; i < count; i++)
        if (dup2(copies[i], i) < 0) return errno;
    closefrom(count);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(arguments[0], arguments, variables);
    return errno;
}

int csandbox_start(pid_t *process, char *const arguments[], char *const variables[], const int descriptors[], int count,
                   int niceness) {
    /* Otherwise handlers of this process would run in the new one. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    volatile int code = 0;
    volatile pid_t parent = getpid();
    pid_t started = vfork();
    if (started == 0) {
        code = become(parent, arguments, variables, descriptors, count, niceness);
        _exit(127);
    }
    if (started < 0) code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started > 0 && code != 0) waitpid(started, NULL, 0);
    *process = started;
    return code;
}

int csandbox_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? 0 : errno; }
int csandbox_forbid_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno; }

int csandbox_shorten_slices(void) {
    /* `struct sched_attr` of sched_setattr(2), whose policy 0 is SCHED_OTHER. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t slice_ns, deadline, period;
    } wanted = {.size = 48, .nice = getpriority(PRIO_PROCESS, 0), .slice_ns = 100000};
    return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0 ? 0 : errno;
}
#else
int csandbox_start(pid_t *process, char *const arguments[], char *const variables[], const int descriptors[], int count,
                   int niceness) {
    return ENOSYS;
}
int csandbox_end_with_parent(void) { return ENOSYS; }
int csandbox_shorten_slices(void) { return ENOSYS; }
int csandbox_forbid_privileges(void) { return ENOSYS; }
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/* The lower half of an argument; both architectures are little-endian. */
#define ALLOW_UNLESS_EXECUTABLE(call)                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4),      \
    LOAD(args[2]),                                               \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), DENY, \
    RETURN(SECCOMP_RET_ALLOW)
#define ALLOW_FOR(call, process)                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4),       \
    LOAD(args[0]),                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (process), 1, 0), DENY,   \
    RETURN(SECCOMP_RET_ALLOW)

int csandbox_filter_calls(void) {
    unsigned self = (unsigned)getpid();
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        /* Open descriptors. */
        ALLOW(read), ALLOW(pread64), ALLOW(readv), ALLOW(write), ALLOW(pwrite64), ALLOW(writev), ALLOW(lseek),
        ALLOW(fstat), ALLOW(close),
        /* Memory, which must not become executable. */
        ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise),
        ALLOW_UNLESS_EXECUTABLE(mmap), ALLOW_UNLESS_EXECUTABLE(mprotect),
        /* Threads that exist already: those of the Swift runtime and of libdispatch, which wait. */
        ALLOW(futex), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(set_robust_list), ALLOW(rseq),
        ALLOW(epoll_pwait), ALLOW(gettid), ALLOW(getpid),
#ifdef __NR_epoll_wait
        ALLOW(epoll_wait),
#endif
        /* Signals to itself, as abort(3) sends them, and the end. */
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(restart_syscall),
        ALLOW_FOR(tgkill, self), ALLOW(exit), ALLOW(exit_group),
        /* Times, random numbers and the size of the machine. */
        ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(sysinfo),
        DENY,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result == 0) return 0;
    /* A positive result is a thread that has a filter of its own. */
    return result > 0 ? EBUSY : errno;
}
#else
int csandbox_filter_calls(void) { return ENOSYS; }
#endif
