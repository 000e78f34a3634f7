/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-case-parts.h"
#include "dyno-race.h"

/* After so many rounds: five are the fewest that allow a verdict, and looking after every one would find differences that
 * are none. */
static const guint looks[] = { DYNO_RACE_MIN_ROUNDS, 7, 10, 14, 20, 28, DYNO_RACE_MAX_ROUNDS };

struct _DynoRace
{
  DynoGoal goal;
  DynoRecommendation *standings; /* of those still in, when they were looked at last */
  GPtrArray *earlier;            /* of DynoRecommendation: when others were still in */
  GPtrArray *leavers;            /* of DynoCandidate, in @earlier: the first to leave first */
  GHashTable *gone;              /* of DynoResult: those of @leavers */
  guint n_rounds;
  gboolean is_over;
};

static const struct
{
  const char *name;
  const char *label;
} standings[] = {
  [DYNO_RACE_BEST] = { "best", N_ ("Best") },
  [DYNO_RACE_TIED] = { "tied", N_ ("Tied") },
  [DYNO_RACE_OPEN] = { "open", N_ ("Not decided") },
  [DYNO_RACE_BEATEN] = { "beaten", N_ ("Beaten") },
  [DYNO_RACE_REFUSED] = { "refused", N_ ("Not recommended") },
  [DYNO_RACE_UNMEASURED] = { "unmeasured", N_ ("Not measured") },
};

/**
 * dyno_race_standing_to_string:
 * @standing: how a setting stands
 *
 * Returns: (transfer none): its stable name
 */
const char *
dyno_race_standing_to_string (DynoRaceStanding standing)
{
  return standings[standing].name;
}

/**
 * dyno_race_standing_get_label:
 * @standing: how a setting stands
 *
 * Returns: (transfer none): it for people
 */
const char *
dyno_race_standing_get_label (DynoRaceStanding standing)
{
  return _ (standings[standing].label);
}

/**
 * dyno_race_new:
 * @goal: what is wanted
 *
 * Returns: (transfer full): a race that has not begun
 */
DynoRace *
dyno_race_new (const DynoGoal *goal)
{
  DynoRace *self = g_new0 (DynoRace, 1);

  self->goal = *goal;
  self->earlier = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_recommendation_unref);
  self->leavers = g_ptr_array_new ();
  self->gone = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  return self;
}

void
dyno_race_free (DynoRace *self)
{
  g_clear_pointer (&self->standings, dyno_recommendation_unref);
  g_ptr_array_unref (self->leavers);
  g_ptr_array_unref (self->earlier);
  g_hash_table_unref (self->gone);
  g_free (self);
}

/**
 * dyno_race_is_look:
 * @n_rounds: how many rounds are over
 *
 * Returns: whether the settings are judged then
 */
gboolean
dyno_race_is_look (guint n_rounds)
{
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (looks[i] == n_rounds)
      return TRUE;
  return FALSE;
}

/* Those still in, as a run of their own: what left was measured in other rounds, so its rank would be by what the machine
 * was like then. */
static DynoRun *
collect_rest (DynoRace *self, DynoRun *run)
{
  DynoRun *rest = dyno_run_new (dyno_run_get_id (run));
  GListModel *results = dyno_run_get_results (run);

  g_object_set (rest, "machine", dyno_run_get_machine (run), "started-at", dyno_run_get_started_at (run),
                NULL);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (!g_hash_table_contains (self->gone, result))
        dyno_run_add_result (rest, result);
    }
  return rest;
}

static const DynoRecommendationCell *
get_cell (const DynoRace *self)
{
  return self->standings != NULL && self->standings->cells->len == 1
             ? dyno_recommendation_get_cell (self->standings, 0, 0)
             : NULL;
}

static char *
dup_label (DynoResult *result, DynoCaseParts varying)
{
  return dyno_case_parts_dup_text (result, varying | DYNO_CASE_BACKEND);
}

/* In the same words from the first round to the last, however few are left. */
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

static void
judge (DynoRace *self, DynoRun *run)
{
  DynoCaseParts varying = dyno_case_parts_find_varying (dyno_run_get_results (run));
  g_autoptr (DynoRun) rest = collect_rest (self, run);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  const DynoRecommendationCell *cell;

  g_ptr_array_add (runs, rest);
  if (self->standings != NULL)
    g_ptr_array_add (self->earlier, g_steal_pointer (&self->standings));
  self->standings = dyno_recommendation_new (runs, &self->goal, "model", "sequence", NULL);
  cell = get_cell (self);
  if (cell == NULL)
    return;
  relabel (cell->candidates, varying);
  relabel (cell->refused, varying);
}

static void
let_go (DynoRace *self, DynoCandidate *candidate, GPtrArray *leaving)
{
  g_ptr_array_add (self->leavers, candidate);
  g_hash_table_add (self->gone, g_object_ref (candidate->result));
  g_ptr_array_add (leaving, g_object_ref (candidate->result));
}

static gboolean
is_beaten (const DynoCandidate *candidate)
{
  return candidate->margin != NULL && candidate->margin->verdict == DYNO_VERDICT_BETTER;
}

/* What takes long has the p90 that is asked for only when more of its processes are over. */
static gboolean
lacks_samples (const DynoRace *self, const DynoCandidate *candidate)
{
  DynoCaseState state = dyno_result_get_state (candidate->result);
  DynoValue *p90 = dyno_result_get_value (candidate->result, "latency_p90_ms");

  if (self->goal.weights[DYNO_OBJECTIVE_LATENCY] == 0 && !isfinite (self->goal.limits[DYNO_LIMIT_LATENCY]))
    return FALSE;
  return (state == DYNO_CASE_STATE_MEASURED || state == DYNO_CASE_STATE_DOUBTFUL) && p90 != NULL &&
         !dyno_value_is_number (p90);
}

static gboolean
is_decided (const DynoRace *self, const DynoRecommendationCell *cell)
{
  for (guint i = 1; i < cell->candidates->len; i++)
    if (!is_beaten (cell->candidates->pdata[i]) && !dyno_candidate_is_tied (cell->candidates->pdata[i]))
      return FALSE;
  for (guint i = 0; i < cell->refused->len; i++)
    if (lacks_samples (self, cell->refused->pdata[i]))
      return FALSE;
  return TRUE;
}

/**
 * dyno_race_look:
 * @self: a race
 * @run: the run with what was measured so far, on which it goes on after this
 * @n_rounds: how many rounds are over
 *
 * Judges those still in. Takes a while.
 *
 * Returns: (transfer full) (element-type DynoResult): those that are to be measured no further: all, where it is decided
 */
GPtrArray *
dyno_race_look (DynoRace *self, DynoRun *run, guint n_rounds)
{
  GPtrArray *leaving = g_ptr_array_new_with_free_func (g_object_unref);
  const DynoRecommendationCell *cell;

  self->n_rounds = n_rounds;
  judge (self, run);
  cell = get_cell (self);
  if (cell == NULL)
    return leaving;
  for (guint i = cell->candidates->len; i > 1; i--)
    if (is_beaten (cell->candidates->pdata[i - 1]))
      let_go (self, cell->candidates->pdata[i - 1], leaving);
  for (guint i = 0; i < cell->refused->len; i++)
    if (!lacks_samples (self, cell->refused->pdata[i]))
      let_go (self, cell->refused->pdata[i], leaving);
  if (!is_decided (self, cell))
    return leaving;
  self->is_over = TRUE;
  for (guint i = 0; i < cell->candidates->len; i++)
    if (!is_beaten (cell->candidates->pdata[i]))
      g_ptr_array_add (leaving, g_object_ref (((DynoCandidate *)cell->candidates->pdata[i])->result));
  return leaving;
}

/**
 * dyno_race_finish:
 * @self: a race
 * @run: the run, which is over
 *
 * Judges those still in by what was measured after the last look, if the run ended before the race was decided.
 */
void
dyno_race_finish (DynoRace *self, DynoRun *run)
{
  if (!self->is_over)
    judge (self, run);
  self->is_over = TRUE;
}

static void
turn_cb (DynoRunner *runner, guint invocation, DynoRace *self)
{
  g_autoptr (GPtrArray) leaving = NULL;

  if (invocation <= self->n_rounds || !dyno_race_is_look (invocation))
    return;
  leaving = dyno_race_look (self, dyno_runner_get_run (runner), invocation);
  for (guint i = 0; i < leaving->len; i++)
    dyno_runner_drop (runner, leaving->pdata[i]);
}

/**
 * dyno_race_follow:
 * @self: a race, which stays until @runner is done
 * @runner: a runner that has not run yet, of a plan with one model and %DYNO_RACE_MAX_ROUNDS invocations
 *
 * Looks between its blocks, and drops what left the race.
 */
void
dyno_race_follow (DynoRace *self, DynoRunner *runner)
{
  g_signal_connect (runner, "turn", G_CALLBACK (turn_cb), self);
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

  *entry = (DynoRaceEntry){ g_object_ref (result), label, standing, candidate };
  g_ptr_array_add (list, entry);
}

static void
add_candidate (GPtrArray *list, const DynoCandidate *candidate, DynoRaceStanding standing)
{
  add_entry (list, candidate->result, standing, candidate, g_strdup (candidate->label));
}

static DynoRaceStanding
get_standing (const DynoCandidate *candidate)
{
  if (candidate->reason != NULL)
    return DYNO_RACE_REFUSED;
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

static void
add_unmeasured (GPtrArray *list, DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  DynoCaseParts varying = dyno_case_parts_find_varying (results);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (!is_listed (list, result))
        add_entry (list, result, DYNO_RACE_UNMEASURED, NULL, dup_label (result, varying));
    }
}

/* Those that left: the last one to leave first, for it was the hardest to tell from the leader. */
static void
add_leavers (GPtrArray *list, const DynoRace *self, gboolean is_refused)
{
  for (guint i = self->leavers->len; i > 0; i--)
    {
      const DynoCandidate *candidate = self->leavers->pdata[i - 1];

      if ((candidate->reason != NULL) == is_refused && !is_listed (list, candidate->result))
        add_candidate (list, candidate, get_standing (candidate));
    }
}

/**
 * dyno_race_list:
 * @self: a race that is finished
 * @run: its run
 *
 * Returns: (transfer full) (element-type DynoRaceEntry): all settings, the best one first, if there is any. They are valid
 *   as long as the race
 */
GPtrArray *
dyno_race_list (DynoRace *self, DynoRun *run)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)entry_free);
  const DynoRecommendationCell *cell = get_cell (self);

  for (guint i = 0; cell != NULL && i < cell->candidates->len; i++)
    add_candidate (list, cell->candidates->pdata[i], get_standing (cell->candidates->pdata[i]));
  add_leavers (list, self, FALSE);
  for (guint i = 0; cell != NULL && i < cell->refused->len; i++)
    add_candidate (list, cell->refused->pdata[i], DYNO_RACE_REFUSED);
  add_leavers (list, self, TRUE);
  add_unmeasured (list, run);
  return list;
}
