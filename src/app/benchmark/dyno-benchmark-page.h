/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BENCHMARK_PAGE (dyno_benchmark_page_get_type ())

/**
 * DynoBenchmarkPage:
 *
 * Where one says what to measure, presses Run, and watches. The run itself belongs to the application
 * ([method@Dyno.Application.start_run]), so every window shows the same one. Read-only properties: `running`
 * (boolean) and `runner` ([class@Dyno.Runner] or %NULL).
 *
 * Signal `run-finished` ([class@Dyno.Run]): a run ended, whole or stopped, and there are results to look at.
 *
 * Signal `show-results (const char *id)`: somebody wants to see a run, or the runs of a submission, of that id.
 *
 * Actions: `benchmark.run`, `benchmark.run-quick`, `benchmark.find-settings`, `benchmark.reset`, `benchmark.pause`,
 * `benchmark.skip`, `benchmark.stop`, `benchmark.back`, `benchmark.open-model`, `benchmark.add-from-hub`,
 * `benchmark.load-suite` (the name of a bundled suite), `benchmark.open-suite`, `benchmark.save-suite`,
 * `benchmark.cancel-submission`, `benchmark.show-submission` (its id).
 */
G_DECLARE_FINAL_TYPE (DynoBenchmarkPage, dyno_benchmark_page, DYNO, BENCHMARK_PAGE, AdwBin)

/* Adds a model to those one can choose from, and chooses it. @file: an ONNX file or a Hugging Face
 * `config.json`. */
void dyno_benchmark_page_add_model_file (DynoBenchmarkPage *self, GFile *file);
/* Fills the form from @plan. While a run goes on, the form shows it afterwards. */
void dyno_benchmark_page_show_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Starts a run of @plan, or says why it cannot start. The form stays as it is. */
void dyno_benchmark_page_run_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Moves the focus to the search of the models, where that is shown. */
void dyno_benchmark_page_focus_search (DynoBenchmarkPage *self);
gboolean dyno_benchmark_page_get_running (DynoBenchmarkPage *self);
/* Returns what runs now; NULL if there is none. */
DynoRunner *dyno_benchmark_page_get_runner (DynoBenchmarkPage *self);

G_END_DECLS
