/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns a name for the copy of Dyno with its libraries and engines, which differs for every build and set
 * of engines. The caller owns it. @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_name (const char *program, GError **error);
/* Returns whether programs of this machine can run on the node. */
gboolean dyno_cluster_stage_check_machine (const char *node, const char *machine, GError **error);
/* Returns a shell command for this machine that writes the programs and the engines as one archive. The
 * caller owns it. @program: the path of `dyno-cli`. */
char *dyno_cluster_stage_write_pack (const char *program);
/* Returns a shell command for the other machine that unpacks the archive, unless that was done before. The
 * caller owns it. The program `dyno` in it starts Dyno so that it finds the others. @program: the path of
 * `dyno-cli` here. */
char *dyno_cluster_stage_write_unpack (const char *folder, const char *program);

G_END_DECLS
