/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void dyno_store_reserve_make (const char *store_path);
gboolean dyno_store_reserve_release (const char *store_path);

G_END_DECLS
