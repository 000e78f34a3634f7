/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-run.h"
#include "dyno-sample.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-reference */

/**
 * DynoReference:
 * @run: a run of the suite on the machine whose score is 100
 * @suite: the title of that suite
 * @commit: the commit of Dyno that measured it
 *
 * The run that other runs are scored by.
 */
typedef struct
{
  DynoRun *run;
  char *suite;
  char *commit;
} DynoReference;

/* Returns the reference that is built in, which “./dev reference” writes. */
const DynoReference *dyno_reference_get_bundled (void);
/* Fails with DYNO_ERROR_INVALID_DATA. */
DynoReference *dyno_reference_new (const char *json, gssize length, GError **error);
void dyno_reference_free (DynoReference *self);
/* Returns the machine, the day, the versions and the grades of the reference, in a line. */
char *dyno_reference_dup_text (const DynoReference *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReference, dyno_reference_free)

/* dyno-score */

/**
 * DynoScorePart:
 * @name: `memory`, `compute` or a precision; `all` for the whole score
 * @n_cases: the number of cases that it is of
 * @n_wanted: the number of cases that the reference has
 * @value: the score with its 95 % interval, whose ends are NaN if there is none; above 100 is faster
 *
 * The geometric mean of the rates of some cases over those of the reference, times 100.
 */
typedef struct
{
  char *name;
  guint n_cases;
  guint n_wanted;
  DynoInterval value;
} DynoScorePart;

/**
 * DynoScore:
 * @reference: the run that it is relative to
 * @all: the score of all cases; its value is NaN if there is none
 * @precisions: (element-type DynoScorePart): those of each precision
 * @sides: (element-type DynoScorePart): those of the cases that are left and right of the ridge of the reference
 *   machine, where memory or compute limits them
 * @engine: (nullable): the engine of the run with its version
 * @reason: (nullable): why there is no score, as a sentence
 * @run_id: the id of the run
 * @measured_at: when the run began, in µs since 1970
 *
 * How fast a machine runs the cases of a suite on one engine. Says nothing about other models and engines.
 */
typedef struct
{
  const DynoReference *reference;
  DynoScorePart *all;
  GPtrArray *precisions;
  GPtrArray *sides;
  char *engine;
  char *reason;
  char *run_id;
  gint64 measured_at;
} DynoScore;

/* Returns the score of a run with its results; NULL if it is not one of the reference's suite. @reference must live
 * as long as the score. */
DynoScore *dyno_score_new (DynoRun *run, const DynoReference *reference);
/* Returns the score of the newest run of this machine in the store that has one; NULL if none has. Reads runs, so it
 * belongs on a thread. @machine: the JSON of dyno_machine_to_json(). */
DynoScore *dyno_score_find_newest (DynoStore *store, const char *machine, const DynoReference *reference);
void dyno_score_free (DynoScore *self);

/* Returns the score with its interval, in a sentence; without a score the reason. */
char *dyno_score_dup_answer (const DynoScore *self);
/* Returns the suite, the engine, the scores of the parts and the reference, in sentences; NULL without a score. */
char *dyno_score_dup_scope (const DynoScore *self);
/* Returns the answer and its scope together. */
char *dyno_score_dup_text (const DynoScore *self);
/* Returns the score for programs. */
JsonObject *dyno_score_to_json (const DynoScore *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoScore, dyno_score_free)

G_END_DECLS
