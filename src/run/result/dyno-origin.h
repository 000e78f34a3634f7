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
 * The code of the diagnostic by which such a case says that its file does not name the model: the case has
 * the name of the file, so another case of that name may be of another model.
 */
#define DYNO_ORIGIN_UNNAMED_CODE "model-unknown"

/**
 * DYNO_ORIGIN_BATCH_CODE:
 *
 * The code of the diagnostic of an imported case whose file does not give the batch size.
 */
#define DYNO_ORIGIN_BATCH_CODE "batch-unknown"

#define DYNO_TYPE_ORIGIN (dyno_origin_get_type ())

/**
 * DynoOrigin:
 * @dialect: the stable name of the format that the file was read as, such as `llama-bench`
 * @tool: the program that measured, for people
 * @version: (nullable): its version, according to the file
 * @file_name: the name of the file, without its folder
 * @imported_at: when it was imported, in µs since 1970 UTC
 * @hash: the SHA-256 of the file, in hexadecimal
 * @size: its size, in bytes
 * @extra: JSON: an object with `run` (facts about all cases for which Dyno has no member) and `cases` (the
 *   same for single cases, by their ordinals)
 * @content: (nullable): the file, compressed by gzip; NULL where it was not loaded
 *
 * The file from which a run of another tool was imported. It does not change once a run has it.
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
/* Returns an empty origin to fill in; it owns its members. */
DynoOrigin *dyno_origin_new (void);
DynoOrigin *dyno_origin_ref (DynoOrigin *self);
void dyno_origin_unref (DynoOrigin *self);
/* Returns the tool and, if known, its version. */
char *dyno_origin_dup_tool (const DynoOrigin *self);
/* Reads no more than the recorded size, and refuses content that differs from the imported file. Returns the
 * original file. The caller owns it. Fails with DYNO_ERROR_INVALID_DATA if it is damaged. */
GBytes *dyno_origin_unpack (const DynoOrigin *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOrigin, dyno_origin_unref)

G_END_DECLS
