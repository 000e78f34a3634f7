/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "dyno-stats.h"

/* The exit status of a skipped test in meson. */
#define SKIPPED 77

typedef struct
{
  double median;
  double low;
  double high;
} Summary;

void
bench_init (void)
{
  setlocale (LC_ALL, "");
  setvbuf (stdout, NULL, _IOLBF, 0); /* whoever stops a bench has its figures so far */
}

void
bench_skip (const char *reason)
{
  g_print ("skipped: %s\n", reason);
  exit (SKIPPED);
}

/* A folder with all that is in it, or a file. */
void
bench_remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL;
       name = g_dir_read_name (dir))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      bench_remove_tree (child);
    }
  g_remove (path);
}

BenchPairs *
bench_pairs_new (void)
{
  BenchPairs *self = g_new0 (BenchPairs, 1);

  self->subjects = g_array_new (FALSE, FALSE, sizeof (double));
  self->baselines = g_array_new (FALSE, FALSE, sizeof (double));
  self->ratios = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

void
bench_pairs_free (BenchPairs *self)
{
  g_array_unref (self->subjects);
  g_array_unref (self->baselines);
  g_array_unref (self->ratios);
  g_free (self);
}

void
bench_pairs_add (BenchPairs *self, double subject, double baseline)
{
  double ratio = subject / baseline;

  g_array_append_val (self->subjects, subject);
  g_array_append_val (self->baselines, baseline);
  g_array_append_val (self->ratios, ratio);
}

/* The order alternates, so that a drift favours neither. */
void
bench_pairs_run (BenchPairs *self, guint n_rounds, BenchBlock subject, BenchBlock baseline, gpointer data)
{
  for (guint round = 0; round < n_rounds; round++)
    {
      double first = round % 2 == 0 ? subject (data) : baseline (data);
      double second = round % 2 == 0 ? baseline (data) : subject (data);

      if (round % 2 == 0)
        bench_pairs_add (self, first, second);
      else
        bench_pairs_add (self, second, first);
    }
}

static Summary
sum_up (GArray *numbers)
{
  g_autofree double *sorted = g_memdup2 (numbers->data, numbers->len * sizeof (double));
  Summary summary;

  dyno_stats_sort (sorted, numbers->len);
  summary.median = dyno_stats_percentile (sorted, numbers->len, 50);
  if (!dyno_stats_median_interval (sorted, numbers->len, numbers->len, &summary.low, &summary.high))
    {
      summary.low = sorted[0];
      summary.high = sorted[numbers->len - 1];
    }
  return summary;
}

static const char *
judge (const Summary *summary, BenchSense sense, double limit)
{
  double best = sense == BENCH_AT_MOST ? summary->low : -summary->high;
  double worst = sense == BENCH_AT_MOST ? summary->high : -summary->low;
  double median = sense == BENCH_AT_MOST ? summary->median : -summary->median;
  double most = sense == BENCH_AT_MOST ? limit : -limit;

  if (worst <= most)
    return "within the limit";
  if (best > most)
    return "beyond the limit";
  return median <= most ? "within the limit, but not beyond doubt" : "beyond the limit, but not beyond doubt";
}

static void
print_figure (const char *name, const char *unit, const char *baseline, const BenchPairs *pairs)
{
  Summary subject = sum_up (pairs->subjects);
  Summary base = sum_up (pairs->baselines);
  Summary ratio = sum_up (pairs->ratios);

  g_print ("%s: %.4g %s, %.4g…%.4g (baseline %s %.4g %s, ratio %.4f, %.4f…%.4f of %u pairs", name,
           subject.median, unit, subject.low, subject.high, baseline, base.median, unit, ratio.median,
           ratio.low, ratio.high, pairs->ratios->len);
}

void
bench_row (const char *what, const char *goal, const char *format, ...)
{
  g_autofree char *figure = NULL;
  va_list values;

  va_start (values, format);
  figure = g_strdup_vprintf (format, values);
  va_end (values);
  g_print ("| %s | %s | %s |\n", what, figure, goal);
}

void
bench_row_of_pairs (
    const char *what, const char *goal, const char *unit, const char *baseline, const BenchPairs *pairs)
{
  bench_row (what, goal, "%.3g %s (%s: %.3g)", sum_up (pairs->subjects).median, unit, baseline,
             sum_up (pairs->baselines).median);
}

/* Figures without a baseline, which would be zero. */
void
bench_report_number (const char *name, const char *unit, GArray *numbers)
{
  Summary summary = sum_up (numbers);

  g_print ("%s: %.4g %s, %.4g…%.4g of %u blocks\n", name, summary.median, unit, summary.low, summary.high,
           numbers->len);
}

/* Ends the program where there is an error. */
void
bench_use_no_error (const GError *error)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

/* A figure without a limit. */
void
bench_report (const char *name, const char *unit, const char *baseline, const BenchPairs *pairs)
{
  print_figure (name, unit, baseline, pairs);
  g_print (")\n");
}

/* The ratio of what is measured to the baseline has the limit. */
void
bench_report_ratio (const char *name,
                    const char *unit,
                    const char *baseline,
                    const BenchPairs *pairs,
                    BenchSense sense,
                    double limit)
{
  Summary ratio = sum_up (pairs->ratios);

  print_figure (name, unit, baseline, pairs);
  g_print (", limit %s a ratio of %g): %s\n", sense == BENCH_AT_MOST ? "at most" : "at least", limit,
           judge (&ratio, sense, limit));
}

/* What is measured has the limit; the baseline tells how good it could be on this machine. */
void
bench_report_value (const char *name,
                    const char *unit,
                    const char *baseline,
                    const BenchPairs *pairs,
                    BenchSense sense,
                    double limit)
{
  Summary subject = sum_up (pairs->subjects);

  print_figure (name, unit, baseline, pairs);
  g_print (", limit %s %g %s): %s\n", sense == BENCH_AT_MOST ? "at most" : "at least", limit, unit,
           judge (&subject, sense, limit));
}
