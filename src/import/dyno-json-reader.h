/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-file.h"
#include "dyno-record.h"

G_BEGIN_DECLS

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

G_END_DECLS
