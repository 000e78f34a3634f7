/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns a name for it and what it needs, another one for every build and set of engines. The caller owns
 * it. @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_name (const char *program, GError **error);
/* Returns whether programs of this machine can run there. */
gboolean dyno_cluster_stage_check_machine (const char *node, const char *machine, GError **error);
/* Returns what a shell here runs to write the programs and the engines as one archive. The caller owns it.
 * @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_write_pack (const char *program);
/* The program `dyno` beside them starts Dyno so that it finds the others. Returns what a shell there runs
 * to read the archive, unless it did so before. The caller owns it. @program: the path of `dyno-cli` here. */
char *dyno_cluster_stage_write_unpack (const char *folder, const char *program);

G_END_DECLS
