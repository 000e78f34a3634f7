/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_BENCHMARK_PAGE (dyno_benchmark_page_get_type ())

/**
 * DynoBenchmarkPage:
 *
 * The page on which the user fills in a plan, presses Run and watches the run. The run belongs to the
 * application (dyno_application_start_run()), so every window shows the same one. Read-only
 * properties: `running` (boolean) and `runner` (DynoRunner or NULL).
 *
 * Signal `run-finished` (DynoRun): a run has ended, complete or stopped, and has results.
 *
 * Signal `show-results (const char *id)`: the user asks for the run or submission with that id.
 *
 * Actions: `benchmark.run`, `benchmark.run-quick`, `benchmark.find-settings`, `benchmark.reset`,
 * `benchmark.pause`, `benchmark.skip`, `benchmark.stop`, `benchmark.back`, `benchmark.open-model`,
 * `benchmark.add-from-hub`, `benchmark.load-suite` (the name of a bundled suite), `benchmark.open-suite`,
 * `benchmark.save-suite`, `benchmark.cancel-submission`, `benchmark.show-submission` (its id).
 */
G_DECLARE_FINAL_TYPE (DynoBenchmarkPage, dyno_benchmark_page, DYNO, BENCHMARK_PAGE, AdwBin)

/* Adds a model to the list and ticks it. @file: an ONNX file or a Hugging Face `config.json`. */
void dyno_benchmark_page_add_model_file (DynoBenchmarkPage *self, GFile *file);
/* Fills the form from @plan. During a run, the form appears afterwards. */
void dyno_benchmark_page_show_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Starts a run of @plan, or says why it cannot start. The form does not change. */
void dyno_benchmark_page_run_plan (DynoBenchmarkPage *self, DynoPlan *plan);
/* Moves the focus to the model search, if that is shown. */
void dyno_benchmark_page_focus_search (DynoBenchmarkPage *self);
gboolean dyno_benchmark_page_get_running (DynoBenchmarkPage *self);
/* Returns the current runner; NULL if nothing runs. */
DynoRunner *dyno_benchmark_page_get_runner (DynoBenchmarkPage *self);

G_END_DECLS
