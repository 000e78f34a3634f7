/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-import-builder.h"
#include "dyno-import-file.h"

G_BEGIN_DECLS

/**
 * DynoServingTool:
 * @name: what the client is called
 * @backend: what ran the model where the file does not tell
 *
 * A client of a server whose reports have the form of vLLM’s.
 */
typedef struct
{
  const char *name;
  const char *backend;
} DynoServingTool;

gboolean dyno_serving_report_is_json (const char *head);
gboolean dyno_serving_report_is_console (const char *head);
gboolean dyno_serving_report_is_sglang (const char *head);
gboolean dyno_serving_report_read (DynoImportFile *file,
                                   const DynoServingTool *tool,
                                   DynoImportBuilder *builder,
                                   GError **error);

G_END_DECLS
