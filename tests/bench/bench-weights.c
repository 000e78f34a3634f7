/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-model.h"
#include "dyno-model-library.h"
#include "dyno-model-weights-private.h"
#include "dyno-paths.h"
#include "dyno-worker-private.h"
#include "suite.h"

/* How fast a model is made: its random weights beside what memory and disk do at best with as many bytes, the time until
 * BERT base has run for the first time, from nothing and from the cache, and the list of the bundled models, which a
 * process builds once, beside building each. */

#define MODEL         "bert-base-uncased"
#define N_FILL_ROUNDS 21
#define N_DISK_ROUNDS 7
#define N_VALUES      (16 * 1024 * 1024)
#define PART          (1024 * 1024)

typedef struct
{
  DynoModel *model;
  char *folder;
  float *values;
  float *copy;
} Bench;

static double
rate (gint64 bytes, gint64 start)
{
  return (double)bytes /
         (double)(dyno_clock_now_ns () - start); /* bytes per nanosecond are gigabytes per second */
}

/* In parts that fit a cache, as the writer does. */
static double
fill (gpointer data)
{
  Bench *self = data;
  DynoWeight weight = { .name = "weight", .deviation = 0.02 };
  gint64 start = dyno_clock_now_ns ();

  for (gsize i = 0; i < N_VALUES; i += PART / sizeof (float))
    dyno_weights_fill (&weight, 1, i, self->values + i, PART / sizeof (float));
  return rate (N_VALUES * sizeof (float), start);
}

static double
set (gpointer data)
{
  Bench *self = data;
  gint64 start = dyno_clock_now_ns ();

  memset (self->values, 0x5a, N_VALUES * sizeof (float));
  return rate (N_VALUES * sizeof (float), start);
}

static double
copy (gpointer data)
{
  Bench *self = data;
  gint64 start = dyno_clock_now_ns ();

  memcpy (self->copy, self->values, N_VALUES * sizeof (float));
  return rate (N_VALUES * sizeof (float), start);
}

static void
empty_cache (Bench *self)
{
  g_autofree char *models = g_build_filename (self->folder, "models", NULL);

  bench_remove_tree (models);
}

static double
write_model (gpointer data)
{
  Bench *self = data;
  g_autoptr (DynoModel) model = NULL;
  g_autofree char *path = NULL;
  GError *error = NULL;
  gint64 start;

  empty_cache (self);
  model = dyno_model_load (MODEL, &error);
  bench_use_no_error (error);
  start = dyno_clock_now_ns ();
  path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  bench_use_no_error (error);
  return rate (dyno_model_get_weight_bytes (model), start);
}

static void
write_part (int fd, const void *data, gsize size)
{
  gssize written;

  do
    written = write (fd, data, size);
  while (written < 0 && errno == EINTR);
  if (written != (gssize)size)
    g_error ("The file could not be written: %s", g_strerror (errno));
}

/* As many bytes of one buffer, in parts of the same size. */
static double
write_bytes (gpointer data)
{
  Bench *self = data;
  gint64 bytes = dyno_model_get_weight_bytes (self->model);
  g_autofree char *path = g_build_filename (self->folder, "bytes", NULL);
  gint64 start = dyno_clock_now_ns ();
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  double written;

  for (gint64 i = 0; i < bytes; i += PART)
    write_part (fd, self->values, (gsize)MIN (bytes - i, PART));
  close (fd);
  written = rate (bytes, start);
  g_unlink (path);
  return written;
}

/* Everything from the model's name to the end of its first step. */
static double
get_ready (gpointer data)
{
  DynoSessionOptions options = { .precision = "fp32", .optimise = TRUE };
  g_autoptr (DynoCase) kase = dyno_case_new (MODEL, "cpu");
  g_autoptr (DynoSamples) samples = dyno_samples_new (1);
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (DynoWorkload) workload = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autofree char *path = NULL;
  gint64 start = dyno_clock_now_ns ();
  GError *error = NULL;

  g_object_set (kase, "sequence-length", 128, NULL);
  model = dyno_model_load (MODEL, &error);
  path = dyno_model_prepare (model, "fp32", 1, NULL, &error);
  bench_use_no_error (error);
  workload = dyno_workload_new (kase, model, &error);
  bench_use_no_error (error);
  session = dyno_backend_open (dyno_backend_lookup ("cpu", NULL), path, &options, &error);
  bench_use_no_error (error);
  dyno_workload_prepare (workload, session, &error);
  bench_use_no_error (error);
  dyno_workload_sample (workload, samples, 1, &error);
  bench_use_no_error (error);
  return (double)(dyno_clock_now_ns () - start) / 1e9;
}

static double
get_ready_from_nothing (gpointer data)
{
  empty_cache (data);
  return get_ready (data);
}

static void
bench_filling (Bench *self)
{
  g_autoptr (BenchPairs) sets = bench_pairs_new ();
  g_autoptr (BenchPairs) copies = bench_pairs_new ();

  bench_pairs_run (sets, N_FILL_ROUNDS, fill, set, self);
  bench_report_value ("making weights", "GB/s", "memset", sets, BENCH_AT_LEAST, 1);
  bench_pairs_run (copies, N_FILL_ROUNDS, fill, copy, self);
  bench_report_value ("making weights", "GB/s", "memcpy", copies, BENCH_AT_LEAST, 1);
}

static void
bench_disk (Bench *self)
{
  g_autoptr (BenchPairs) writes = bench_pairs_new ();
  g_autoptr (BenchPairs) starts = bench_pairs_new ();
  g_autoptr (DynoProbe) probe = dyno_backend_probe (dyno_backend_lookup ("cpu", NULL), NULL);

  bench_pairs_run (writes, N_DISK_ROUNDS, write_model, write_bytes, self);
  bench_report ("making and writing " MODEL, "GB/s", "writing as many bytes", writes);
  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    {
      g_print (MODEL " ready: skipped: %s\n", dyno_probe_get_reason (probe));
      return;
    }
  bench_pairs_run (starts, N_DISK_ROUNDS, get_ready_from_nothing, get_ready, self);
  bench_report_value (MODEL " from nothing to the end of its first step", "s", "from the cache", starts,
                      BENCH_AT_MOST, 1.5);
}

static double
list_again (gpointer data)
{
  gint64 start = dyno_clock_now_ns ();
  g_autoptr (GListModel) models = dyno_model_library_get_default ();

  g_assert_nonnull (models);
  return (double)(dyno_clock_now_ns () - start) / 1e6;
}

static double
load_each (gpointer data)
{
  g_auto (GStrv) ids = dyno_model_library_list_ids ();
  gint64 start = dyno_clock_now_ns ();

  for (guint i = 0; ids[i] != NULL; i++)
    {
      g_autoptr (DynoModel) model = dyno_model_load (ids[i], NULL);

      g_assert_nonnull (model);
    }
  return (double)(dyno_clock_now_ns () - start) / 1e6;
}

static void
bench_library (Bench *self)
{
  g_autoptr (BenchPairs) lists = bench_pairs_new ();

  list_again (self);
  bench_pairs_run (lists, N_DISK_ROUNDS, list_again, load_each, self);
  bench_report_ratio ("listing the bundled models again", "ms", "loading each", lists, BENCH_AT_MOST, 0.1);
}

static int
run_suite (int argc, char *argv[])
{
  Bench bench = { NULL };
  GError *error = NULL;

  bench_init ();
  bench.folder = g_dir_make_tmp ("dyno-bench-XXXXXX", &error);
  bench_use_no_error (error);
  dyno_paths_set_root (DYNO_PATH_CACHE, bench.folder);
  bench.model = dyno_model_load (MODEL, &error);
  bench_use_no_error (error);
  bench.values = g_new0 (float, N_VALUES);
  bench.copy = g_new0 (float, N_VALUES);
  memset (bench.copy, 0x5a, N_VALUES * sizeof (float));
  bench_filling (&bench);
  bench_disk (&bench);
  bench_library (&bench);
  g_free (bench.values);
  g_free (bench.copy);
  g_object_unref (bench.model);
  bench_remove_tree (bench.folder);
  g_free (bench.folder);
  return 0;
}

SUITE (run_suite)
