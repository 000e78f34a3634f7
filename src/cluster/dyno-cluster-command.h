/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-command.h"

G_BEGIN_DECLS

/* For a scheduler, and for a shell on another machine. */
extern const DynoCommandLimits dyno_cluster_command_usual;
/* For Dyno on another machine, which prints nothing while it probes its engines, and for results that are
 * fetched. */
extern const DynoCommandLimits dyno_cluster_command_patient;
/* For programs and engines that are copied; “ssh” itself notices a lost connection. */
extern const DynoCommandLimits dyno_cluster_command_copying;

/* Runs a command to its end. Cancelling the current GCancellable of the thread stops it. Returns its
 * output. The caller owns it. @words: a command, found in `PATH`, and its arguments. @input (nullable): its
 * input. @messages may be NULL. @error: includes the command's own message if it fails. */
char *dyno_cluster_command_run (const char *const *words,
                                const char *input,
                                const DynoCommandLimits *limits,
                                char **messages,
                                GError **error);
/* Starts a command that continues after this process and its terminal have ended. Returns whether it runs.
 **/
gboolean
dyno_cluster_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error);

G_END_DECLS
