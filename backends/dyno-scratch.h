/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_scratch_new (GError **error);
void dyno_scratch_remove (const char *folder);

G_END_DECLS
