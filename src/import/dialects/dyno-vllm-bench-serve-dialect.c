/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* `vllm bench serve`, and `benchmark_serving.py` before it. The file does not have the version of the
 * server. */

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  static const DynoServingTool tool = { "vllm bench serve", "vllm" };

  return dyno_serving_report_read (file, &tool, builder, error);
}

static gboolean
recognise (const char *head)
{
  return (dyno_serving_report_is_json (head) || dyno_serving_report_is_console (head)) &&
         !dyno_serving_report_is_sglang (head);
}

const DynoDialect dyno_vllm_bench_serve_dialect = {
  .name = "vllm-bench-serve",
  .title = "vllm bench serve",
  .method = N_ ("A client of a server measures it, and a request counts from when it is sent, not from when "
                "it was to be sent."),
  .recognise = recognise,
  .read = read_file,
};
