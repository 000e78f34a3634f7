/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the name for people; for a name that is not known here, its own words. */
char *dyno_metric_title_dup (const char *name);
/* Returns what the value is about, such as “Power and energy”, where it is one of several about the same
 * thing; NULL otherwise. */
const char *dyno_metric_title_get_topic (const char *name);

G_END_DECLS
