/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <string.h>

#include "dyno-command.h"
#include "suite.h"

/* Far beyond what any of these commands needs. */
static const DynoCommandLimits generous = { 1024 * 1024, 120, 120 };

static gboolean
run (const char *script,
     const char *input,
     const DynoCommandLimits *limits,
     GCancellable *cancellable,
     DynoCommandAnswer *answer,
     GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  const char *words[] = { "sh", "-c", script, NULL };

  return dyno_command_run (launcher, words, input, limits, cancellable, answer, error);
}

static void
assert_stopped (const char *script, const DynoCommandLimits *limits, const char *words)
{
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_false (run (script, NULL, limits, NULL, &answer, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (answer.output);
}

static void
test_answer (void)
{
  g_autofree char *much = g_strnfill (1024 * 1024, 'x'); /* more than a pipe holds */
  const struct
  {
    const char *command;
    const char *input;
    const char *output;
    const char *messages;
    gboolean is_successful;
  } rows[] = {
    { "cat; echo aside >&2", "from here", "from here", "aside\n", TRUE },
    { "echo refused >&2; exit 3", much, "", "refused\n", FALSE },
    { "cat", NULL, "", "", TRUE },
    { "printf 'a\\377b\\000c'; printf 'd\\351' >&2", NULL, "a\\xffb\\x00c", "d\\xe9", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (DynoCommandAnswer) answer = { NULL };
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", rows[i].command);
      g_assert_true (run (rows[i].command, rows[i].input, &generous, NULL, &answer, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (answer.output, ==, rows[i].output);
      g_assert_cmpstr (answer.messages, ==, rows[i].messages);
      g_assert_cmpint (answer.is_successful, ==, rows[i].is_successful);
    }
}

static void
test_endless_output (void)
{
  assert_stopped ("exec yes", &generous, "“sh” printed more than 1 MB");
  assert_stopped ("exec yes >&2", &generous, "“sh” printed more than 1 MB");
  assert_stopped ("yes | cat", &generous, "“sh” printed more than 1 MB");
}

static void
test_silence (void)
{
  const DynoCommandLimits limits = { 1024, 0.05, 120 };

  assert_stopped ("exec sleep 1000", &limits, "“sh” printed nothing");
  assert_stopped ("sleep 1000 | cat", &limits, "“sh” printed nothing");
}

/* It is never silent. */
static void
test_total (void)
{
  const DynoCommandLimits limits = { G_MAXUINT, 120, 0.05 };

  assert_stopped ("while :; do echo; done", &limits, "“sh” did not end within");
}

static void
test_deaf (void)
{
  const DynoCommandLimits limits = { 1024, 0.05, 120 };

  assert_stopped ("trap '' TERM; while :; do read -r line; done", &limits, "“sh” printed nothing");
}

/* As “ssh” does that leaves a connection open for later. */
static void
test_leaves_process (void)
{
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) error = NULL;
  pid_t left;

  g_assert_true (run ("sleep 1000 & echo $!", NULL, &generous, NULL, &answer, &error));
  g_assert_no_error (error);
  left = (pid_t)g_ascii_strtoll (answer.output, NULL, 10);
  g_assert_cmpint (left, >, 0);
  g_assert_cmpint (kill (left, SIGKILL), ==, 0);
}

static gpointer
cancel_thread (gpointer data)
{
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_thread, cancellable);

  g_assert_false (run ("exec sleep 1000", NULL, &generous, cancellable, &answer, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

static void
test_missing (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  const char *words[] = { "dyno-no-such-command", NULL };
  g_auto (DynoCommandAnswer) answer = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_command_run (launcher, words, "input", &generous, NULL, &answer, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
}

static const SuiteTest tests[] = {
  { "/command/answer", test_answer },       { "/command/endless-output", test_endless_output },
  { "/command/silence", test_silence },     { "/command/total", test_total },
  { "/command/deaf", test_deaf },           { "/command/leaves-process", test_leaves_process },
  { "/command/cancelled", test_cancelled }, { "/command/missing", test_missing },
};

SUITE_TESTS (tests)
