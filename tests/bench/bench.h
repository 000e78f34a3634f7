/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Common code of the benchmarks. Machines are shared and noisy: the subject and its baseline alternate in small blocks,
 * each pair gives a ratio, and the result is the median over the pairs with its 95 % interval. A slow machine fails
 * nothing; the verdict is text for the reader. */

/* Runs one block and gives its figure. */
typedef double (*BenchBlock) (gpointer data);

typedef struct
{
  GArray *subjects;
  GArray *baselines;
  GArray *ratios;
} BenchPairs;

typedef enum
{
  BENCH_AT_MOST,
  BENCH_AT_LEAST,
} BenchSense;

void bench_init (void);
void bench_skip (const char *reason) G_GNUC_NORETURN;
void bench_remove_tree (const char *path);
void bench_use_no_error (const GError *error);

BenchPairs *bench_pairs_new (void);
void bench_pairs_free (BenchPairs *self);
void bench_pairs_add (BenchPairs *self, double subject, double baseline);
void
bench_pairs_run (BenchPairs *self, guint n_rounds, BenchBlock subject, BenchBlock baseline, gpointer data);

/* Prints a row of the manual's table of figures, which ./dev bench gathers. @what: what is shown. @format: its figure. */
void bench_row (const char *what, const char *goal, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The same for what is measured beside a baseline. */
void bench_row_of_pairs (
    const char *what, const char *goal, const char *unit, const char *baseline, const BenchPairs *pairs);

void bench_report_number (const char *name, const char *unit, GArray *numbers);
void bench_report (const char *name, const char *unit, const char *baseline, const BenchPairs *pairs);
void bench_report_ratio (const char *name,
                         const char *unit,
                         const char *baseline,
                         const BenchPairs *pairs,
                         BenchSense sense,
                         double limit);
void bench_report_value (const char *name,
                         const char *unit,
                         const char *baseline,
                         const BenchPairs *pairs,
                         BenchSense sense,
                         double limit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchPairs, bench_pairs_free)

G_END_DECLS
