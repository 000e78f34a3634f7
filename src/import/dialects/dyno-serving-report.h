/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-import-file.h"

G_BEGIN_DECLS

/**
 * DynoServingTool:
 * @name: the client's name
 * @backend: the engine, if the file does not name it
 *
 * A client of a server whose reports have vLLM’s form.
 */
typedef struct
{
  const char *name;
  const char *backend;
} DynoServingTool;

/* Returns whether it has the measurements of these clients, even if other fields were removed. */
gboolean dyno_serving_report_is_json (const char *head);
/* Returns whether it is the console output of one of these clients. */
gboolean dyno_serving_report_is_console (const char *head);
/* Returns whether it has a field that only SGLang’s client writes. */
gboolean dyno_serving_report_is_sglang (const char *head);
/* Returns whether all of it was read. */
gboolean dyno_serving_report_read (DynoImportFile *file,
                                   const DynoServingTool *tool,
                                   DynoImportBuilder *builder,
                                   GError **error);

G_END_DECLS
