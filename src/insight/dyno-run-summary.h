/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-case.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/* dyno-device-idle */

/* Returns for how much of the steady state the device of the cases was idle, as a sentence; NULL if that is unknown, or less
 * than a tenth. Elements of @results are DynoResult. */
char *dyno_device_idle_dup (GPtrArray *results);

/* dyno-engine-lines */

/**
 * DynoEngineLines:
 * @title: the engine and the language
 * @text: lines of a program, separated by newlines
 *
 * Lines of a program that make an engine run a model as it was measured.
 */
typedef struct
{
  char *title;
  char *text;
} DynoEngineLines;

/* Returns the lines to write, by engine and language; the command of Dyno is last. Options of an engine
 * that these lines cannot express are in the command only. Elements are DynoEngineLines. @n_processors: the
 * number of threads to write where the engine chooses it. */
GPtrArray *dyno_engine_lines_list (DynoCase *kase, guint n_processors);

/* dyno-run-engines */

/* Returns the engine and its version, such as “ONNX Runtime 1.23.2”; NULL if the backend did not report it.
 * @machine may be NULL. */
const char *dyno_run_engines_find (JsonObject *machine, const char *backend);
/* Returns the engines of the backends that the run used, in the order of its cases, such as “ONNX Runtime
 * 1.23.2 (CPU), OpenVINO 2025.3.0 (GPU)”; NULL if none is known. */
char *dyno_run_engines_dup (DynoRun *run);

/* The summary of a run: the same sentences in the window, on the command line and in reports. */

/* Returns whether the run measured the same work in several ways, such as on two backends. */
gboolean dyno_run_summary_has_alternatives (DynoRun *run);
/* Returns a sentence for each comparison of alternatives: the better one, by how much, and whether that was
 * shown; NULL if the run has no alternatives. Takes a while, so it belongs on a thread. */
char *dyno_run_summary_dup_winner (DynoRun *run);
/* Describes each model on its own, with its bottleneck and the next measurement to make; different models
 * are never ranked. Values derived from roofs must already be in the results. Together with
 * dyno_run_summary_dup_winner(), which goes before them, there are five at most. Returns sentences. */
GStrv dyno_run_summary_dup_findings (DynoRun *run);
/* Returns which stage and operator take longest in the longest case, and what bounds that stage, in sentences; NULL if
 * unknown. It is the last of the findings as well. */
char *dyno_run_summary_dup_longest (DynoRun *run);

/**
 * DynoStageTime:
 * @name: its name, such as `vision`
 * @percent: its share of the time of a step
 * @p50_ms: the median time of all its runs in a step
 * @run_ms: the time of one of several runs; NaN of a stage that runs once
 * @handover_ms: the time until it had its inputs from stages on other devices, NaN if it has none
 * @flops: its FLOPs in a step, NaN if unknown
 * @bytes: its traffic in a step, NaN if unknown
 * @decodes: whether it also runs in steps of one token each
 * @weights_mb: the size of its weights, NaN if unknown
 * @peak_mb: the most memory in use at once in the runtime's allocator for it, NaN if unknown
 * @roof_ms: the shortest time for its work by the roofs, NaN if unknown
 * @is_compute_bound: whether computing bounds it
 * @is_memory_bound: whether memory bounds it
 *
 * A stage of a model of several graphs.
 */
typedef struct
{
  char *name;
  double percent;
  double p50_ms;
  double run_ms;
  double handover_ms;
  double flops;
  double bytes;
  gboolean decodes;
  double weights_mb;
  double peak_mb;
  double roof_ms;
  gboolean is_compute_bound;
  gboolean is_memory_bound;
} DynoStageTime;

/* Returns the stages of the model, in the order in which they run; empty if it is one graph. Elements are
 * DynoStageTime. */
GArray *dyno_stage_times_list (DynoResult *result);
/* Returns their names. The caller owns it. @stages: as from dyno_stage_times_list(). */
char **dyno_stage_times_dup_names (GArray *stages);
/* Returns the stage that takes the most time, NULL if there is none. @stages: as from dyno_stage_times_list(). */
const DynoStageTime *dyno_stage_times_find_longest (GArray *stages);
/* Values derived from roofs must already be in @result, the case of the stage. Returns a sentence that says what bounds
 * the stage, “It is memory-bound, at 80 % of the roof.”; NULL if that is unknown. */
char *dyno_stage_time_dup_bound (const DynoStageTime *self, DynoResult *result);

/**
 * DynoRunTile:
 * @result: the case with the best rate of a model
 * @title: the model, and the size and setting of the case
 * @number: its rate, without unit
 * @unit: the unit, possibly empty
 * @facts: (nullable): its median latency and the reach of the interval, or its state
 * @text: all of this in one line
 *
 * A model at a glance.
 */
typedef struct
{
  DynoResult *result;
  char *title;
  char *number;
  char *unit;
  char *facts;
  char *text;
} DynoRunTile;

/* Returns its median latency with the reach of the interval, such as “23.8 ms ±3 %”, without it where the interval says
 * nothing of the next process or the case is in doubt; NULL without a latency. */
char *dyno_run_summary_dup_median (DynoResult *result);
/* Returns a tile for each model with numbers, of twelve models at most. Elements are DynoRunTile. */
GPtrArray *dyno_run_summary_list_tiles (DynoRun *run);
/* Returns how many cases are doubtful or unsteady, and the most frequent reason, such as “8 of 10 cases
 * are doubtful: the machine was busy.”; NULL if there is none. */
char *dyno_run_summary_dup_doubt (DynoRun *run);
/* Returns how many cases without doubts have a rough grade, how rough they are, and what most often disturbed them; NULL
 * if there is none. */
char *dyno_run_summary_dup_rough (DynoRun *run);
/* Returns how many cases failed; NULL if none did. */
char *dyno_run_summary_dup_failed (DynoRun *run);
/* Returns how many of them are doubtful, and the most frequent reason; NULL if there is none. */
char *dyno_run_summary_dup_doubtful (GListModel *results);
/* Returns how many cases are missing in a run that was interrupted, or lack processes; NULL if there is
 * none. */
char *dyno_run_summary_dup_interruption (DynoRun *run);

/* dyno-run-titles */

/* Returns a distinct title for each run. Runs of one submission are named by their nodes. Runs of the same
 * plan have the same title; all but the first get a number, which does not depend on the later runs. A run
 * without a title is named by its id. @runs holds DynoRun. */
char **dyno_run_titles_dup (GPtrArray *runs);

G_END_DECLS
