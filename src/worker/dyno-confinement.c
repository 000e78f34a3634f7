/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif
#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "dyno-input-values.h"
#include "dyno-model-spec.h"
#include "dyno-paths.h"
#include "dyno-system.h"
#include "dyno-worker-private.h"

#ifdef SYS_landlock_create_ruleset

/* The kernel's numbers, because headers as old as a system's may lack the newer ones. */
#define READ_FILE    (1 << 2)
#define READ_DIR     (1 << 3)
#define OF_FILES     (1 << 0 | 1 << 1 | READ_FILE | 1 << 14 | 1 << 15) /* rights that a file can have */
#define MAKE_DEVICE  (1 << 0 | 1 << 6 | 1 << 9 | 1 << 11)              /* programs, sockets and devices */
#define PATH_BENEATH 1
#define VERSION_FLAG 1
#define ALL_TCP      3
#define ALL_SCOPES   3

typedef struct
{
  guint64 files;
  guint64 network; /* since version 4 */
  guint64 scopes;  /* since version 6 */
} Ruleset;

typedef struct
{
  guint64 access;
  gint32 fd;
} __attribute__ ((packed)) Rule;

/* All rights to files that a version of Landlock knows. */
static guint64
get_known_rights (int version)
{
  static const int n_rights[] = { 0, 13, 14, 15, 15, 16 };

  return (G_GUINT64_CONSTANT (1) << n_rights[MIN (version, (int)G_N_ELEMENTS (n_rights) - 1)]) - 1;
}

/* Follows links: the rule is about the file at their end. */
static void
allow (int ruleset, guint64 access, const char *path)
{
  Rule rule = { .access = access, .fd = open (path, O_PATH | O_CLOEXEC) };
  struct stat info;

  if (rule.fd < 0)
    return;
  if (fstat (rule.fd, &info) == 0 && !S_ISDIR (info.st_mode))
    rule.access &= OF_FILES;
  syscall (SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0);
  close (rule.fd);
}

/* Hidden entries stay closed, because a folder may be somebody's home. @links_alone: all else is allowed already. */
static void
allow_entries (int ruleset, const char *folder, gboolean links_alone)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  allow (ruleset, READ_DIR, folder);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (*name == '.' || (links_alone && !g_file_test (path, G_FILE_TEST_IS_SYMLINK)))
        continue;
      allow (ruleset, READ_FILE | READ_DIR, path);
      /* The parts of a pipeline are folders, and in the hub's cache their files are links. */
      if (!links_alone && g_file_test (path, G_FILE_TEST_IS_DIR))
        allow_entries (ruleset, path, TRUE);
    }
}

static void
allow_model (int ruleset, const char *text, const char *inputs)
{
  g_autoptr (DynoModelSpec) spec = dyno_model_spec_parse (text);
  g_autofree char *around = spec->path != NULL ? g_path_get_dirname (spec->path) : NULL;
  g_autofree char *repository = around != NULL ? g_path_get_dirname (around) : NULL;
  g_auto (GStrv) values = inputs != NULL ? dyno_input_values_split (inputs) : NULL;

  if (spec->is_fetched)
    allow (ruleset, READ_FILE | READ_DIR, repository);
  else if (spec->path != NULL)
    allow_entries (ruleset, spec->kind == DYNO_MODEL_SPEC_FOLDER ? spec->path : around, FALSE);
  if (spec->path != NULL && spec->kind != DYNO_MODEL_SPEC_FOLDER)
    allow (ruleset, READ_FILE, spec->path);
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    {
      const char *at = strchr (values[i], '@');

      if (at != NULL)
        allow (ruleset, READ_FILE | READ_DIR, at + 1);
    }
}

static void
allow_system (int ruleset)
{
  static const char *const names[] = { "usr", "lib",      "lib32",    "lib64",      "opt",
                                       "app", "nix",      "gnu",      "etc",        "proc",
                                       "sys", "dev/null", "dev/zero", "dev/random", "dev/urandom" };
  static const DynoPathKind kinds[] = { DYNO_PATH_ETC, DYNO_PATH_PROCFS, DYNO_PATH_SYSFS, DYNO_PATH_RUNTIMES,
                                        DYNO_PATH_LOCALES };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = dyno_paths_build (DYNO_PATH_ROOT, names[i], NULL);

      allow (ruleset, READ_FILE | READ_DIR, path);
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = dyno_paths_build (kinds[i], "", NULL);

      allow (ruleset, READ_FILE | READ_DIR, path);
    }
}

/* Returns the version of Landlock that confines this thread from now on; 0 if there is none, with a reason. */
static int
confine_files (const char *spec, const char *inputs, const char *const *writable, const char **reason)
{
  int version = (int)syscall (SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
  gsize size = version >= 6 ? sizeof (Ruleset) : G_STRUCT_OFFSET (Ruleset, scopes);
  Ruleset attributes = { get_known_rights (MAX (version, 0)), ALL_TCP, ALL_SCOPES };
  int ruleset;

  *reason = _ ("This kernel has no Landlock, or was started without it (“lsm=”).");
  if (version < 1)
    return 0;
  if (version < 4)
    size = sizeof attributes.files;
  *reason = _ ("The kernel refused the rules of Landlock.");
  ruleset = (int)syscall (SYS_landlock_create_ruleset, &attributes, size, 0);
  if (ruleset < 0)
    return 0;
  allow_system (ruleset);
  if (spec != NULL)
    allow_model (ruleset, spec, inputs);
  for (; writable != NULL && *writable != NULL; writable++)
    allow (ruleset, attributes.files & ~(guint64)MAKE_DEVICE, *writable);
  if (syscall (SYS_landlock_restrict_self, ruleset, 0) != 0)
    version = 0;
  else
    *reason = NULL;
  close (ruleset);
  return version;
}

#else

static int
confine_files (const char *spec, const char *inputs, const char *const *writable, const char **reason)
{
  *reason = _ ("This system has no Landlock.");
  return 0;
}

#endif

#ifdef HAVE_SECCOMP

/* What computing and reading need; every other call fails as if the kernel did not have it. Names that an
 * architecture lacks are passed over. */
/* clang-format off */
static const char *const harmless[] = {
  "_llseek", "_newselect", "access", "arch_prctl", "brk", "cacheflush", "capget", "clock_getres",
  "clock_getres_time64", "clock_gettime", "clock_gettime64", "clock_nanosleep", "clock_nanosleep_time64", "close",
  "close_range", "dup", "dup2", "dup3", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2",
  "epoll_wait", "eventfd", "eventfd2", "exit", "exit_group", "faccessat", "faccessat2", "fadvise64", "fadvise64_64",
  "flock", "fstat", "fstat64", "fstatat64", "fstatfs", "fstatfs64", "ftruncate", "ftruncate64",
  "futex", "futex_time64", "futex_waitv", "get_mempolicy", "get_robust_list", "get_thread_area", "getcpu", "getcwd",
  "getdents", "getdents64", "getegid", "getegid32", "geteuid", "geteuid32", "getgid", "getgid32", "getgroups",
  "getgroups32", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getrandom", "getresgid", "getresgid32",
  "getresuid", "getresuid32", "getrlimit", "getrusage", "getsid", "gettid", "gettimeofday", "getuid", "getuid32",
  "lseek", "lstat", "lstat64", "madvise", "mbind", "membarrier", "memfd_create", "mincore", "mlock", "mlock2",
  "mmap", "mmap2", "mprotect", "mremap", "msync", "munlock", "munmap", "nanosleep", "newfstatat", "pipe", "pipe2",
  "pkey_alloc", "pkey_free", "pkey_mprotect", "poll", "ppoll", "ppoll_time64", "prctl", "pread64", "preadv",
  "preadv2", "pselect6", "pselect6_time64", "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink",
  "readlinkat", "readv", "restart_syscall", "riscv_flush_icache", "riscv_hwprobe", "rseq", "rt_sigaction",
  "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time64",
  "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
  "sched_getscheduler", "sched_yield", "select", "set_mempolicy",
  "set_robust_list", "set_thread_area", "set_tid_address", "setitimer", "setrlimit", "sigaltstack",
  "sigreturn", "stat", "stat64", "statfs", "statfs64", "statx", "sysinfo", "time", "timerfd_create",
  "timerfd_gettime", "timerfd_settime", "times", "ugetrlimit", "uname", "write", "writev",
};
/* clang-format on */

/* Landlock says where these may be used; what it knows nothing of, such as chmod(), is not among them. */
static const char *const changing_files[] = {
  "fallocate", "fdatasync", "fsync",     "link",  "linkat", "mkdir",    "mkdirat",
  "rename",    "renameat",  "renameat2", "rmdir", "unlink", "unlinkat",
};

/* No reader of models has a use for these, so whoever calls them is up to no good. */
static const char *const hostile[] = {
  "bpf",        "execve", "execveat",   "finit_module",     "init_module",       "kexec_file_load",
  "kexec_load", "mount",  "pivot_root", "process_vm_readv", "process_vm_writev", "ptrace",
  "reboot",     "setns",  "swapon",     "unshare",
};

/* Libraries may call these in good faith, and can do without. */
static const char *const refused[] = { "accept",     "accept4", "bind",
                                       "connect",    "kill",    "listen",
                                       "recvfrom",   "recvmsg", "sched_setscheduler",
                                       "sendmsg",    "sendto",  "setpriority",
                                       "shutdown",   "socket",  "socketcall",
                                       "socketpair", "tkill" };

/* Others, such as F_SETOWN, have the kernel send signals to any process. */
static const guint file_commands[] = { F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,    F_GETFL,
                                       F_SETFL,     F_GETLK,         F_SETLK,     F_SETLKW,   F_OFD_GETLK,
                                       F_OFD_SETLK, F_OFD_SETLKW,    F_ADD_SEALS, F_GET_SEALS };
static const guint device_commands[] = { TCGETS, FIONREAD };

static int
add_all (scmp_filter_ctx filter, guint32 action, const char *const *names, gsize n_names)
{
  int failed = 0;

  for (gsize i = 0; i < n_names; i++)
    {
      int number = seccomp_syscall_resolve_name (names[i]);

      if (number >= 0)
        failed |= seccomp_rule_add (filter, action, number, 0);
    }
  return failed;
}

/* Adds a rule for calls whose argument has these bits. */
static int
add_bits (
    scmp_filter_ctx filter, guint32 action, const char *name, guint argument, guint64 mask, guint64 bits)
{
  const struct scmp_arg_cmp condition = SCMP_CMP (argument, SCMP_CMP_MASKED_EQ, mask, bits);
  int number = seccomp_syscall_resolve_name (name);

  return number >= 0 ? seccomp_rule_add_array (filter, action, number, 1, &condition) : 0;
}

/* Allows calls with these commands. */
static int
add_commands (scmp_filter_ctx filter, const char *name, const guint *commands, gsize n_commands)
{
  int failed = 0;

  for (gsize i = 0; i < n_commands; i++)
    failed |= add_bits (filter, SCMP_ACT_ALLOW, name, 1, G_MAXUINT32, commands[i]);
  return failed;
}

/* Opening for reading may create and empty files, too. */
static int
add_opening (scmp_filter_ctx filter, const char *name, guint argument, gboolean writes)
{
  guint32 action = writes ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO (EACCES);

  return add_bits (filter, SCMP_ACT_ALLOW, name, argument, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY) |
         add_bits (filter, action, name, argument, O_ACCMODE, O_WRONLY) |
         add_bits (filter, action, name, argument, O_ACCMODE, O_RDWR);
}

static gboolean
add_rules (scmp_filter_ctx filter, gboolean writes)
{
#ifdef __s390__
  const guint clone_flags = 1;
#else
  const guint clone_flags = 0;
#endif
  const guint32 kill_process = SCMP_ACT_KILL_PROCESS, deny = SCMP_ACT_ERRNO (EPERM), pass = SCMP_ACT_ALLOW;

  return seccomp_attr_set (filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
         add_all (filter, pass, harmless, G_N_ELEMENTS (harmless)) == 0 &&
         add_all (filter, pass, changing_files, writes ? G_N_ELEMENTS (changing_files) : 0) == 0 &&
         add_all (filter, kill_process, hostile, G_N_ELEMENTS (hostile)) == 0 &&
         add_all (filter, deny, refused, G_N_ELEMENTS (refused)) == 0 &&
         add_opening (filter, "open", 1, writes) == 0 && add_opening (filter, "openat", 2, writes) == 0 &&
         /* threads, but no processes; clone3() has its flags in memory, and libraries do without it */
         add_bits (filter, pass, "clone", clone_flags, CLONE_THREAD, CLONE_THREAD) == 0 &&
         /* to itself alone, as abort() does, and its own limits */
         add_bits (filter, pass, "tgkill", 0, G_MAXUINT64, (guint64)getpid ()) == 0 &&
         add_bits (filter, pass, "prlimit64", 0, G_MAXUINT64, 0) == 0 &&
         /* libraries name their threads by number, as others' are named: they hear that it was done */
         add_bits (filter, pass, "sched_setaffinity", 0, G_MAXUINT64, 0) == 0 &&
         seccomp_rule_add (filter, SCMP_ACT_ERRNO (0), SCMP_SYS (sched_setaffinity), 1,
                           SCMP_A0 (SCMP_CMP_NE, 0)) == 0 &&
         add_commands (filter, "fcntl", file_commands, G_N_ELEMENTS (file_commands)) == 0 &&
         add_commands (filter, "fcntl64", file_commands, G_N_ELEMENTS (file_commands)) == 0 &&
         add_commands (filter, "ioctl", device_commands, G_N_ELEMENTS (device_commands)) == 0;
}

#else

static const char *
confine_calls (gboolean writes)
{
  return _ ("Dyno was built without libseccomp.");
}

#endif

JsonObject *
dyno_confinement_enter (const char *spec, const char *inputs, const char *const *writable)
{
  JsonObject *state = json_object_new ();
  const char *reason = NULL;
  int version;

  dyno_system_refuse_privileges ();
  /* A filter of calls leaves out those that set up Landlock, so it comes last. */
  version = confine_files (spec, inputs, writable, &reason);
  json_object_set_int_member (state, "landlock", version);
  if (reason != NULL)
    json_object_set_string_member (state, "landlock_reason", reason);

  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ERRNO (ENOSYS));
  gboolean is_confined = filter != NULL && add_rules (filter, writable != NULL) && seccomp_load (filter) == 0;
  if (filter != NULL)
    seccomp_release (filter);
  reason = is_confined ? NULL : _ ("The kernel refused a filter of system calls.");
  json_object_set_boolean_member (state, "seccomp", reason == NULL);
  if (reason != NULL)
    json_object_set_string_member (state, "seccomp_reason", reason);
  return state;
}
