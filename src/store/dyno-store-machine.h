/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store-statement.h"

G_BEGIN_DECLS

gboolean
dyno_store_machine_split (const char *json, char **id, char **snapshot, char **state, GError **error);
gboolean dyno_store_machine_reduce (const char *json, char **id, char **snapshot, GError **error);
char *dyno_store_machine_join (const char *snapshot, const char *state, GError **error);
gboolean dyno_store_machine_add (GHashTable *machines, const char *json);
GHashTable *dyno_store_machine_list_same (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
