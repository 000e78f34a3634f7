/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-import-file.h"
#include "dyno-import-private.h"

G_BEGIN_DECLS

/**
 * DynoDialectPart:
 * @part: the name of a file
 * @whole: the name of the file beside it that it is a part of, in the same dialect
 *
 * If a part names several, the first that exists counts. The last one has no name.
 */
typedef struct
{
  const char *part;
  const char *whole;
} DynoDialectPart;

/**
 * DynoDialect:
 * @name: stable name, the one in `src/import/meson.build`
 * @title: the program that writes such files, for people: a name, not translated
 * @method: its way of measuring, in a sentence or two: the facts that a reader needs to compare its numbers with
 *   Dyno’s; marked for translation
 * @recognise: whether a file is of this dialect, from its first 64 kB only; exactly one dialect may accept a file
 * @read: reads the file from its beginning, streaming: only a line, a row or a piece of JSON is in memory
 * @read_runs: in place of @read, for files with Dyno's own runs, which are kept unchanged; it adds the ceilings of
 *   their machines to @ceilings (element-type DynoRun GPtrArray), if the file has them
 * @read_power: in place of @read, for files with power over time, which belongs to runs in the store
 * @parts: (nullable): files that add to another file beside them, or repeat it, and are read with it
 *
 * A file format of another tool's results. Each has its own file, `dialects/dyno-NAME-dialect.c`, and a name in
 * `src/import/meson.build`. Fields are found by name, never by position. Exactly one of the three read functions is
 * not NULL.
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *method;
  gboolean (*recognise) (const char *head);
  gboolean (*read) (DynoImportFile *file, DynoImportBuilder *builder, GError **error);
  GPtrArray *(*read_runs) (DynoImportFile *file, GHashTable *ceilings, GError **error);
  DynoPowerLog *(*read_power) (DynoImportFile *file, GError **error);
  const DynoDialectPart *parts;
} DynoDialect;

/* Returns all dialects. */
const DynoDialect *const *dyno_dialect_list (void);
/* Returns the dialect of the file; NULL if there is none. */
const DynoDialect *dyno_dialect_find (const char *head);

/* Helpers to recognise files. */

/* Returns whether the text begins with @sign, after white space. */
gboolean dyno_dialect_begins_with (const char *head, const char *sign);
/* Returns whether any object, at any depth, has such a member. */
gboolean dyno_dialect_has_key (const char *head, const char *key);
/* Returns whether it is JSON that has all of these keys, at any depth. */
gboolean dyno_dialect_has_keys (const char *head, const char *const *keys);
/* Returns whether it has such a line. @is_sign: returns whether a line is the one to find. */
gboolean dyno_dialect_has_line (const char *head, gboolean (*is_sign) (const char *line));
/* Returns whether the first line that is not empty has such a column. */
gboolean dyno_dialect_has_column (const char *head, char delimiter, const char *column);

G_END_DECLS
