/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DynoCommandLimits:
 * @output: the maximum number of bytes that it may print, to its standard output and to its standard error
 *   each
 * @silence: the maximum time without any output, in seconds
 * @total: its maximum duration, in seconds
 */
typedef struct
{
  gsize output;
  double silence;
  double total;
} DynoCommandLimits;

/**
 * DynoCommandAnswer:
 * @output: its standard output, UTF-8
 * @messages: its standard error, UTF-8
 * @is_successful: whether it ended with status 0
 * @signal: the signal that ended it; 0 if it ended by itself
 */
typedef struct
{
  char *output;
  char *messages;
  gboolean is_successful;
  int signal;
} DynoCommandAnswer;

void dyno_command_answer_clear (DynoCommandAnswer *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoCommandAnswer, dyno_command_answer_clear)

/* Runs a program that is not part of Dyno and waits for its end. Blocks; any thread may call this. The
 * command also ends with the thread that waits for it. Returns whether it ran and ended by itself, whatever
 * its status. @launcher: the environment of the command; the streams are set here. @words: a command, found
 * in `PATH`, and its arguments. @input (nullable): its standard input. @cancellable may be NULL. */
gboolean dyno_command_run (GSubprocessLauncher *launcher,
                           const char *const *words,
                           const char *input,
                           const DynoCommandLimits *limits,
                           GCancellable *cancellable,
                           DynoCommandAnswer *answer,
                           GError **error);

G_END_DECLS
