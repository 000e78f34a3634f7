/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_scratch_new (GError **error);
char *dyno_scratch_new_beside (const char *file, GError **error);
void dyno_scratch_remove (const char *folder);
void dyno_scratch_remove_orphans (void);

G_END_DECLS
