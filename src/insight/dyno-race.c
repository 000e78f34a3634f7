/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-cases.h"
#include "dyno-race.h"
#include "dyno-result-samples.h"
#include "dyno-task.h"

/* Settings are judged after these numbers of rounds: five are the fewest that allow a verdict, and judging
 * after every round would find false differences. Earlier looks only let go of settings that are far behind. */
static const guint looks[] = { 1, 2, 3, DYNO_RACE_MIN_ROUNDS, 7, 10, 14, 20, 28, DYNO_RACE_MAX_ROUNDS };

/* A setting is far behind if it takes so many times as long as the leader: turns of one round hardly differ by chance, but
 * processes one after another differed by more on a busy machine. */
#define FAR_IN_TURNS  1.5
#define FAR_OTHERWISE 4.0

struct _DynoRace
{
  GObject parent_instance;

  DynoGoal goal;
  GPtrArray *stored;             /* (nullable): of DynoStoredSetting */
  DynoRecommendation *standings; /* of those still in, at the last look */
  GPtrArray *earlier;            /* of DynoRecommendation: earlier standings, while others were still in */
  GPtrArray *leavers;            /* of DynoCandidate, in @earlier: in the order in which they left */
  GHashTable *gone;              /* the ordinals of @leavers */
  guint n_rounds;
  gboolean is_over;
};

enum
{
  JUDGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRace, dyno_race, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

static const struct
{
  const char *name;
  const char *label;
} standing_words[] = {
  [DYNO_RACE_BEST] = { "best", N_ ("Best") },
  [DYNO_RACE_TIED] = { "tied", N_ ("Tied") },
  [DYNO_RACE_OPEN] = { "open", N_ ("Not decided") },
  [DYNO_RACE_BEATEN] = { "beaten", N_ ("Beaten") },
  [DYNO_RACE_BEHIND] = { "behind", N_ ("Far behind") },
  [DYNO_RACE_REFUSED] = { "refused", N_ ("Not recommended") },
  [DYNO_RACE_UNMEASURED] = { "unmeasured", N_ ("Not measured") },
  [DYNO_RACE_RACING] = { "racing", N_ ("In the race") },
};

const char *
dyno_race_standing_to_string (DynoRaceStanding standing)
{
  return standing_words[standing].name;
}

const char *
dyno_race_standing_get_label (DynoRaceStanding standing)
{
  return _ (standing_words[standing].label);
}

static void
dyno_race_finalize (GObject *object)
{
  DynoRace *self = DYNO_RACE (object);

  g_clear_pointer (&self->stored, g_ptr_array_unref);
  g_clear_pointer (&self->standings, dyno_recommendation_unref);
  g_ptr_array_unref (self->leavers);
  g_ptr_array_unref (self->earlier);
  g_hash_table_unref (self->gone);

  G_OBJECT_CLASS (dyno_race_parent_class)->finalize (object);
}

static void
dyno_race_class_init (DynoRaceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_race_finalize;

  signals[JUDGED] =
      g_signal_new ("judged", DYNO_TYPE_RACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
dyno_race_init (DynoRace *self)
{
  self->earlier = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_recommendation_unref);
  self->leavers = g_ptr_array_new ();
  self->gone = g_hash_table_new (NULL, NULL);
}

DynoRace *
dyno_race_new (const DynoGoal *goal)
{
  DynoRace *self = g_object_new (DYNO_TYPE_RACE, NULL);

  self->goal = *goal;
  self->goal.allows_moving_turns = TRUE;
  return self;
}

void
dyno_race_set_stored (DynoRace *self, GPtrArray *stored)
{
  g_return_if_fail (DYNO_IS_RACE (self));

  g_clear_pointer (&self->stored, g_ptr_array_unref);
  self->stored = g_ptr_array_ref (stored);
}

GPtrArray *
dyno_race_list_stored (DynoRace *self, DynoRun *run)
{
  g_return_val_if_fail (DYNO_IS_RACE (self), NULL);
  return self->stored != NULL ? dyno_stored_settings_list_alike (self->stored, run) : g_ptr_array_new ();
}

const DynoGoal *
dyno_race_get_goal (DynoRace *self)
{
  g_return_val_if_fail (DYNO_IS_RACE (self), NULL);
  return &self->goal;
}

gboolean
dyno_race_is_look (guint n_rounds)
{
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (looks[i] == n_rounds)
      return TRUE;
  return FALSE;
}

/* The settings that a thread judges: those still in. */
typedef struct
{
  DynoRun *rest;
  DynoGoal goal;
  DynoCaseParts varying;
  guint n_rounds;
  DynoRun *run;
} Look;

static gboolean
is_gone (DynoRace *self, DynoResult *result)
{
  return g_hash_table_contains (self->gone, GUINT_TO_POINTER (dyno_result_get_ordinal (result)));
}

/* Collects those still in as a run of their own: settings that left were measured in other rounds, so their
 * ranks would reflect the state of the machine at that time. */
static Look *
look_new (DynoRace *self, DynoRun *run, guint n_rounds)
{
  GListModel *results = dyno_run_get_results (run);
  Look *look = g_new0 (Look, 1);

  look->rest = dyno_run_new (dyno_run_get_id (run));
  g_object_set (look->rest, "machine", dyno_run_get_machine (run), "started-at",
                dyno_run_get_started_at (run), NULL);
  dyno_run_set_self_test (look->rest, dyno_run_get_self_test (run));
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      g_autoptr (DynoResult) twin = is_gone (self, result) ? NULL : dyno_result_dup (result);

      if (twin != NULL)
        dyno_run_add_result (look->rest, twin);
    }
  look->goal = self->goal;
  look->varying = dyno_case_parts_find_varying (results);
  look->n_rounds = n_rounds;
  look->run = g_object_ref (run);
  return look;
}

static void
look_free (Look *look)
{
  g_object_unref (look->rest);
  g_object_unref (look->run);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

static const DynoRecommendationCell *
get_only_cell (const DynoRecommendation *recommendation)
{
  return recommendation != NULL && recommendation->cells->len == 1
             ? dyno_recommendation_get_cell (recommendation, 0, 0)
             : NULL;
}

static char *
dup_label (DynoResult *result, DynoCaseParts varying)
{
  return dyno_case_parts_dup_text (result, varying | DYNO_CASE_BACKEND);
}

/* Keeps the same labels from the first round to the last, however few settings are left. */
static void
relabel (GPtrArray *candidates, DynoCaseParts varying)
{
  for (guint i = 0; i < candidates->len; i++)
    {
      DynoCandidate *candidate = candidates->pdata[i];

      g_free (candidate->label);
      candidate->label = dup_label (candidate->result, varying);
    }
}

static DynoRecommendation *
judge (const Look *look)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  DynoRecommendation *standings;
  const DynoRecommendationCell *cell;

  g_ptr_array_add (runs, look->rest);
  standings = dyno_recommendation_new (runs, &look->goal, "model", "sequence", NULL);
  cell = get_only_cell (standings);
  if (cell == NULL)
    return standings;
  relabel (cell->candidates, look->varying);
  relabel (cell->refused, look->varying);
  return standings;
}

static void
take_standings (DynoRace *self, DynoRecommendation *standings)
{
  if (self->standings != NULL)
    g_ptr_array_add (self->earlier, g_steal_pointer (&self->standings));
  self->standings = standings;
}

/* Returns the result in the run itself, which other code refers to. */
static DynoResult *
find_result (DynoRun *run, DynoResult *twin)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_get_ordinal (result) == dyno_result_get_ordinal (twin))
        return g_steal_pointer (&result);
    }
  return g_object_ref (twin);
}

static void
add_result (GPtrArray *results, DynoRun *run, DynoCandidate *candidate)
{
  g_ptr_array_add (results, find_result (run, candidate->result));
}

static void
let_go (DynoRace *self, DynoRun *run, DynoCandidate *candidate, GPtrArray *leaving)
{
  g_ptr_array_add (self->leavers, candidate);
  g_hash_table_add (self->gone, GUINT_TO_POINTER (dyno_result_get_ordinal (candidate->result)));
  add_result (leaving, run, candidate);
}

static gboolean
is_beaten (const DynoCandidate *candidate)
{
  return candidate->margin != NULL && candidate->margin->verdict == DYNO_VERDICT_BETTER;
}

static gboolean
is_far_behind (const DynoCandidate *candidate)
{
  const DynoComparedCase *margin = candidate->margin;
  double distance = margin != NULL ? fabs (log (margin->ratio)) : 0;

  return distance >= log (FAR_OTHERWISE) ||
         (distance >= log (FAR_IN_TURNS) &&
          (margin->n_rounds > 0 || margin->verdict == DYNO_VERDICT_PROBABLY_BETTER));
}

/* Lets go of settings so far behind that the time is better spent on the others. The nearest rival stays, because only a
 * verdict about it makes the leader the best. */
static void
let_go_far_behind (DynoRace *self, DynoRun *run, const DynoRecommendationCell *cell, GPtrArray *leaving)
{
  for (guint i = cell->candidates->len; i > 2; i--)
    if (is_far_behind (cell->candidates->pdata[i - 1]))
      let_go (self, run, cell->candidates->pdata[i - 1], leaving);
}

/* Returns the settings that leave after this look: all, if the race is decided. */
static GPtrArray *
settle (DynoRace *self, DynoRun *run, DynoRecommendation *standings)
{
  GPtrArray *leaving = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoRecommendationCell *cell = get_only_cell (standings);
  gboolean has_limit = isfinite (self->goal.limits[DYNO_LIMIT_LATENCY]);
  gboolean is_decided = TRUE;

  take_standings (self, standings);
  if (cell == NULL)
    return leaving;
  if (self->n_rounds < DYNO_RACE_MIN_ROUNDS)
    {
      let_go_far_behind (self, run, cell, leaving);
      return leaving;
    }
  for (guint i = cell->candidates->len; i > 1; i--)
    {
      DynoCandidate *candidate = cell->candidates->pdata[i - 1];

      if (is_beaten (candidate))
        let_go (self, run, candidate, leaving);
      else
        is_decided = is_decided && dyno_candidate_is_tied (candidate);
    }
  for (guint i = 0; i < cell->refused->len; i++)
    {
      DynoCandidate *candidate = cell->refused->pdata[i];
      DynoCaseState state = dyno_result_get_state (candidate->result);
      DynoValue *p90 = dyno_result_get_value (candidate->result, "latency_p90_ms");

      /* Slow settings need more processes before p90 has enough samples. */
      if (has_limit && (state == DYNO_CASE_STATE_MEASURED || state == DYNO_CASE_STATE_DOUBTFUL) &&
          p90 != NULL && !dyno_value_is_number (p90))
        is_decided = FALSE;
      else
        let_go (self, run, candidate, leaving);
    }
  if (!is_decided)
    return leaving;
  self->is_over = TRUE;
  for (guint i = 0; i < cell->candidates->len; i++)
    if (!is_beaten (cell->candidates->pdata[i]))
      add_result (leaving, run, cell->candidates->pdata[i]);
  return leaving;
}

GPtrArray *
dyno_race_look (DynoRace *self, DynoRun *run, guint n_rounds)
{
  g_autoptr (Look) look = NULL;

  g_return_val_if_fail (DYNO_IS_RACE (self), NULL);

  self->n_rounds = n_rounds;
  look = look_new (self, run, n_rounds);
  return settle (self, run, judge (look));
}

static void
conclude (DynoRace *self, DynoRecommendation *standings)
{
  take_standings (self, standings);
  self->is_over = TRUE;
  g_signal_emit (self, signals[JUDGED], 0);
}

void
dyno_race_finish (DynoRace *self, DynoRun *run)
{
  g_autoptr (Look) look = NULL;

  g_return_if_fail (DYNO_IS_RACE (self));

  if (self->is_over)
    return;
  look = look_new (self, run, self->n_rounds);
  conclude (self, judge (look));
}

static void
judge_in_thread (GTask *task, gpointer source, gpointer look, GCancellable *cancellable)
{
  g_task_return_pointer (task, judge (look), (GDestroyNotify)dyno_recommendation_unref);
}

static void
judge_async (DynoRace *self, Look *look, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = dyno_owned_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, judge_async);
  g_task_set_task_data (task, look, (GDestroyNotify)look_free);
  g_task_run_in_thread (task, judge_in_thread);
}

static void
concluded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  conclude (DYNO_RACE (object), g_task_propagate_pointer (G_TASK (result), NULL));
  g_task_return_boolean (task, TRUE);
}

void
dyno_race_finish_async (
    DynoRace *self, DynoRun *run, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (DYNO_IS_RACE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_race_finish_async);
  if (self->is_over)
    g_task_return_boolean (task, TRUE);
  else
    judge_async (self, look_new (self, run, self->n_rounds), concluded_cb, g_steal_pointer (&task));
}

/* A run that was stopped meanwhile is judged as a whole at its end. */
static void
looked_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoRace *self = DYNO_RACE (object);
  g_autoptr (DynoRunner) runner = user_data;
  const Look *look = g_task_get_task_data (G_TASK (result));
  DynoRecommendation *standings = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) leaving = NULL;
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoRecommendationCell *cell;

  if (dyno_run_get_finished_at (look->run) > 0)
    g_clear_pointer (&standings, dyno_recommendation_unref);
  else
    {
      leaving = settle (self, look->run, standings);
      for (guint i = 0; i < leaving->len; i++)
        dyno_runner_drop (runner, leaving->pdata[i]);
      /* A later round may have no time for all, so the leader and its nearest rivals come first. */
      cell = get_only_cell (self->standings);
      for (guint i = 0; cell != NULL && i < cell->candidates->len; i++)
        add_result (order, look->run, cell->candidates->pdata[i]);
      dyno_runner_prefer (runner, order);
      g_signal_emit (self, signals[JUDGED], 0);
    }
  dyno_runner_release (runner);
}

static void
turn_cb (DynoRunner *runner, guint invocation, DynoRace *self)
{
  Look *look;

  if (invocation <= self->n_rounds || !dyno_race_is_look (invocation))
    return;
  self->n_rounds = invocation;
  look = look_new (self, dyno_runner_get_run (runner), invocation);
  dyno_runner_hold (runner);
  judge_async (self, look, looked_cb, g_object_ref (runner));
}

void
dyno_race_follow (DynoRace *self, DynoRunner *runner)
{
  g_return_if_fail (DYNO_IS_RACE (self));
  g_signal_connect_data (runner, "turn", G_CALLBACK (turn_cb), g_object_ref (self),
                         (GClosureNotify)g_object_unref, 0);
}

static void
entry_free (DynoRaceEntry *entry)
{
  g_object_unref (entry->result);
  g_free (entry->label);
  g_free (entry);
}

static void
add_entry (GPtrArray *list,
           DynoResult *result,
           DynoRaceStanding standing,
           const DynoCandidate *candidate,
           char *label)
{
  DynoRaceEntry *entry = g_new (DynoRaceEntry, 1);

  *entry = (DynoRaceEntry){ result, label, standing, candidate };
  g_ptr_array_add (list, entry);
}

static void
add_candidate (GPtrArray *list, DynoRun *run, const DynoCandidate *candidate, DynoRaceStanding standing)
{
  add_entry (list, find_result (run, candidate->result), standing, candidate, g_strdup (candidate->label));
}

static DynoRaceStanding
get_standing (const DynoCandidate *candidate)
{
  if (candidate->reason != NULL)
    return dyno_result_get_status (candidate->result) == DYNO_STATUS_SKIPPED ? DYNO_RACE_UNMEASURED
                                                                             : DYNO_RACE_REFUSED;
  if (candidate->margin == NULL)
    return DYNO_RACE_BEST;
  if (is_beaten (candidate))
    return DYNO_RACE_BEATEN;
  return dyno_candidate_is_tied (candidate) ? DYNO_RACE_TIED : DYNO_RACE_OPEN;
}

static gboolean
is_listed (GPtrArray *list, DynoResult *result)
{
  for (guint i = 0; i < list->len; i++)
    if (((DynoRaceEntry *)list->pdata[i])->result == result)
      return TRUE;
  return FALSE;
}

/* Adds the settings that left, the last one first: it was the closest to the leader. */
static void
add_leavers (GPtrArray *list, DynoRace *self, DynoRun *run, gboolean is_refused)
{
  for (guint i = self->leavers->len; i > 0; i--)
    {
      const DynoCandidate *candidate = self->leavers->pdata[i - 1];
      g_autoptr (DynoResult) result = find_result (run, candidate->result);
      DynoRaceStanding standing = get_standing (candidate);

      if ((candidate->reason != NULL) == is_refused && !is_listed (list, result))
        add_candidate (list, run, candidate, standing == DYNO_RACE_OPEN ? DYNO_RACE_BEHIND : standing);
    }
}

/* Adds the settings of the last look that were still in after it, or all of them. */
static void
add_judged (GPtrArray *list, DynoRace *self, DynoRun *run, GPtrArray *candidates)
{
  for (guint i = 0; i < candidates->len; i++)
    {
      const DynoCandidate *candidate = candidates->pdata[i];

      if (self->is_over)
        add_candidate (list, run, candidate, get_standing (candidate));
      else if (!is_gone (self, candidate->result))
        add_candidate (list, run, candidate, DYNO_RACE_RACING);
    }
}

GPtrArray *
dyno_race_list (DynoRace *self, DynoRun *run)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)entry_free);
  const DynoRecommendationCell *cell = get_only_cell (self->standings);
  GListModel *results = dyno_run_get_results (run);
  DynoCaseParts varying = dyno_case_parts_find_varying (results);

  if (cell != NULL)
    add_judged (list, self, run, cell->candidates);
  if (cell != NULL && !self->is_over)
    add_judged (list, self, run, cell->refused);
  add_leavers (list, self, run, FALSE);
  if (cell != NULL && self->is_over)
    add_judged (list, self, run, cell->refused);
  add_leavers (list, self, run, TRUE);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (!is_listed (list, result))
        add_entry (list, g_object_ref (result), self->is_over ? DYNO_RACE_UNMEASURED : DYNO_RACE_RACING, NULL,
                   dup_label (result, varying));
    }
  return list;
}
