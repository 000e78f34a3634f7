/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* A table of the columns strange_model and strange_ms. */

static gboolean
read_row (DynoRecord *record, gpointer builder, GError **error)
{
  const DynoImportCase kase = { .model = dyno_record_get_text (record, "strange_model"),
                                .backend = "stranger",
                                .batch_size = 1 };

  dyno_import_builder_set_tool (builder, "Stranger", "1");
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_value (builder, "latency_mean_ms", dyno_record_get_amount (record, "strange_ms"),
                                 "ms", "strange_ms");
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_table_read (file, ',', read_row, builder, error);
}

static gboolean
recognise (const char *head)
{
  return dyno_dialect_has_column (head, ',', "strange_model");
}

const DynoDialect dyno_stranger_dialect = {
  .name = "stranger",
  .title = "Stranger",
  .method = N_ ("It times a run by the clock on the wall."),
  .recognise = recognise,
  .read = read_file,
};
