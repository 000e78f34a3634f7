/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-command.h"

G_BEGIN_DECLS

/* Of a scheduler, and of a shell on another machine. */
extern const DynoCommandLimits dyno_cluster_command_usual;
/* Of Dyno on another machine, which says nothing while it probes its engines, and of results that are brought. */
extern const DynoCommandLimits dyno_cluster_command_patient;
/* Of programs and engines that are copied; “ssh” itself notices a lost connection. */
extern const DynoCommandLimits dyno_cluster_command_copying;

/* Waits for the end of a command. The current GioCancellable of the thread stops it. Returns what it
 * prints. The caller owns it. @words: a command, found in `PATH`, and its arguments. @input (nullable):
 * what it may read. @messages may be NULL. @error: with the words of the command where it fails. */
char *dyno_cluster_command_run (const char *const *words,
                                const char *input,
                                const DynoCommandLimits *limits,
                                char **messages,
                                GError **error);
/* Starts a command that goes on when this process and its terminal are gone. Returns whether it runs. */
gboolean
dyno_cluster_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error);

G_END_DECLS
