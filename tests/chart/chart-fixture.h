/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-kind-list.h"
#include "dyno-chart-kind.h"
#include "dyno-comparison.h"
#include "dyno-history.h"
#include "dyno-recommendation.h"
#include "dyno-subject-charts.h"

G_BEGIN_DECLS

/* Runs as loaded from the store, generated from a formula and a seed: every test gets the same numbers. */

/**
 * FixtureCase:
 * @step_ms: the latency of a step
 * @spread: its relative spread
 * @n_steps: how many steps were measured
 * @n_outliers: how many of them took four times as long
 * @threads: number of threads; 0 for the default, which is 8
 * @flops: FLOPs of a step; 0 if not counted
 * @bytes: traffic of a step
 * @joules: the energy per item; 0 if not measured
 * @estimated: whether that was an estimate
 * @device: its device
 * @modelled: the stored average bandwidth in GB/s; 0 for that of @bytes, NaN for none
 * @counted: the bandwidth measured by counters; 0 for none
 */
typedef struct
{
  const char *model;
  const char *backend;
  guint batch;
  guint sequence;
  double step_ms;
  double spread;
  guint n_steps;
  guint n_outliers;
  guint threads;
  double flops;
  double bytes;
  double joules;
  gboolean estimated;
  const char *device;
  double modelled;
  double counted;
} FixtureCase;

DynoRun *fixture_create_run (const char *title);
/* Marks it as that of a node which a submission to a cluster ran on. */
void fixture_set_node (DynoRun *run, const char *submission, const char *node);
/* Two models and three sizes on n1, n2, …, of which each is slower than the one before. */
GPtrArray *fixture_create_nodes (guint n_nodes);
DynoResult *fixture_add_case (DynoRun *run, const FixtureCase *what);
void fixture_add_memory (DynoResult *result, double base_mb, double peak_mb);
void fixture_add_operators (DynoResult *result, guint n_types, gboolean two_providers);

/* A text encoder of two layers, whose operators are named after their modules; its head runs on the CPU. */
DynoRun *fixture_create_modules (void);

/* Power of two parts, a temperature, and a stretch in which the processor slowed itself down. */
void fixture_add_power (DynoResult *result);
/* Gives the case a second process, with the traces of the first. */
void fixture_repeat_process (DynoResult *result);
/* Adds the trace of how busy a part was before and while it measured, in per cent, and its mean. */
void fixture_add_usage (DynoResult *result, const char *part, double idle, double busy);

/* The ceilings of the machine of all runs, with one thread and with eight. */
GPtrArray *fixture_create_ceilings (void);
/* The same, of which each varies by @spread while it is measured. */
void fixture_set_disturbed_ceilings (DynoChart *chart, GPtrArray *runs, double spread);
void fixture_set_ceilings (DynoChart *chart, GPtrArray *runs);

/* A case under load, with its closed loops, its rates and one queue. */
DynoRun *fixture_create_loads (void);
/* A server under one, two and eight clients. */
DynoRun *fixture_create_endpoints (void);
/* Cases at four rates, with energy. */
DynoRun *fixture_create_load_energies (void);
/* Two models on one to eight threads, with work, traffic and energy. */
DynoRun *fixture_create_threads (void);
/* Two language models with one thread, of which prefill and decode were analysed apart. */
DynoRun *fixture_create_generations (void);
/* A model that reads pictures on two engines, and one that hears speech. */
DynoRun *fixture_create_stages (void);
/* Cases with energy: of two backends, one of them estimated, and one without. */
DynoRun *fixture_create_energies (void);

/* Two cases without a power sensor. */
DynoRun *fixture_create_estimates (void);

/* A sweep over batch sizes: one series per model, throughput stops growing at batch 8. */
DynoRun *fixture_create_sweep (const char *title, guint n_models, guint n_sizes);
/* The same with a clock that falls, and a throughput that falls with it. */
DynoRun *fixture_create_sustained (void);
/* One case with all its traces. */
DynoRun *fixture_create_single (void);

/* Its latency never became steady, and nothing that follows from it. */
void fixture_make_unsteady (DynoResult *result);
/* Makes every third case doubtful, and every third unsteady in all that follows from its latency. */
DynoRun *fixture_disturb (DynoRun *run);

/* Draws a chart into a picture that nobody sees. */
void fixture_render (DynoChart *chart, double width, double height, const DynoChartStyle *style);
/* The texts of such a picture: an array of DynoTextBox. */
GArray *fixture_record (DynoChart *chart, double width, double height, const DynoChartStyle *style);

/* The text of a chart's table in the column whose heading has this prefix; empty if there is none. */
const char *fixture_get_cell (DynoChart *chart, guint row, const char *heading);
double fixture_get_number (DynoChart *chart, guint row, const char *heading);
void fixture_assert_cell (DynoChart *chart, guint row, const char *heading, const char *expected);

void fixture_assert_finding (DynoChart *chart, const char *expected);
/* The message of a chart without data. */
void fixture_assert_empty (DynoChart *chart, const char *expected);
void fixture_assert_caption (DynoChart *chart, const char *part);
void fixture_assert_no_caption (DynoChart *chart, const char *part);

/* Cases of every verdict: the metric is a latency, or a rate, for which higher is better. */
DynoComparison *fixture_create_comparison (const char *metric, const char *unit);

/* Cells of every state. */
DynoRecommendation *fixture_create_recommendation (void);

/* One case that became faster after sixteen runs, one of which was unsteady. */
DynoHistory *fixture_create_history (void);

GPtrArray *fixture_list (DynoRun *run, ...) G_GNUC_NULL_TERMINATED;
gboolean fixture_is_of_load (DynoChartKind kind);
/* Runs that have something for a chart of this kind to show. */
GPtrArray *fixture_create_runs_for (DynoChartKind kind);

G_END_DECLS
