/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* `python -m sglang.bench_serving`: JSON Lines, in which the server’s information names the model, or its
 * table. */

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  static const DynoServingTool tool = { "sglang.bench_serving", "sglang" };

  return dyno_serving_report_read (file, &tool, builder, error);
}

static gboolean
recognise (const char *head)
{
  return (dyno_serving_report_is_json (head) || dyno_serving_report_is_console (head)) &&
         dyno_serving_report_is_sglang (head);
}

const DynoDialect dyno_sglang_bench_serving_dialect = {
  .name = "sglang-bench-serving",
  .title = "sglang.bench_serving",
  .method = N_ ("A client of a server measures it, and a request counts from when it is sent, not from when "
                "it was to be sent."),
  .recognise = recognise,
  .read = read_file,
};
