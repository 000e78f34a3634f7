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

/* Returns whether it holds what these clients measure, whatever somebody has left out of it. */
gboolean dyno_serving_report_is_json (const char *head);
/* Returns whether one of these clients has printed it. */
gboolean dyno_serving_report_is_console (const char *head);
/* Returns whether it has what only SGLang’s client writes. */
gboolean dyno_serving_report_is_sglang (const char *head);
/* Returns whether all of it was read. */
gboolean dyno_serving_report_read (DynoImportFile *file,
                                   const DynoServingTool *tool,
                                   DynoImportBuilder *builder,
                                   GError **error);

G_END_DECLS
