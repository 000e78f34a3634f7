/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dyno-error.h"
#include "store-fixture.h"
#include "suite.h"

#define N_RUNS   31
#define N_ROUNDS 12

/* A store of some runs, one page of an index of which is damaged. */
typedef struct
{
  StoreFixture base;
  char *damaged;
  gsize size;
} Fixture;

static void
keep_runs (DynoStore *store)
{
  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autofree char *id = g_strdup_printf ("run-%02u", i);
      g_autoptr (DynoRun) run = store_fixture_make_run (id, i + 1, "Kept");
      g_autoptr (DynoResult) result = store_fixture_make_result ("gpt2", "cpu", 0);

      dyno_run_add_result (run, result);
      store_fixture_keep (store, run);
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  gint64 page;

  store_fixture_set_up (&fixture->base, data);
  keep_runs (fixture->base.store);
  g_clear_object (&fixture->base.store);
  store_fixture_run_sql (fixture->base.path, "PRAGMA journal_mode = DELETE");
  page = store_fixture_read_int (fixture->base.path,
                                 "SELECT rootpage FROM sqlite_schema WHERE name = 'results_by_run'");
  g_assert_true (g_file_get_contents (fixture->base.path, &fixture->damaged, &fixture->size, NULL));
  memset (fixture->damaged + (page - 1) * 4096, 0x55, 4096);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->damaged);
  store_fixture_tear_down (&fixture->base, data);
}

static void
empty_folder (Fixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->base.folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = store_fixture_build_path (&fixture->base, name);
      g_remove (path);
    }
}

static void
start_round (Fixture *fixture)
{
  empty_folder (fixture);
  g_assert_true (g_file_set_contents (fixture->base.path, fixture->damaged, (gssize)fixture->size, NULL));
}

/* All runs are there, the damaged file is kept once and complete, and nothing else is left. */
static void
check_round (Fixture *fixture)
{
  g_autoptr (DynoStore) store = store_fixture_open (fixture->base.path);
  g_autoptr (GDir) folder = g_dir_open (fixture->base.folder, 0, NULL);
  const char *name;
  guint n_aside = 0;

  g_assert_cmpuint (dyno_store_count_runs (store, NULL, NULL), ==, N_RUNS);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = store_fixture_build_path (&fixture->base, name);
      g_autofree char *content = NULL;
      gsize size = 0;

      g_assert_null (strstr (name, "recovering"));
      if (strstr (name, ".damaged-") == NULL)
        continue;
      g_assert_true (g_file_get_contents (path, &content, &size, NULL));
      g_assert_cmpmem (content, size, fixture->damaged, fixture->size);
      n_aside++;
    }
  g_assert_cmpuint (n_aside, ==, 1);
}

/* The process under test exits with 0 if it has found all runs. */
G_NORETURN static void
open_and_count (Fixture *fixture)
{
  DynoStore *store = dyno_store_open (fixture->base.path, NULL);

  _exit (store != NULL && dyno_store_count_runs (store, NULL, NULL) == N_RUNS ? 0 : 1);
}

static pid_t
start_process (Fixture *fixture, const int gate[2])
{
  pid_t pid = fork ();
  char byte;

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  /* Closing the other end of the gate releases all at once. */
  close (gate[1]);
  while (read (gate[0], &byte, 1) < 0 && errno == EINTR)
    ;
  open_and_count (fixture);
}

static void
run_round (Fixture *fixture, guint n_processes)
{
  pid_t processes[3];
  int gate[2];

  start_round (fixture);
  g_assert_cmpint (pipe2 (gate, O_CLOEXEC), ==, 0);
  for (guint i = 0; i < n_processes; i++)
    processes[i] = start_process (fixture, gate);
  close (gate[0]);
  close (gate[1]);
  for (guint i = 0; i < n_processes; i++)
    {
      int status = 0;

      g_assert_cmpint (waitpid (processes[i], &status, 0), ==, processes[i]);
      g_assert_cmpint (status, ==, 0);
    }
  check_round (fixture);
}

/* `DYNO_TEST_ROUNDS` sets how many; @data is the number of processes. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  const char *text = g_getenv ("DYNO_TEST_ROUNDS");
  guint64 n_rounds = text != NULL ? g_ascii_strtoull (text, NULL, 10) : N_ROUNDS;

  for (guint64 i = 0; i < n_rounds; i++)
    run_round (fixture, GPOINTER_TO_UINT (data));
}

/* System calls that change the disk; after others the state is the same. */
static gboolean
changes_files (guint64 number)
{
  static const guint64 numbers[] = {
#ifdef SYS_open
    SYS_open,     SYS_link,      SYS_unlink,    SYS_rename,    SYS_mkdir,
#endif
    SYS_openat,   SYS_pwrite64,  SYS_write,     SYS_ftruncate, SYS_linkat,
    SYS_unlinkat, SYS_renameat2, SYS_fdatasync, SYS_fsync,
#ifdef SYS_renameat
    SYS_renameat,
#endif
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i] == number)
      return TRUE;
  return FALSE;
}

static pid_t
start_traced (Fixture *fixture)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
    _exit (2);
  raise (SIGSTOP);
  open_and_count (fixture);
}

/* Traces the process from call to call. Returns whether it was killed after the call with that number. */
static gboolean
kill_after (pid_t pid, guint number)
{
  guint n_calls = 0;
  gboolean entering = TRUE, counts = FALSE;
  int status = 0;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  ptrace (PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  while (ptrace (PTRACE_SYSCALL, pid, NULL, NULL) == 0 && waitpid (pid, &status, 0) == pid &&
         WIFSTOPPED (status))
    {
      struct __ptrace_syscall_info info = { 0 };

      if (WSTOPSIG (status) != (SIGTRAP | 0x80))
        continue;
      ptrace (PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info);
      if (entering)
        counts = changes_files (info.entry.nr);
      else if (counts && n_calls++ == number)
        {
          kill (pid, SIGKILL);
          g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
          return TRUE;
        }
      entering = !entering;
    }
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  return FALSE;
}

static gboolean
can_trace (Fixture *fixture)
{
  pid_t pid = start_traced (fixture);
  int status = 0;
  gboolean stopped;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  stopped = WIFSTOPPED (status);
  kill (pid, SIGKILL);
  if (stopped)
    waitpid (pid, &status, 0);
  return stopped;
}

/* Whenever the recovering process dies, the next one finds everything. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  guint n_calls = 0;
  gboolean killed = TRUE;

  if (!can_trace (fixture))
    {
      g_test_skip ("A process cannot be traced here.");
      return;
    }
  for (; killed; n_calls++)
    {
      start_round (fixture);
      killed = kill_after (start_traced (fixture), n_calls);
      check_round (fixture);
    }
  g_test_message ("%u calls", n_calls);
  g_assert_cmpuint (n_calls, >, 20);
}

/* One that is suspended while it recovers: whoever opens the store is told which process to continue, and can then. */
static void
test_suspended (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lock = g_strconcat (fixture->base.path, ".lock", NULL);
  g_autofree char *locks = NULL;
  g_autofree char *command = NULL;
  g_autoptr (GObject) store = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;
  pid_t pid;

  start_round (fixture);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (flock (open (lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600), LOCK_EX) != 0 || raise (SIGSTOP) != 0)
        _exit (2);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, WUNTRACED), ==, pid);
  g_assert_true (WIFSTOPPED (status));
  g_assert_true (g_file_get_contents ("/proc/locks", &locks, NULL, NULL));
  store = g_initable_new (DYNO_TYPE_STORE, NULL, &error, "path", fixture->base.path, "busy-timeout", 1, NULL);
  g_assert_null (store);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_STORE_LOCKED);
  g_assert_nonnull (strstr (error->message, fixture->base.path));
  command =
      g_strdup_printf (strstr (locks, "FLOCK") != NULL ? "kill -CONT %d" : "Continue that process", pid);
  g_assert_nonnull (strstr (error->message, command));
  g_assert_cmpint (kill (pid, SIGCONT), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  check_round (fixture);
}

/* A process that has the store open goes on in the new file. */
static void
test_replaced_in_use (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoStore) user = NULL;
  g_autoptr (DynoRun) run = store_fixture_make_run ("later", 100, "Later");

  empty_folder (fixture);
  user = store_fixture_open (fixture->base.path);
  keep_runs (user);
  g_assert_cmpint (g_unlink (fixture->base.path), ==, 0);
  start_round (fixture);
  check_round (fixture);
  g_assert_cmpuint (dyno_store_count_runs (user, NULL, NULL), ==, N_RUNS);
  store_fixture_keep (user, run);
  g_clear_object (&user);
  store_fixture_reopen (&fixture->base);
  g_assert_cmpuint (dyno_store_count_runs (fixture->base.store, "later", NULL), ==, 1);
  g_assert_cmpuint (dyno_store_count_runs (fixture->base.store, NULL, NULL), ==, N_RUNS + 1);
}

static void
add (const char *path, gpointer data, void (*func) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, func, tear_down);
}

static void
add_tests (void)
{
  add ("/store/recovery/two-at-once", GUINT_TO_POINTER (2), test_at_once);
  add ("/store/recovery/three-at-once", GUINT_TO_POINTER (3), test_at_once);
  add ("/store/recovery/killed", NULL, test_killed);
  add ("/store/recovery/suspended", NULL, test_suspended);
  add ("/store/recovery/replaced-in-use", NULL, test_replaced_in_use);
}

SUITE_ADD (add_tests)
