/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-json-source.h"

G_BEGIN_DECLS

/**
 * DynoRecord:
 *
 * What a file says of one thing, by names: a JSON object or a row of a table. Whoever reads it asks by name, with the kind
 * that is expected; what was never asked for is left over ([method@Dyno.Record.dup_rest]), so that nothing is lost. A field
 * that is absent, null or empty is not zero: numbers are NaN then, and texts %NULL. A field of another kind than asked for
 * is a failure, of which the first is told by [method@Dyno.Record.check]. NaN and infinity, in whatever notation, are as if
 * they were absent, but stay among what is left over.
 */
typedef struct _DynoRecord DynoRecord;

/**
 * DynoRecordFunc:
 * @record: (transfer none): a record
 * @data: user data
 * @error: return location
 *
 * Returns: whether the reading may go on
 */
typedef gboolean (*DynoRecordFunc) (DynoRecord *record, gpointer data, GError **error);

DynoRecord *dyno_record_new (guint line);
DynoRecord *dyno_record_new_from_json (DynoJsonSource *source, JsonObject *object);
DynoRecord *dyno_record_new_part (DynoRecord *self, const char *name);
DynoRecord *dyno_record_new_element (DynoRecord *self, JsonArray *array, guint index);
void dyno_record_free (DynoRecord *self);
void dyno_record_take_text (DynoRecord *self, const char *name, char *text);
void dyno_record_take_text_at (DynoRecord *self, guint line, const char *name, char *text);
void dyno_record_take_source (DynoRecord *self, const char *name, DynoJsonSource *source);

guint dyno_record_get_line (DynoRecord *self);
void dyno_record_skip (DynoRecord *self, const char *name);
char **dyno_record_list_names (DynoRecord *self);
gboolean dyno_record_is_array (DynoRecord *self, const char *name);
gboolean dyno_record_is_object (DynoRecord *self, const char *name);
gboolean dyno_record_has (DynoRecord *self, const char *name);
const char *dyno_record_get_text (DynoRecord *self, const char *name);
char *dyno_record_dup_word (DynoRecord *self, const char *name);
double dyno_record_get_number (DynoRecord *self, const char *name);
gboolean dyno_record_is_no_number (JsonNode *node);
double dyno_record_get_amount (DynoRecord *self, const char *name);
guint dyno_record_get_count (DynoRecord *self, const char *name);
gint64 dyno_record_get_time (DynoRecord *self, const char *name);
double *dyno_record_dup_amounts (DynoRecord *self, const char *name, gsize *n);
JsonArray *dyno_record_get_array (DynoRecord *self, const char *name);

gboolean dyno_record_check (DynoRecord *self, GError **error);
JsonObject *dyno_record_dup_rest (DynoRecord *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRecord, dyno_record_free)

G_END_DECLS
