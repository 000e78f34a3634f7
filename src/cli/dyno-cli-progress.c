/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"

#define BAR_WIDTH   20
#define USUAL_WIDTH 80

struct _DynoCliProgress
{
  DynoRunner *runner;
  guint width;
};

static const char *
phase_name (const char *phase)
{
  if (g_strcmp0 (phase, "wait") == 0)
    return _ ("waiting until the machine is idle");
  if (g_strcmp0 (phase, "load") == 0)
    return _ ("loading");
  if (g_strcmp0 (phase, "first-run") == 0)
    return _ ("first run");
  if (g_strcmp0 (phase, "warm-up") == 0)
    return _ ("warming up");
  if (g_strcmp0 (phase, "measure") == 0)
    return _ ("measuring");
  if (g_strcmp0 (phase, "analyse") == 0)
    return _ ("analysing");
  return _ ("preparing");
}

/* Returns the progress and the current case. */
static char *
dup_line (DynoRunner *runner, guint width)
{
  g_autoptr (GString) line = g_string_new (NULL);
  DynoResult *current = dyno_runner_get_current (runner);
  double seconds_left = dyno_runner_get_seconds_left (runner);
  guint n_cases = dyno_run_get_n_cases (dyno_runner_get_run (runner));
  double progress = dyno_runner_get_progress (runner);
  guint n_done = (guint)(CLAMP (progress, 0, 1) * BAR_WIDTH + 0.5);

  for (guint i = 0; i < BAR_WIDTH; i++)
    g_string_append (line, i < n_done ? "█" : "░");

  g_string_append_printf (line, _ (" %u of %u"), dyno_runner_count_finished (runner), n_cases);
  if (seconds_left < 0)
    {
      g_autofree char *duration = dyno_cli_format_duration (dyno_runner_get_seconds_elapsed (runner));

      /* Translators: time that has passed, such as 0:42; how much is left is not known */
      g_string_append_printf (line, _ (" · %s elapsed, longer than expected"), duration);
    }
  else
    {
      g_autofree char *duration = dyno_cli_format_duration (seconds_left);

      /* Translators: time left, such as 0:42 */
      g_string_append_printf (line, _ (" · %s left"), duration);
    }
  if (g_str_equal (dyno_runner_get_phase (runner), "ceilings"))
    g_string_append (line, _ (" · measuring the roofs of this machine (once; --no-ceilings skips it)"));
  else if (g_str_equal (dyno_runner_get_phase (runner), "roofs-again"))
    g_string_append (line, _ (" · measuring the roofs again that cases exceeded"));
  if (current != NULL)
    {
      g_autofree char *label = dyno_case_dup_label (dyno_result_get_case (current));

      guint n = dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (current)));

      g_string_append_printf (line, " · %s", phase_name (dyno_runner_get_phase (runner)));
      if (n > 1 && !dyno_runner_is_analysing (runner))
        /* Translators: follows what is being done, such as “measuring” */
        g_string_append_printf (line, _ (", process %u of %u"), dyno_runner_get_invocation (runner) + 1, n);
      g_string_append_printf (line, " · %s", label);
    }
  return g_utf8_substring (line->str, 0, MIN (g_utf8_strlen (line->str, -1), (glong)width));
}

static void
draw (DynoCliProgress *self)
{
  g_autofree char *line = dup_line (self->runner, self->width);

  dyno_cli_show_progress (line);
}

DynoCliProgress *
dyno_cli_progress_new (DynoRunner *runner)
{
  struct winsize size = { 0 };
  DynoCliProgress *self;

  if (!isatty (STDERR_FILENO))
    return NULL;
  self = g_new0 (DynoCliProgress, 1);
  self->runner = g_object_ref (runner);
  self->width =
      ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : USUAL_WIDTH;
  g_signal_connect_swapped (runner, "notify", G_CALLBACK (draw), self);
  return self;
}

void
dyno_cli_progress_free (DynoCliProgress *self)
{
  g_signal_handlers_disconnect_by_data (self->runner, self);
  dyno_cli_show_progress (NULL);
  g_object_unref (self->runner);
  g_free (self);
}
