/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-measured-case.h"
#include "dyno-store-statement.h"

G_BEGIN_DECLS

GPtrArray *dyno_store_cases_read (sqlite3 *db, GError **error);

G_END_DECLS
