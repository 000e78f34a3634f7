/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-import-file.h"
#include "dyno-power-log.h"

G_BEGIN_DECLS

/**
 * DynoDialectPart:
 * @part: the name of a file
 * @whole: the name of the one beside it that it is a part of, and that is of the same dialect
 *
 * Of a part that has several the first that is there counts. The last has no name.
 */
typedef struct
{
  const char *part;
  const char *whole;
} DynoDialectPart;

/**
 * DynoDialect:
 * @name: stable name, the one in `src/import/meson.build`
 * @title: what writes such files, for people: a name, not translated
 * @method: how that measures, in a sentence or two: what a reader must know who compares its numbers with Dyno’s; marked
 *   for translation
 * @recognise: whether a file is of this dialect, by its first 64 kB and nothing else; of all dialects only one may say so
 * @read: reads the file from its beginning, streaming: only a line, a row or a piece of JSON is in memory
 * @read_runs: in place of @read, where a file holds runs as Dyno has them, which stay what they are; it adds to @ceilings
 *   (element-type DynoRun GPtrArray) what their machines can do at most, where the file says it
 * @read_power: in place of @read, where a file holds power over time, which belongs to runs that the store has
 * @parts: (nullable): files that say more about another one beside them, or repeat it, and are read with it
 *
 * A format in which another tool keeps its results. One file each, `dialects/dyno-NAME-dialect.c`, and one name in
 * `src/import/meson.build`. Fields are found by their names, never by their places. One of the three functions that read
 * is not %NULL.
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
/* Returns the dialect that it is of; NULL if there is none. */
const DynoDialect *dyno_dialect_find (const char *head);

/* For those who recognise. */

/* Returns whether @sign comes first, after white space. */
gboolean dyno_dialect_begins_with (const char *head, const char *sign);
/* Returns whether some object has such a member, at whatever depth. */
gboolean dyno_dialect_has_key (const char *head, const char *key);
/* Returns whether it is JSON with each of them somewhere. */
gboolean dyno_dialect_has_keys (const char *head, const char *const *keys);
/* Returns whether it has such a line. @is_sign: says of a line whether it is one that is looked for. */
gboolean dyno_dialect_has_line (const char *head, gboolean (*is_sign) (const char *line));
/* Returns whether the first line that is not empty names such a column. */
gboolean dyno_dialect_has_column (const char *head, char delimiter, const char *column);

G_END_DECLS
