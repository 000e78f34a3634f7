/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-import-file.h"
#include "dyno-power-meter.h"
#include "dyno-store.h"
#include "dyno-trace.h"
#include "dyno-unit.h"

G_BEGIN_DECLS

/* dyno-import-unit */

/* Returns whether @unit is known. @own: the factor, and the unit of the product. */
gboolean dyno_import_unit_convert (const char *unit, DynoUnit *own);

/* dyno-json-source */

/**
 * DynoJsonSource:
 *
 * The text that a tree of JSON was parsed from. The tree has no lines: only if a value is wrong, the text
 * is walked along with the tree to find its line.
 */
typedef struct _DynoJsonSource DynoJsonSource;

/* Returns the text with its tree. @text: valid JSON, not nested deeper than a parser allows. Takes @text.
 * Takes @root. */
DynoJsonSource *dyno_json_source_new (char *text, guint line, JsonNode *root);
DynoJsonSource *dyno_json_source_ref (DynoJsonSource *self);
void dyno_json_source_unref (DynoJsonSource *self);

/* Returns the tree. */
JsonNode *dyno_json_source_get_root (DynoJsonSource *self);
/* Returns the line of the file at which the text begins. */
guint dyno_json_source_get_line (DynoJsonSource *self);
/* Returns the line of the file at which the object begins. */
guint dyno_json_source_find_object (DynoJsonSource *self, JsonObject *object);
/* Returns the line of the file that has the member's name. */
guint dyno_json_source_find_member (DynoJsonSource *self, JsonObject *object, const char *name);
/* Returns the line of the file at which the element begins. */
guint dyno_json_source_find_element (DynoJsonSource *self, JsonArray *array, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJsonSource, dyno_json_source_unref)

/* dyno-record */

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
/* Returns the object in that field; NULL, without a failure, if it is of another kind or @self is NULL. */
DynoRecord *dyno_record_new_object (DynoRecord *self, const char *name);
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

/* dyno-json-reader */

/**
 * DynoJsonPiece:
 * @document: the index of its JSON value among those that follow each other in the file, from 0
 * @element: the number of the split object that it belongs to, from 1; 0 for none
 * @member: (nullable): the member of the object that this is, or is an element of; NULL for an element of an array
 * @is_element: whether it is an element of that member
 * @line: the line where it begins
 * @node: the parsed value
 * @source: the value with its text
 *
 * A part of a JSON file, small enough to be a tree.
 */
typedef struct
{
  guint document;
  guint element;
  char *member;
  gboolean is_element;
  guint line;
  JsonNode *node;
  DynoJsonSource *source;
} DynoJsonPiece;

/**
 * DynoJsonReader:
 *
 * Reads JSON of any size. The value of the file is split once: an array into its elements, an object into
 * its members, and a member that is an array into its elements. Each of these may be as large as
 * DYNO_IMPORT_MAX_PIECE; it is parsed by JSON-GLib, and freed before the next. A second value in the file
 * is refused, unless it is allowed; then successive values come one after another.
 *
 * Python writes NaN and Infinity, which are not JSON: they become texts, which a DynoRecord does
 * not accept as numbers.
 */
typedef struct _DynoJsonReader DynoJsonReader;

/* Returns a reader; @file must outlive it. */
DynoJsonReader *dyno_json_reader_new (DynoImportFile *file);
/* Also splits the objects in the array @member, like the outer object, because they are large. Returns a
 * reader; @file must outlive it. @member may be NULL. @max_piece: the largest piece, in bytes. */
DynoJsonReader *dyno_json_reader_new_apart (DynoImportFile *file, const char *member, gsize max_piece);
/* Lets an outer array end with the file, after an element or the “,” after it. */
void dyno_json_reader_allow_open (DynoJsonReader *self);
/* Lets several values follow each other in the file, for dialects that tell them apart by the number of the
 * document. */
void dyno_json_reader_allow_several (DynoJsonReader *self);
void dyno_json_reader_free (DynoJsonReader *self);
/* Returns whether there was no error. @piece: its previous content is cleared; the node is NULL at the end.
 **/
gboolean dyno_json_reader_next (DynoJsonReader *self, DynoJsonPiece *piece, GError **error);
/* Returns the piece as an object. The caller owns it. */
DynoRecord *dyno_json_piece_to_record (const DynoJsonPiece *self, GError **error);
void dyno_json_piece_clear (DynoJsonPiece *self);

/* Returns the object in a line, for JSON Lines between other lines. */
DynoRecord *dyno_json_reader_parse_line (const char *text, guint line, GError **error);
/* Returns the object, which may be as large as DYNO_IMPORT_MAX_PIECE. The caller owns it. @file: a file,
 * positioned before a JSON object that is its only content. */
DynoRecord *dyno_json_reader_read_record (DynoImportFile *file, GError **error);
/* Returns the object in the file of that name beside @file; NULL if there is none. The caller owns it. */
DynoRecord *dyno_json_reader_read_beside (DynoImportFile *file, const char *name);
/* Returns whether all objects were read. @file: a file of JSON Lines: successive objects, each at most as
 * large as DYNO_IMPORT_MAX_PIECE. */
gboolean
dyno_json_reader_read_lines (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error);
/* For independent objects at any place. Returns whether all objects were read. @file: a file whose pieces
 * are objects, such as an array of them; or several that follow each other. */
gboolean
dyno_json_reader_read_elements (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJsonReader, dyno_json_reader_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoJsonPiece, dyno_json_piece_clear)

/* dyno-power-alignment */

/**
 * DynoPowerAlignment:
 * @store: a store
 * @log: the log of a power meter
 * @file: the file of the log, which is kept with the runs
 * @run_id: (nullable): the whole id of the run it belongs to; NULL for all runs that were measured here at that time
 * @added: (element-type DynoRun): gets the runs that got readings
 * @present: (element-type DynoRun): gets the runs that already had them
 * @n_cases: (element-type DynoRun guint): gets the number of cases with readings of each of these runs
 *
 * The readings of a power meter, and the runs that they may belong to.
 */
typedef struct
{
  DynoStore *store;
  const DynoPowerLog *log;
  DynoOrigin *file;
  const char *run_id;
  GPtrArray *added;
  GPtrArray *present;
  GHashTable *n_cases;
} DynoPowerAlignment;

/* Returns whether a run now has the readings. Fails with DYNO_ERROR_NOT_FOUND if no run is from the time of
 * the readings, and with DYNO_ERROR_INVALID_DATA if no run can use them. */
gboolean dyno_power_alignment_run (DynoPowerAlignment *self, GError **error);

/* dyno-table */

/**
 * DynoTable:
 *
 * The rows of a CSV file by the names in its first row, read one by one. Fields are quoted as in RFC 4180,
 * and may contain line ends; empty lines are skipped. A row with another number of fields than the first
 * one is refused. If a spreadsheet saved a table of commas with “;” between fields, its numbers may have
 * decimal commas.
 */
typedef struct _DynoTable DynoTable;

/* Returns the delimiter in the text: spreadsheets of many countries save commas as “;”. */
char dyno_table_find_delimiter (const char *head, char usual);
/* Returns the fields of the next row that is not empty; NULL at the end, and on an error. The caller owns
 * it. */
GPtrArray *dyno_table_read_row (DynoImportFile *file, char delimiter, guint *line, GError **error);

/* Sets the error of a row with another number of fields than the first one. */
void dyno_table_set_width_error (GError **error, guint line, guint n, guint n_of_first);

/* Returns whether all rows were read. */
gboolean dyno_table_read (
    DynoImportFile *file, char delimiter, DynoRecordFunc read_row, gpointer data, GError **error);

/* Returns the table of the file's rows. */
DynoTable *dyno_table_new (DynoImportFile *file, char delimiter, GError **error);
void dyno_table_free (DynoTable *self);
/* Returns whether there was no error. @record: the next row; NULL at the end. */
gboolean dyno_table_next (DynoTable *self, DynoRecord **record, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTable, dyno_table_free)

G_END_DECLS
