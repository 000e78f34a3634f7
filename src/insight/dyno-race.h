/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-goal.h"
#include "dyno-plan.h"
#include "dyno-recommendation.h"
#include "dyno-runner.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-race-stored */

/**
 * DynoStoredSetting:
 * @result: the case, without values
 * @label: the setting in words
 * @run_id: the run that measured it
 * @measured_at: when that began, in µs since 1970
 * @value: its number for the goal
 * @n_processes: how many processes measured it
 * @ratio: how many times as good the best of that run was, 1 or more; NaN if it had no other
 * @model: (nullable): what that run said of the files of the model
 * @library: (nullable): what it said of those of the engine
 * @is_left_out: whether the race does not measure it, because it was far behind
 *
 * A result of an earlier run on this machine, by the same engine and version of Dyno. It decides when a setting has its
 * turn, or that it has none, and is no part of any comparison.
 */
typedef struct
{
  DynoResult *result;
  char *label;
  char *run_id;
  gint64 measured_at;
  double value;
  guint n_processes;
  double ratio;
  char *model;
  char *library;
  gboolean is_left_out;
} DynoStoredSetting;

/* Returns a copy without a label. */
DynoStoredSetting *dyno_stored_setting_dup (const DynoStoredSetting *self);
void dyno_stored_setting_free (DynoStoredSetting *self);
/* Returns those whose model and engine have the same files as in this run, as far as that is known. The list does not own
 * them. @stored holds DynoStoredSetting. */
GPtrArray *dyno_stored_settings_list_alike (GPtrArray *stored, DynoRun *run);
/* Returns their numbers and days, in a sentence or two; NULL if there are none. @stored holds DynoStoredSetting. */
char *dyno_stored_settings_dup_text (GPtrArray *stored, const DynoGoal *goal);

/* dyno-race-plan */

/**
 * DynoRaceAxis:
 * @title: the property in which settings differ, such as “Precision”
 * @values: its values in words, joined
 *
 * One axis of the raced settings.
 */
typedef struct
{
  char *title;
  char *values;
} DynoRaceAxis;

/**
 * DynoRacePlan:
 * @plan: the plan: only cases that can run here, as far as that is known in advance
 * @cases: (element-type DynoCase): the cases of the plan
 * @n_settings: the number of settings
 * @seconds: the estimated time until the first settings can leave
 * @left_out: (array zero-terminated=1): properties of a plan that could be varied too with more time
 * @late: (nullable): the names of engines that did not say in time whether they can measure here, joined
 * @deferred: (nullable): which engines cannot measure yet, and why: sentences, each after a space
 * @more_seconds: the least time limit with which one of them would be; 0 if there is none
 * @behind: (element-type DynoCase): cases that are left out, because they were far behind in earlier runs
 * @stored: (element-type DynoStoredSetting): the earlier results that decided the order, or that a setting is left out
 *
 * The settings of a race.
 */
typedef struct
{
  DynoPlan *plan;
  GPtrArray *cases;
  guint n_settings;
  double seconds;
  char **left_out;
  char *late;
  char *deferred;
  double more_seconds;
  GPtrArray *behind;
  GPtrArray *stored;
} DynoRacePlan;

/* Returns a plan with the case's model, sizes and place, for dyno_race_plan_new(). The caller owns it. */
DynoPlan *dyno_race_plan_ask (DynoCase *kase);
/* Returns the settings of a race. Varies backend, device and precision, and then, one after the other,
 * threads, batch (where the time of one step does not count) and options of the engines, with threads for each stage by
 * its work, as long as the time allows. Reads files and probes, so it takes a while. @given: the properties of @fixed that are not
 * varied. @seconds: the time limit of the race. @store (nullable): earlier results. Fails as dyno_plan_expand(), and with
 * DYNO_ERROR_UNSUPPORTED if nothing can run here. */
DynoRacePlan *dyno_race_plan_new (DynoPlan *fixed,
                                  GHashTable *given,
                                  const DynoGoal *goal,
                                  double seconds,
                                  DynoStore *store,
                                  GError **error);
void dyno_race_plan_free (DynoRacePlan *self);
/* Returns the axes in which they differ, with all values that can run. Elements are DynoRaceAxis. */
GPtrArray *dyno_race_plan_list_axes (const DynoRacePlan *self);
/* Returns the number of settings, the time that they take and the engines that were late, in a few sentences. @all: the time
 * limit of the race, in words. */
char *dyno_race_plan_dup_text (const DynoRacePlan *self, const char *first, const char *all);
/* Returns why there is nothing to choose, as a sentence or two; NULL if there is more than one setting. */
char *dyno_race_plan_dup_problem (const DynoRacePlan *self);
/* Returns whether the race will probably end before there can be a verdict. @seconds: the time limit of the
 * race. */
gboolean dyno_race_plan_is_too_short (const DynoRacePlan *self, double seconds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRacePlan, dyno_race_plan_free)

/**
 * DYNO_RACE_MIN_ROUNDS:
 *
 * No verdict is possible before this many rounds, so no setting leaves earlier.
 */
#define DYNO_RACE_MIN_ROUNDS 5

/**
 * DYNO_RACE_MAX_ROUNDS:
 *
 * Settings that still do not differ after this many rounds are left undecided.
 */
#define DYNO_RACE_MAX_ROUNDS 40

/**
 * DynoRaceStanding:
 * @DYNO_RACE_BEST: no other is better
 * @DYNO_RACE_TIED: as good as the best one, or different by less than the noise of this machine
 * @DYNO_RACE_OPEN: shown to be neither worse than the best one nor as good
 * @DYNO_RACE_BEATEN: shown to be worse than the leader at that time
 * @DYNO_RACE_BEHIND: so far behind the leader after few rounds that it was not measured further
 * @DYNO_RACE_REFUSED: measured or tried, but may not be recommended
 * @DYNO_RACE_UNMEASURED: it cannot run here, took longer than its share of the time, or had no turn
 * @DYNO_RACE_RACING: still in, while the race is running
 *
 * The standing of a setting in a race.
 */
typedef enum
{
  DYNO_RACE_BEST,
  DYNO_RACE_TIED,
  DYNO_RACE_OPEN,
  DYNO_RACE_BEATEN,
  DYNO_RACE_BEHIND,
  DYNO_RACE_REFUSED,
  DYNO_RACE_UNMEASURED,
  DYNO_RACE_RACING,
} DynoRaceStanding;

/**
 * DynoRaceEntry:
 * @result: its case
 * @label: the setting in words
 * @standing: its standing
 * @candidate: (nullable): its last judgement: its cost, and the margin by which it was beaten or why it may not be
 *   recommended; NULL if it was not judged
 *
 * A setting of a race.
 */
typedef struct
{
  DynoResult *result;
  char *label;
  DynoRaceStanding standing;
  const DynoCandidate *candidate;
} DynoRaceEntry;

#define DYNO_TYPE_RACE (dyno_race_get_type ())

/**
 * DynoRace:
 *
 * Finds the best of the cases of a run while it is measured, by a goal. After 5 rounds, and then at numbers
 * of rounds that grow by the square root of 2, the settings still in are judged like a recommendation; a
 * case leaves if the leader was shown to be better, or if it may not be recommended. After 1, 2 and 3 rounds
 * those that are far behind leave, except the nearest rival of the leader. The race is over
 * when all that are left are as good as the leader. Lives on the main thread, and judges on another.
 *
 * Signal `judged`: standings are new.
 */
G_DECLARE_FINAL_TYPE (DynoRace, dyno_race, DYNO, RACE, GObject)

/* Returns its stable name. */
const char *dyno_race_standing_to_string (DynoRaceStanding standing);
/* Returns its name for people. */
const char *dyno_race_standing_get_label (DynoRaceStanding standing);

/* Returns a race that has not begun. */
DynoRace *dyno_race_new (const DynoGoal *goal);
/* @stored: the earlier results that its plan rests on. Elements are DynoStoredSetting. */
void dyno_race_set_stored (DynoRace *self, GPtrArray *stored);
/* As dyno_stored_settings_list_alike(). @run: the run of the race. */
GPtrArray *dyno_race_list_stored (DynoRace *self, DynoRun *run);

/* Returns its goal. */
const DynoGoal *dyno_race_get_goal (DynoRace *self);
/* Returns whether the settings are judged after this round. */
gboolean dyno_race_is_look (guint n_rounds);
/* Judges the settings still in. Takes a while. Returns the results to measure no further: all, if the race
 * is decided. Elements are DynoResult. The caller owns it. @run: the run so far; it continues after this.
 **/
GPtrArray *dyno_race_look (DynoRace *self, DynoRun *run, guint n_rounds);
/* Judges the settings still in with the measurements after the last look, if the run ended before the race
 * was decided. Takes a while. */
void dyno_race_finish (DynoRace *self, DynoRun *run);
/* Does dyno_race_finish() on a thread. @cancellable (nullable): cancelled when @callback must no longer get
 * a result. @callback: called at the end; there is no result to ask for. */
void dyno_race_finish_async (DynoRace *self,
                             DynoRun *run,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
/* Judges between the runner's blocks, and drops the settings that left the race. @runner: a runner that has
 * not run yet, of a plan with one model and DYNO_RACE_MAX_ROUNDS invocations; it keeps the race. */
void dyno_race_follow (DynoRace *self, DynoRunner *runner);

/* Returns all settings: after the race the best one first, if there is any; during the race those still in
 * first. They are valid as long as the race. Elements are DynoRaceEntry. */
GPtrArray *dyno_race_list (DynoRace *self, DynoRun *run);

/* Returns the best one; NULL if there is none. @entries holds DynoRaceEntry. */
const DynoRaceEntry *dyno_race_find_best (GPtrArray *entries);
/* Returns the best one with its margin and how certain that is, in a sentence or two; where none may be recommended, the
 * one that looks best. @entries holds DynoRaceEntry. */
char *dyno_race_dup_answer (GPtrArray *entries, const DynoGoal *goal);
/* Returns its value for the main objective, from the measurements so far; empty if it is unknown. */
char *dyno_race_entry_dup_value (const DynoRaceEntry *entry, const DynoGoal *goal);
/* Returns the lead of the leader, why the setting may not be recommended or was not measured, or a doubt; possibly
 * empty. */
char *dyno_race_entry_dup_remark (const DynoRaceEntry *entry, const DynoGoal *goal);

/* dyno-every-engine-plan */

/* Makes the plan, of one model, one that finds the fastest setting of each engine: engines and precisions that are not given,
 * in turns, and tokens to generate if the model does; only cases that can run here, and the first of each engine and number
 * of bits that cannot, which has the reason. Reads files and probes, so it takes a while. Fails as dyno_plan_expand().
 * @given: the properties of @plan that stay as they are. */
gboolean dyno_every_engine_plan (DynoPlan *plan, GHashTable *given, GError **error);

/* dyno-every-engine */

/* How fast it generates, and how fast it reads a prompt. */
#define DYNO_EVERY_ENGINE_QUESTIONS 2

/**
 * DynoEngineEntry:
 * @engine: the engine, with its device where that does not go without saying
 * @bits: of a weight
 * @sizes: the sizes of the work, in words
 * @setting: the fastest setting of the engine in so many bits, in words
 * @result: its case
 * @fastest: for each question, the fastest entry with the same bits and sizes, possibly itself
 * @margins: (nullable): for each question, how it compares with that; NULL for the fastest itself
 *
 * An engine in a class of precisions.
 */
typedef struct _DynoEngineEntry DynoEngineEntry;
struct _DynoEngineEntry
{
  char *engine;
  guint bits;
  char *sizes;
  char *setting;
  DynoResult *result;
  const DynoEngineEntry *fastest[DYNO_EVERY_ENGINE_QUESTIONS];
  const DynoComparedCase *margins[DYNO_EVERY_ENGINE_QUESTIONS];
};

/**
 * DynoEveryEngine:
 * @run: the run
 * @entries: (element-type DynoEngineEntry): by sizes, the most bits first, the fastest first
 * @comparisons: (element-type DynoComparison): for each question, the engines against the fastest ones; the first lists what
 *   differs, and the engines that are not compared
 *
 * The fastest setting of each engine for a model, precisions with equally many bits among themselves.
 */
typedef struct
{
  DynoRun *run;
  GPtrArray *entries;
  GPtrArray *comparisons;
} DynoEveryEngine;

/* Returns whether all cases of the run are of one model. */
gboolean dyno_every_engine_is_of_one_model (DynoRun *run);
/* May take some seconds: not for the main thread. Emulated devices are never an entry. @run: of one model */
DynoEveryEngine *dyno_every_engine_new (DynoRun *run);
void dyno_every_engine_free (DynoEveryEngine *self);
/* Returns how many bits a weight has in the precision; 0 where its name does not say. */
guint dyno_every_engine_count_bits (const char *precision);
/* Returns a sentence for each class of precisions. */
char **dyno_every_engine_dup_answers (const DynoEveryEngine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoEveryEngine, dyno_every_engine_free)

G_END_DECLS
