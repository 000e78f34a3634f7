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

/* Returns a record without fields. */
DynoRecord *dyno_record_new (guint line);
/* Returns a record with the members of @object. */
DynoRecord *dyno_record_new_from_json (DynoJsonSource *source, JsonObject *object);
/* Returns the object in that field; what fails in it fails in @self, which must outlive it; NULL if there
 * is none. */
DynoRecord *dyno_record_new_part (DynoRecord *self, const char *name);
/* Returns the object that it is, as of dyno_record_new_part(); NULL and a failure of @self where it is
 * none. */
DynoRecord *dyno_record_new_element (DynoRecord *self, JsonArray *array, guint index);
void dyno_record_free (DynoRecord *self);
/* @name: the name of a field, such as the heading of a column. Takes @text. */
void dyno_record_take_text (DynoRecord *self, const char *name, char *text);
/* For a record of several lines. Takes @text. */
void dyno_record_take_text_at (DynoRecord *self, guint line, const char *name, char *text);
/* For a record whose fields are read one by one. */
void dyno_record_take_source (DynoRecord *self, const char *name, DynoJsonSource *source);

/* Returns the line at which it begins. */
guint dyno_record_get_line (DynoRecord *self);
/* @name: the name of a field that repeats what others say, so that it is not left over. */
void dyno_record_skip (DynoRecord *self, const char *name);
/* Returns the names of its fields, in the order of the file. */
char **dyno_record_list_names (DynoRecord *self);
/* Returns whether the field is a list. It does not count as read. */
gboolean dyno_record_is_array (DynoRecord *self, const char *name);
/* Returns whether the field is an object. It does not count as read. */
gboolean dyno_record_is_object (DynoRecord *self, const char *name);
/* Returns whether it is there and neither null nor empty. It does not count as read. */
gboolean dyno_record_has (DynoRecord *self, const char *name);
/* Returns the text; NULL if there is none. */
const char *dyno_record_get_text (DynoRecord *self, const char *name);
/* Returns the text, number or truth value (`1` or `0`) in words; NULL if there is none. */
char *dyno_record_dup_word (DynoRecord *self, const char *name);
/* Returns the number, which a text may hold as well; NaN where there is none. */
double dyno_record_get_number (DynoRecord *self, const char *name);
/* Returns whether it stands for NaN or infinity, as JSON or a table of Python has them. */
gboolean dyno_record_is_no_number (JsonNode *node);
/* For what is never less than nothing, such as a time, an energy or a rate. Returns as
 * dyno_record_get_number(); one below zero is a failure. */
double dyno_record_get_amount (DynoRecord *self, const char *name);
/* Returns the whole number, not below zero; 0 where there is none. */
guint dyno_record_get_count (DynoRecord *self, const char *name);
/* Returns the date and time that it holds by ISO 8601, in µs since 1970 UTC; 0 where there is none.
 * Without a zone it is taken for UTC. */
gint64 dyno_record_get_time (DynoRecord *self, const char *name);
/* Returns the numbers of a list, none of them below zero; none where one of them is NaN or infinity. */
double *dyno_record_dup_amounts (DynoRecord *self, const char *name, gsize *n);
/* Returns the list; NULL if there is none. */
JsonArray *dyno_record_get_array (DynoRecord *self, const char *name);

/* Returns whether everything that was asked for was of its kind. Fails with DYNO_ERROR_INVALID_DATA
 * telling line, field and value. */
gboolean dyno_record_check (DynoRecord *self, GError **error);
/* Returns the fields that were never asked for and hold something, in the order of the file; and those
 * that hold NaN or infinity in place of a number, in parts as well. */
JsonObject *dyno_record_dup_rest (DynoRecord *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRecord, dyno_record_free)

G_END_DECLS
