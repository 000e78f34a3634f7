/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-case.h"
#include "dyno-run.h"

G_BEGIN_DECLS

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
/* Returns the rate of each model in its first and last case, a short sentence each, of four models at most; empty if
 * none was measured. */
GStrv dyno_run_summary_dup_rates (DynoRun *run);
/* Returns how many cases are doubtful or unsteady, and the most frequent reason, such as “8 of 10 cases
 * are doubtful: the machine was busy.”; NULL if there is none. */
char *dyno_run_summary_dup_doubt (DynoRun *run);
/* Returns how many cases without doubts have a rough grade, and what most often disturbed them; NULL if there
 * is none. */
char *dyno_run_summary_dup_rough (DynoRun *run);
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
