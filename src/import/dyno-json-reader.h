/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-file.h"
#include "dyno-record.h"

G_BEGIN_DECLS

/**
 * DynoJsonPiece:
 * @document: which of the JSON values that follow each other in the file it is of, from 0
 * @element: which of the objects that are taken apart it is of, from 1; 0 for none of them
 * @member: (nullable): the member of the object that this is, or is an element of; %NULL for an element of an array
 * @is_element: whether it is an element of that member
 * @line: where it begins
 * @node: what it is
 * @source: the same with its text
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
 * Reads JSON of any size. The value of the file is taken apart once: of an array come its elements, of an object its
 * members, and of a member that is an array its elements. Each of these may be as large as %DYNO_IMPORT_MAX_PIECE; it is
 * parsed by JSON-GLib, and forgotten before the next. A second value in the file is refused, unless it is allowed; then
 * values that follow each other come one after another.
 *
 * Python writes NaN and Infinity, which are not JSON: they become texts, which a [struct@Dyno.Record] takes for no number.
 */
typedef struct _DynoJsonReader DynoJsonReader;

/* Returns a reader; @file must outlive it. */
DynoJsonReader *dyno_json_reader_new (DynoImportFile *file);
/* The objects in the array @member are taken apart in the same way as the outer object is, because they
 * are large. Returns a reader; @file must outlive it. @member may be NULL. @max_piece: the largest piece,
 * in bytes. */
DynoJsonReader *dyno_json_reader_new_apart (DynoImportFile *file, const char *member, gsize max_piece);
/* Lets an outer array end where the file does, behind an element or the “,” after it. */
void dyno_json_reader_allow_open (DynoJsonReader *self);
/* Lets several values follow each other in the file, for dialects that tell them apart by the number of
 * the document. */
void dyno_json_reader_allow_several (DynoJsonReader *self);
void dyno_json_reader_free (DynoJsonReader *self);
/* Returns whether there was no error. @piece: what was read before is cleared; the node is NULL at the
 * end. */
gboolean dyno_json_reader_next (DynoJsonReader *self, DynoJsonPiece *piece, GError **error);
/* Returns the object that it is. The caller owns it. */
DynoRecord *dyno_json_piece_to_record (const DynoJsonPiece *self, GError **error);
void dyno_json_piece_clear (DynoJsonPiece *self);

/* For JSON Lines between lines that are none. Returns the object. */
DynoRecord *dyno_json_reader_parse_line (const char *text, guint line, GError **error);
/* Returns the object, which may be as large as DYNO_IMPORT_MAX_PIECE. The caller owns it. @file: a file,
 * before a JSON object, which is all that it holds. */
DynoRecord *dyno_json_reader_read_record (DynoImportFile *file, GError **error);
/* Returns whether all objects were read. @file: a file of JSON Lines: objects that follow each other, each
 * as large as DYNO_IMPORT_MAX_PIECE at most. */
gboolean
dyno_json_reader_read_lines (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error);
/* For objects of which each stands for itself, wherever it stands. Returns whether all objects were read.
 * @file: a file whose pieces are objects, such as an array of them; or several that follow each other. */
gboolean
dyno_json_reader_read_elements (DynoImportFile *file, DynoRecordFunc read, gpointer data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJsonReader, dyno_json_reader_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DynoJsonPiece, dyno_json_piece_clear)

G_END_DECLS
