/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <sys/resource.h>

#include "bench.h"
#include "large-store.h"
#include "store-fixture.h"
#include "suite.h"

/* Processor time of commands on a run of many cases, as the machine may be busy. The baseline is the same command on a
 * run half as long, so a ratio of two means linear growth. */

#define N_CASES  50000
#define N_ROUNDS 3
#define LIMIT_S  30

typedef struct
{
  const char *program;
  const char *documents[2]; /* long, and half as long */
  const char *folder;
  const char *const *command;
} Bench;

/* “FILE” stands for the document, and “FOLDER” for a writable folder. */
static const char *const commands[][9] = {
  { "open", "FILE" },
  { "show", "FILE" },
  { "report", "FILE", "--format", "markdown" },
  { "report", "FILE", "--format", "json" },
  { "report", "FILE", "--format", "csv" },
  { "export", "FILE", "--chart", "all", "--format", "svg", "-o", "FOLDER" },
};

static double
get_children_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static const char *
fill_in (const Bench *bench, const char *document, const char *word)
{
  if (g_str_equal (word, "FILE"))
    return document;
  return g_str_equal (word, "FOLDER") ? bench->folder : word;
}

static double
time_command (const Bench *bench, const char *document)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  double start = get_children_seconds ();

  g_ptr_array_add (arguments, (char *)bench->program);
  for (const char *const *word = bench->command; *word != NULL; word++)
    g_ptr_array_add (arguments, (char *)fill_in (bench, document, *word));
  g_ptr_array_add (arguments, NULL);
  process = g_subprocess_newv ((const char *const *)arguments->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
  return get_children_seconds () - start;
}

static double
time_long (gpointer data)
{
  const Bench *bench = data;

  return time_command (bench, bench->documents[0]);
}

static double
time_half (gpointer data)
{
  const Bench *bench = data;

  return time_command (bench, bench->documents[1]);
}

static void
report (Bench *bench)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autofree char *name = g_strjoinv (" ", (char **)bench->command);

  bench_pairs_run (pairs, N_ROUNDS, time_long, time_half, bench);
  bench_report_value (name, "s", "half the cases", pairs, BENCH_AT_MOST, LIMIT_S);
}

static char *
save_document (StoreFixture *fixture, guint n_cases)
{
  g_autofree char *id = g_strdup_printf (LARGE_STORE_LONG_RUN, n_cases);
  const char *ids[] = { id, NULL };
  char *path = g_strdup_printf ("%s/%u.dyno", fixture->folder, n_cases);
  g_autoptr (GError) error = NULL;

  large_store_fill_run (fixture->path, n_cases);
  dyno_store_save_document (fixture->store, ids, path, &error);
  g_assert_no_error (error);
  return path;
}

/* With two arguments, another number of cases than 50 000. */
static int
run_suite (int argc, char *argv[])
{
  guint n_cases = argc > 2 ? (guint)g_ascii_strtoull (argv[2], NULL, 10) : N_CASES;
  StoreFixture large, small;
  g_autofree char *whole = NULL;
  g_autofree char *half = NULL;
  Bench bench;

  g_assert_cmpint (argc, >=, 2);
  bench_init ();
  store_fixture_set_up (&large, NULL);
  store_fixture_set_up (&small, NULL);
  whole = save_document (&large, n_cases);
  half = save_document (&small, n_cases / 2);
  bench = (Bench){ argv[1], { whole, half }, large.folder, NULL };
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      bench.command = commands[i];
      report (&bench);
    }
  store_fixture_tear_down (&large, NULL);
  store_fixture_tear_down (&small, NULL);
  return 0;
}

SUITE (run_suite)
