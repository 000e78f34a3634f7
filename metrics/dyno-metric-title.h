/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_metric_title_dup (const char *name);
const char *dyno_metric_title_get_topic (const char *name);

G_END_DECLS
