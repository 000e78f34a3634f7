/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the name for people; for an unknown name, its own words. */
char *dyno_metric_title_dup (const char *name);
/* Returns the topic of the value, such as “Power and energy”, if several values share it; NULL otherwise. */
const char *dyno_metric_title_get_topic (const char *name);

G_END_DECLS
