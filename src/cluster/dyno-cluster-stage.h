/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_cluster_stage_name (const char *program, GError **error);
gboolean dyno_cluster_stage_check_machine (const char *node, const char *machine, GError **error);
char *dyno_cluster_stage_write_pack (const char *program);
char *dyno_cluster_stage_write_unpack (const char *folder, const char *program);

G_END_DECLS
