/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-json-source.h"

G_BEGIN_DECLS

/**
 * DynoRecord:
 *
 * Named fields: a JSON object or a row of a table. A reader asks for a field by its name, with the expected
 * kind; fields that were never asked for are the rest (dyno_record_dup_rest()), so that nothing is
 * lost. A field that is absent, null or empty is not zero: numbers are NaN then, and texts NULL. A field
 * of another kind than expected is a failure; dyno_record_check() reports the first one. NaN and
 * infinity, in whatever notation, count as absent, but stay in the rest.
 */
typedef struct _DynoRecord DynoRecord;

/**
 * DynoRecordFunc:
 * @record: (transfer none): a record
 * @data: user data
 * @error: return location
 *
 * Returns: whether to continue
 */
typedef gboolean (*DynoRecordFunc) (DynoRecord *record, gpointer data, GError **error);

/* Returns a record without fields. */
DynoRecord *dyno_record_new (guint line);
/* Returns a record with the members of @object. */
DynoRecord *dyno_record_new_from_json (DynoJsonSource *source, JsonObject *object);
/* Returns the object in that field; its failures become those of @self, which must outlive it; NULL if
 * there is none. */
DynoRecord *dyno_record_new_part (DynoRecord *self, const char *name);
/* Returns the element as an object, like dyno_record_new_part(); NULL and a failure of @self if it is none.
 **/
DynoRecord *dyno_record_new_element (DynoRecord *self, JsonArray *array, guint index);
void dyno_record_free (DynoRecord *self);
/* @name: the name of a field, such as the heading of a column. Takes @text. */
void dyno_record_take_text (DynoRecord *self, const char *name, char *text);
/* For a record that spans several lines. Takes @text. */
void dyno_record_take_text_at (DynoRecord *self, guint line, const char *name, char *text);
/* For a record whose fields are read one by one. */
void dyno_record_take_source (DynoRecord *self, const char *name, DynoJsonSource *source);

/* Returns the line where it begins. */
guint dyno_record_get_line (DynoRecord *self);
/* @name: the name of a field that repeats other fields, so that it is not part of the rest. */
void dyno_record_skip (DynoRecord *self, const char *name);
/* Returns the names of its fields, in the order of the file. */
char **dyno_record_list_names (DynoRecord *self);
/* Returns whether the field is a list. It does not count as read. */
gboolean dyno_record_is_array (DynoRecord *self, const char *name);
/* Returns whether the field is an object. It does not count as read. */
gboolean dyno_record_is_object (DynoRecord *self, const char *name);
/* Returns whether the field exists and is neither null nor empty. It does not count as read. */
gboolean dyno_record_has (DynoRecord *self, const char *name);
/* Returns the text; NULL if there is none. */
const char *dyno_record_get_text (DynoRecord *self, const char *name);
/* Returns the text, number or truth value (`1` or `0`) in words; NULL if there is none. */
char *dyno_record_dup_word (DynoRecord *self, const char *name);
/* Returns the number, which may be written as a text; NaN if there is none. */
double dyno_record_get_number (DynoRecord *self, const char *name);
/* Returns whether the node is NaN or infinity, in the notation of JSON or of a Python table. */
gboolean dyno_record_is_no_number (JsonNode *node);
/* For quantities that are never negative, such as a time, an energy or a rate. Returns the same as
 * dyno_record_get_number(); a negative number is a failure. */
double dyno_record_get_amount (DynoRecord *self, const char *name);
/* Returns the whole number, not negative; 0 if there is none. */
guint dyno_record_get_count (DynoRecord *self, const char *name);
/* Returns the date and time of the field, in ISO 8601, as µs since 1970 UTC; 0 if there is none. Without a
 * zone it is taken as UTC. */
gint64 dyno_record_get_time (DynoRecord *self, const char *name);
/* Returns the numbers of a list, none of them negative; none at all if one of them is NaN or infinity. */
double *dyno_record_dup_amounts (DynoRecord *self, const char *name, gsize *n);
/* Returns the list; NULL if there is none. */
JsonArray *dyno_record_get_array (DynoRecord *self, const char *name);

/* Returns whether all fields that were asked for are of the expected kind. Fails with
 * DYNO_ERROR_INVALID_DATA, with line, field and value. */
gboolean dyno_record_check (DynoRecord *self, GError **error);
/* Returns the fields that were never asked for and are not empty, in file order; and those with NaN or
 * infinity in place of a number, in parts as well. */
JsonObject *dyno_record_dup_rest (DynoRecord *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRecord, dyno_record_free)

G_END_DECLS
