/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "bench.h"
#include "chain.h"
#include "dyno-graph.h"
#include "dyno-onnx-writer.h"

#define WIDTH  64
#define HEIGHT 64

static char *
name_chain (const char *folder, guint n_links)
{
  g_autofree char *name = g_strdup_printf ("chain-%u", n_links);

  return g_build_filename (folder, name, NULL);
}

void
chain_write (const char *folder, guint n_links)
{
  const gint64 dims[] = { WIDTH, WIDTH };
  g_autofree char *path = name_chain (folder, n_links);
  g_autofree char *shape = g_strdup_printf ("%d, %d", HEIGHT, WIDTH);
  g_autoptr (DynoGraph) graph = dyno_graph_new (NULL);
  GError *error = NULL;
  const char *value = dyno_graph_add_input (graph, "signal", DYNO_DATA_TYPE_FLOAT, shape);
  const char *weight = dyno_graph_add_weight (graph, "weight", 0, 1 / sqrt (WIDTH), 2, dims);

  for (guint i = 0; i < n_links; i++)
    value = dyno_graph_add (graph, "MatMul", NULL, value, weight, NULL);
  dyno_graph_add_output (graph, "product", value, shape);
  dyno_graph_check (graph, &error);
  bench_use_no_error (error);
  g_mkdir (path, 0700);
  dyno_onnx_writer_write (graph, path, 0, NULL, &error);
  bench_use_no_error (error);
}

DynoCase *
chain_case_new (const char *folder, guint n_links, guint n_threads)
{
  g_autofree char *chain = name_chain (folder, n_links);
  g_autofree char *path = g_build_filename (chain, DYNO_ONNX_WRITER_FILE, NULL);
  DynoCase *kase = dyno_case_new (path, "cpu");
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "idle-seconds", 0.0, "power-milliseconds", 0, NULL);
  g_object_set (kase, "threads", n_threads, "method", method, NULL);
  return kase;
}
