/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void dyno_browser_set_path (const char *path);
char *dyno_browser_dup_path (void);
char **dyno_browser_list (GError **error);
char *dyno_browser_dup_state (void);
char *dyno_browser_find_runtime (GError **error);
char *dyno_browser_dup_runtime_version (void);
const char *dyno_browser_get_remedy (void);
const char *dyno_browser_get_retry_remedy (void);

G_END_DECLS
