/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

gboolean dyno_store_meaning_check (sqlite3 *db, GError **error);

G_END_DECLS
