/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean dyno_pinning_bind (const char *policy, guint threads, GError **error);
gboolean dyno_pinning_avoid (const GPid *pids, guint n_pids);
gboolean dyno_pinning_release (GError **error);
gboolean dyno_pinning_check (const char *policy, GError **error);
char **dyno_pinning_list_policies (void);
/* Returns what people call it; the name itself where it is none of Dyno's. @policy may be NULL. */
char *dyno_pinning_dup_label (const char *policy);

gboolean dyno_pinning_bind_sampler (GError **error);
char *dyno_pinning_describe (void);

G_END_DECLS
