/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Returns whether @json is a JSON object. @id: the SHA-256 of @snapshot: the same for every run on the
 * machine as it is. */
gboolean
dyno_store_machine_split (const char *json, char **id, char **snapshot, char **state, GError **error);
/* Ceilings stay valid when the engines, the kernel or the swap space change. Returns whether @json is a
 * JSON object. @id: the SHA-256 of @snapshot. @snapshot: the parts that the ceilings depend on, as
 * canonical JSON: processor, caches, memory, host and container. */
gboolean dyno_store_machine_reduce (const char *json, char **id, char **snapshot, GError **error);
/* Returns the whole snapshot as canonical JSON. The caller owns it. */
char *dyno_store_machine_join (const char *snapshot, const char *state, GError **error);
/* Adds the machine to @machines. Returns whether @json is a machine that was not in it yet. @machines: a
 * set of ids, as from dyno_store_machine_reduce(). */
gboolean dyno_store_machine_add (GHashTable *machines, const char *json);
/* Returns a set of the ids that the file has for this machine, with any engines and any kernel. */
GHashTable *dyno_store_machine_list_same (sqlite3 *db, const char *machine, GError **error);

G_END_DECLS
