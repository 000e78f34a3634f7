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

char *dyno_cluster_command_run (const char *const *words,
                                const char *input,
                                const DynoCommandLimits *limits,
                                char **messages,
                                GError **error);
gboolean
dyno_cluster_command_spawn (const char *const *words, const char *log, gint64 *process, GError **error);

G_END_DECLS
