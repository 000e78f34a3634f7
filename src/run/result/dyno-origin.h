/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * DYNO_ORIGIN_CODE:
 *
 * The code of the diagnostic by which a case says that another tool measured it, and how.
 */
#define DYNO_ORIGIN_CODE "imported"

/**
 * DYNO_ORIGIN_UNNAMED_CODE:
 *
 * The code of the diagnostic by which such a case says that its file does not name the model: the case has the name of the
 * file, which says nothing of whether another case of that name is of the same model.
 */
#define DYNO_ORIGIN_UNNAMED_CODE "model-unknown"

/**
 * DYNO_ORIGIN_BATCH_CODE:
 *
 * The code of the diagnostic that a case of another tool’s file has whose batch size the file does not tell.
 */
#define DYNO_ORIGIN_BATCH_CODE "batch-unknown"

#define DYNO_TYPE_ORIGIN (dyno_origin_get_type ())

/**
 * DynoOrigin:
 * @dialect: the stable name of the format that the file was read as, such as `llama-bench`
 * @tool: the program that measured, for people
 * @version: (nullable): its version, as the file tells it
 * @file_name: how the file was called, without its folder
 * @imported_at: when it was imported, in µs since 1970 UTC
 * @hash: the SHA-256 of the file, in hexadecimal
 * @size: its size, in bytes
 * @extra: JSON: an object with `run` (what the file says of all cases and Dyno has no place for) and `cases` (the same of
 *   single ones, by their ordinals)
 * @content: (nullable): the file, compressed by gzip; %NULL where it was not loaded
 *
 * Where a run that another tool measured comes from. Not changed once a run has it.
 */
typedef struct
{
  char *dialect;
  char *tool;
  char *version;
  char *file_name;
  gint64 imported_at;
  char *hash;
  gint64 size;
  char *extra;
  GBytes *content;

  /*< private >*/
  gatomicrefcount ref_count;
} DynoOrigin;

GType dyno_origin_get_type (void);
/* Returns an origin to be filled; what it holds belongs to it. */
DynoOrigin *dyno_origin_new (void);
DynoOrigin *dyno_origin_ref (DynoOrigin *self);
void dyno_origin_unref (DynoOrigin *self);
/* Returns the tool and its version, as far as that is known. */
char *dyno_origin_dup_tool (const DynoOrigin *self);
/* What unpacks to something other than the file that was imported is refused, and never read beyond the
 * size of that. Returns the file as it was. The caller owns it. Fails with DYNO_ERROR_INVALID_DATA where
 * that is damaged. */
GBytes *dyno_origin_unpack (const DynoOrigin *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOrigin, dyno_origin_unref)

G_END_DECLS
