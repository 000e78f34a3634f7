/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <time.h>

#include "dyno-case.h"
#include "dyno-case-check.h"
#include "dyno-compatibility.h"
#include "dyno-ceilings.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-phase.h"
#include "dyno-prediction.h"
#include "dyno-prober.h"
#include "dyno-result-samples.h"
#include "dyno-roofline.h"
#include "dyno-run-worker-private.h"
#include "dyno-runner.h"
#include "dyno-task.h"

/* The largest progress of a case that is not over. */
#define LONGEST_FRACTION 0.95

/* The share of the remaining budget for all first numbers, and again for all analyses. */
#define SHARE_OF_BLOCK 0.5
/* No analysis begins if its share of the budget is shorter. */
#define LEAST_ANALYSIS_SECONDS 2

/* The measured and the expected times of cases, in seconds. */
typedef struct
{
  double taken;
  double expected;
} Pace;

/* A case whose turn it is together with others: what is known from its check until all of them are measured. */
typedef struct
{
  DynoResult *result; /* of the run */
  GPtrArray *findings;
  DynoValue *predicted;
  DynoResult *part; /* what its invocation gave, or an error */
  GError *error;
} Side;

/* An invocation of a case, or DYNO_CASE_ANALYSIS. All turns of one number are a block: each case once, in an order of its
 * own. */
typedef struct
{
  DynoResult *result; /* of the run */
  guint invocation;
} Turn;

struct _DynoRunner
{
  GObject parent_instance;

  DynoPlan *plan;
  DynoResultSink *sink;
  DynoRun *earlier; /* (nullable): whose cases are analysed and not measured */
  DynoRun *run;
  double stall_seconds;
  double deadline_seconds;
  double ceilings_seconds;  /* to measure ceilings for, 0 for not at all */
  double ceilings_fraction; /* the fraction that is over */
  double again_left;        /* how long that takes from its beginning, while it goes on */
  gboolean are_roofs_measured_again;
  double again_seconds;  /* to measure each exceeded roof again for, 0 for not at all */
  double budget_seconds; /* after which the run ends, 0 for any time */
  guint budget_source;
  gboolean is_out_of_time; /* the budget ended during a case */
  gboolean is_time_short;  /* a later block had no time for two sides, so the next will have none either */
  DynoTimeShare share;     /* of the time for first numbers; its seconds are since the run began */
  GPtrArray *preferred;    /* (nullable): the results that come first where time is short */
  gint64 began;
  gint64 created; /* on the boot clock, in µs */

  GArray *turns; /* of Turn: the finished ones, the current one and the later ones */
  guint next;    /* index of the next turn */
  guint n_over;  /* number of finished turns; several of those before the next may be under way */
  DynoResult *current;
  guint invocation;     /* of the current case */
  GPtrArray *findings;  /* about the state of the machine just before it */
  DynoValue *predicted; /* the predicted time of a step, if there was one */
  DynoWorkerClient *client;
  GPtrArray *groups;    /* of DynoSideGroup: cases that are to be measured in turns */
  GPtrArray *sides;     /* of the block of such a group, until their outcomes are taken; else empty */
  DynoTurnBlock *block; /* while it is measured */
  gboolean are_sides_measured;
  GCancellable
      *case_cancellable; /* of the case that is prepared or measured; cancelling the run cancels it too */
  gulong cancel_id;
  double waited_seconds; /* for an idle machine */
  gboolean skipping;
  gboolean paused;
  guint n_holds;
  GTask *waiting; /* while paused or held between two cases */

  GPtrArray *unread; /* cases whose engine cannot read the model */

  gboolean begun;                /* whether the sink has begun the run */
  GPtrArray *unstored;           /* results that it could not take yet */
  GPtrArray *ceilings;           /* of the machine, as the sink remembers them */
  GPtrArray *measured_ceilings;  /* those of them that this run measured */
  GHashTable *durations;         /* of cases that were measured before, until the run begins */
  DynoSelfTest *known_self_test; /* until the run begins */
  gboolean is_self_test;
  GHashTable *learned;           /* cases whose expected time is not a guess */
  GHashTable *known_activations; /* from dyno_known_activations_new(), once a case is analysed */

  char *phase;
  gint64 phase_began;
  guint n_samples;
  char *warning;
  DynoTrace *live_latency;
  DynoTrace *live_memory;
  GPtrArray *live_usage;
  gint64 case_began;
  guint n_started;      /* cases that share the time since then */
  double case_fraction; /* fraction of the current case that is over; never decreases */
  Pace pace;            /* of all cases that really ran */
  GHashTable *paces;    /* of those on one device */
};

enum
{
  PROP_0,
  PROP_RUN,
  PROP_CURRENT,
  PROP_PHASE,
  PROP_PROGRESS,
  PROP_SECONDS_LEFT,
  PROP_PAUSED,
  PROP_WARNING,
  N_PROPS
};

enum
{
  LIVE,
  TURN,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoRunner, dyno_runner, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void next_case (GTask *task);
static void start_turn (GTask *task);
static void next_side (GTask *task);

static void
side_free (gpointer data)
{
  Side *side = data;

  g_object_unref (side->result);
  g_ptr_array_unref (side->findings);
  g_clear_pointer (&side->predicted, dyno_value_unref);
  g_clear_object (&side->part);
  g_clear_error (&side->error);
  g_free (side);
}

static void
dyno_runner_finalize (GObject *object)
{
  DynoRunner *self = DYNO_RUNNER (object);

  g_clear_object (&self->plan);
  g_clear_object (&self->sink);
  g_clear_object (&self->earlier);
  g_clear_object (&self->run);
  g_array_unref (self->turns);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_ptr_array_unref (self->sides);
  g_clear_object (&self->block);
  g_ptr_array_unref (self->unread);
  g_clear_pointer (&self->unstored, g_ptr_array_unref);
  g_clear_pointer (&self->ceilings, g_ptr_array_unref);
  g_clear_pointer (&self->measured_ceilings, g_ptr_array_unref);
  g_clear_pointer (&self->preferred, g_ptr_array_unref);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->predicted, dyno_value_unref);
  g_clear_object (&self->current);
  g_clear_object (&self->client);
  g_clear_object (&self->case_cancellable);
  g_clear_object (&self->live_latency);
  g_clear_object (&self->live_memory);
  g_ptr_array_unref (self->live_usage);
  g_hash_table_unref (self->paces);
  g_clear_pointer (&self->durations, g_hash_table_unref);
  g_clear_pointer (&self->known_self_test, dyno_self_test_unref);
  g_hash_table_unref (self->learned);
  g_clear_pointer (&self->known_activations, g_hash_table_unref);
  g_free (self->phase);
  g_free (self->warning);

  G_OBJECT_CLASS (dyno_runner_parent_class)->finalize (object);
}

static void
dyno_runner_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRunner *self = DYNO_RUNNER (object);

  switch (prop_id)
    {
    case PROP_RUN:
      g_value_set_object (value, self->run);
      break;
    case PROP_CURRENT:
      g_value_set_object (value, self->current);
      break;
    case PROP_PHASE:
      g_value_set_string (value, self->phase);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, dyno_runner_get_progress (self));
      break;
    case PROP_SECONDS_LEFT:
      g_value_set_double (value, dyno_runner_get_seconds_left (self));
      break;
    case PROP_PAUSED:
      g_value_set_boolean (value, self->paused);
      break;
    case PROP_WARNING:
      g_value_set_string (value, self->warning);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_runner_class_init (DynoRunnerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_runner_finalize;
  object_class->get_property = dyno_runner_get_property;

  properties[PROP_RUN] = g_param_spec_object ("run", NULL, NULL, DYNO_TYPE_RUN, flags);
  properties[PROP_CURRENT] = g_param_spec_object ("current", NULL, NULL, DYNO_TYPE_RESULT, flags);
  properties[PROP_PHASE] = g_param_spec_string ("phase", NULL, NULL, "", flags);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_SECONDS_LEFT] =
      g_param_spec_double ("seconds-left", NULL, NULL, -1, G_MAXDOUBLE, -1, flags);
  properties[PROP_PAUSED] = g_param_spec_boolean ("paused", NULL, NULL, FALSE, flags);
  properties[PROP_WARNING] = g_param_spec_string ("warning", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[LIVE] =
      g_signal_new ("live", DYNO_TYPE_RUNNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TURN] = g_signal_new ("turn", DYNO_TYPE_RUNNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
}

static void
dyno_runner_init (DynoRunner *self)
{
  self->live_usage = g_ptr_array_new_with_free_func (g_object_unref);
  self->phase = g_strdup ("");
  self->turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  self->sides = g_ptr_array_new_with_free_func (side_free);
  self->unread = g_ptr_array_new_with_free_func (g_object_unref);
  self->unstored = g_ptr_array_new_with_free_func (g_object_unref);
  self->paces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->learned = g_hash_table_new (NULL, NULL);
  self->stall_seconds = 120;
  self->deadline_seconds = 3600;
}

DynoRunner *
dyno_runner_new (DynoPlan *plan, DynoResultSink *sink)
{
  DynoRunner *self;

  g_return_val_if_fail (DYNO_IS_PLAN (plan), NULL);

  self = g_object_new (DYNO_TYPE_RUNNER, NULL);
  self->plan = g_object_ref (plan);
  g_set_object (&self->sink, sink);
  return self;
}

GPtrArray *
dyno_runner_list_unanalysed (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  GPtrArray *unanalysed = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; !dyno_run_is_running (run) && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_result_lacks_analysis (result))
        g_ptr_array_add (unanalysed, g_steal_pointer (&result));
    }
  return unanalysed;
}

DynoRunner *
dyno_runner_new_for_analysis (DynoRun *run, DynoResultSink *sink, GError **error)
{
  const char *json;
  g_autoptr (DynoPlan) plan = NULL;
  DynoRunner *self;

  g_return_val_if_fail (DYNO_IS_RUN (run), NULL);

  json = dyno_run_get_plan (run);
  if (json == NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                         _ ("The run was stored without its plan, so a part of it cannot be run again."));
  plan = json != NULL ? dyno_plan_new_from_json (json, error) : NULL;
  if (plan == NULL)
    return NULL;
  self = dyno_runner_new (plan, sink);
  self->earlier = g_object_ref (run);
  self->begun = TRUE;
  return self;
}

static void
set_phase (DynoRunner *self, const char *phase)
{
  if (g_str_equal (self->phase, phase))
    return;
  g_free (self->phase);
  self->phase = g_strdup (phase);
  self->phase_began = g_get_monotonic_time ();
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PHASE]);
}

static void
notify_progress (DynoRunner *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROGRESS]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SECONDS_LEFT]);
}

static void
take_warning (DynoRunner *self, char *warning)
{
  g_free (self->warning);
  self->warning = warning;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WARNING]);
}

/* The facts that a thread works out before the first case. */
typedef struct
{
  GPtrArray *cases;
  GPtrArray *groups;
  char *machine;
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *preparation = data;

  g_clear_pointer (&preparation->cases, g_ptr_array_unref);
  g_clear_pointer (&preparation->groups, g_ptr_array_unref);
  g_free (preparation->machine);
  g_free (preparation);
}

/* Returns the machine with the engines of the plan. */
static char *
dup_machine_with_engines (DynoPlan *plan, DynoMachine *machine, GCancellable *cancellable)
{
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);

  json_object_set_member (json_node_get_object (node), "backends",
                          dyno_backend_snapshot (dyno_plan_get_backends (plan), cancellable));
  return dyno_json_text_write (node, FALSE);
}

static void
prepare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  Preparation *preparation = g_new0 (Preparation, 1);
  GError *error = NULL;
  g_autoptr (DynoMachine) machine = NULL;

  preparation->cases = dyno_plan_expand_for_run (self->plan, &error);
  machine = preparation->cases != NULL ? dyno_machine_snapshot (&error) : NULL;
  if (machine != NULL)
    {
      preparation->machine = dup_machine_with_engines (self->plan, machine, cancellable);
      if (dyno_plan_get_turns (self->plan))
        preparation->groups = dyno_side_group_list (preparation->cases, machine);
    }
  if (error == NULL)
    g_task_return_pointer (task, preparation, preparation_free);
  else
    {
      preparation_free (preparation);
      g_task_return_error (task, error);
    }
}

/* Returns whether both are the same machine with the same engines, whatever state it was in. */
static gboolean
is_same_machine (const char *then, const char *now)
{
  static const char *const passing[] = { "clock", "state" };
  g_autoptr (JsonObject) before = dyno_json_try_object (then, -1);
  g_autoptr (JsonObject) after = dyno_json_try_object (now, -1);

  for (guint i = 0; before != NULL && after != NULL && i < G_N_ELEMENTS (passing); i++)
    {
      json_object_remove_member (before, passing[i]);
      json_object_remove_member (after, passing[i]);
    }
  return before != NULL && after != NULL && json_object_equal (before, after);
}

/* An analysis is valid only beside numbers of the same machine, engines and version of Dyno. */
static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autofree char *now = machine != NULL ? dup_machine_with_engines (self->plan, machine, cancellable) : NULL;

  if (now == NULL)
    g_task_return_error (task, error);
  else if (g_cancellable_is_cancelled (cancellable) || /* nothing will be analysed */
           (g_strcmp0 (dyno_run_get_app_version (self->earlier), PACKAGE_VERSION) == 0 &&
            is_same_machine (dyno_run_get_machine (self->earlier), now)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (
        task, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
        _ ("This machine, its engines or Dyno are not those that measured the run, so its "
           "cases cannot be analysed here. Measure them again."));
}

/* A Fisher–Yates shuffle from the plan's seed, so that the order is reproducible. */
static void
shuffle (GPtrArray *results, guint64 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)(seed ^ (seed >> 32)));

  for (guint i = results->len; i > 1; i--)
    {
      guint j = (guint)g_rand_int_range (rand, 0, (gint32)i);
      gpointer swapped = results->pdata[i - 1];

      results->pdata[i - 1] = results->pdata[j];
      results->pdata[j] = swapped;
    }
}

/* Returns the group of the case; NULL if it is in none. */
static const DynoSideGroup *
find_group (DynoRunner *self, DynoResult *result)
{
  for (guint i = 0; self->groups != NULL && i < self->groups->len; i++)
    {
      const DynoSideGroup *group = self->groups->pdata[i];

      if (g_ptr_array_find (group->cases, dyno_result_get_case (result), NULL))
        return group;
    }
  return NULL;
}

static gboolean
takes_turns (DynoRunner *self, DynoResult *result)
{
  const DynoSideGroup *group = find_group (self, result);

  return group != NULL && group->obstacle == NULL;
}

static gboolean
take_turns_together (DynoRunner *self, DynoResult *a, DynoResult *b)
{
  return takes_turns (self, a) && find_group (self, a) == find_group (self, b);
}

/* The work of a step under load is that of all clients, and a server is no engine of ours, so these are analysed by the
 * process that has them. Nobody waits for the numbers of others where a run is one process. */
static gboolean
is_analysed_apart (DynoRunner *self, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  gboolean is_alone = g_list_model_get_n_items (dyno_run_get_results (self->run)) == 1 &&
                      dyno_method_get_invocations (dyno_case_get_method (kase)) == 1;
  DynoLoad load;

  return !self->is_self_test && !is_alone && dyno_load_parse (dyno_case_get_load (kase), &load, NULL) &&
         load.shape == DYNO_LOAD_SINGLE && dyno_model_get_served_name (dyno_case_get_model (kase)) == NULL;
}

static void
add_analyses (DynoRunner *self, GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    {
      Turn turn = { results->pdata[i], DYNO_CASE_ANALYSIS };

      if (is_analysed_apart (self, turn.result))
        g_array_append_val (self->turns, turn);
    }
}

static gboolean
add_block (DynoRunner *self, GPtrArray *results, guint number)
{
  guint n_before = self->turns->len;

  /* Moves cases that take turns to the place of the first of them. */
  for (guint i = 0; self->groups != NULL && i < results->len; i++)
    for (guint k = i + 1, place = i + 1; k < results->len; k++)
      if (take_turns_together (self, results->pdata[i], results->pdata[k]))
        g_ptr_array_insert (results, (int)place++, g_ptr_array_steal_index (results, k));

  for (guint i = 0; i < results->len; i++)
    {
      Turn turn = { results->pdata[i], number };
      DynoMethod *method = dyno_case_get_method (dyno_result_get_case (turn.result));

      if (number < dyno_method_get_invocations (method))
        g_array_append_val (self->turns, turn);
    }
  return self->turns->len > n_before;
}

/* Block 0 keeps the run's order; later blocks are reshuffled so that background noise hits all cases alike. Analyses
 * keep the order of the plan, where small batches mostly come first: their activations are checked soonest. */
static void
add_blocks (DynoRunner *self, GPtrArray *order, GPtrArray *as_planned, guint64 seed)
{
  for (guint number = 0; add_block (self, order, number); number++)
    {
      /* A race must learn soon which settings give wrong outputs. */
      if (number == 0 && self->budget_seconds > 0)
        add_analyses (self, as_planned);
      if (dyno_plan_get_shuffle (self->plan))
        shuffle (order, seed + number + 1);
    }
  if (self->budget_seconds == 0)
    add_analyses (self, as_planned);
}

/* Returns how urgent each result is. Sides that take turns are as urgent as the most urgent of them. */
static GHashTable *
rank_cases (DynoRunner *self, GPtrArray *results)
{
  GHashTable *ranks = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < results->len; i++)
    {
      DynoCase *kase = dyno_result_get_case (results->pdata[i]);

      g_hash_table_insert (ranks, results->pdata[i], GUINT_TO_POINTER (dyno_plan_rank (self->plan, kase, i)));
    }
  for (guint i = 0; self->groups != NULL && i < results->len; i++)
    for (guint k = 0; k < results->len; k++)
      if (take_turns_together (self, results->pdata[i], results->pdata[k]))
        g_hash_table_insert (ranks, results->pdata[i],
                             MIN (g_hash_table_lookup (ranks, results->pdata[i]),
                                  g_hash_table_lookup (ranks, results->pdata[k])));
  return ranks;
}

static GPtrArray *
pick_rank (GPtrArray *results, GHashTable *ranks, guint rank)
{
  GPtrArray *picked = g_ptr_array_new ();

  for (guint i = 0; i < results->len; i++)
    if (GPOINTER_TO_UINT (g_hash_table_lookup (ranks, results->pdata[i])) == rank)
      g_ptr_array_add (picked, results->pdata[i]);
  return picked;
}

/* Microseconds since boot, including sleep. */
static gint64
read_boot_time (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_BOOTTIME, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
create_run (DynoRunner *self, Preparation *preparation)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *plan = dyno_plan_to_json (self->plan);
  g_autofree char *title = dyno_plan_dup_run_title (self->plan);

  self->created = read_boot_time ();
  self->groups = g_steal_pointer (&preparation->groups);
  self->run = dyno_run_new (NULL);
  g_object_set (self->run, "title", title, "plan", plan, "machine", preparation->machine, "source",
                self->is_self_test ? DYNO_SELF_TEST_SOURCE : "dyno", "app-version", PACKAGE_VERSION,
                "started-at", g_get_real_time (), "n-cases", preparation->cases->len, NULL);
  for (guint i = 0; i < preparation->cases->len; i++)
    g_ptr_array_add (results, dyno_result_new (g_ptr_array_index (preparation->cases, i), i));

  g_autoptr (GPtrArray) order = g_ptr_array_copy (results, NULL, NULL);
  guint64 seed = dyno_plan_get_seed (self->plan);

  g_ptr_array_set_free_func (order, NULL);
  /* A budget may end early, so the first cases of the plan come first. */
  if (dyno_plan_get_shuffle (self->plan) && self->budget_seconds == 0)
    shuffle (order, seed);
  /* The most urgent cases are measured whole before the others. */
  g_autoptr (GHashTable) ranks = rank_cases (self, results);
  guint n_ranks = g_strv_length ((char **)dyno_plan_get_first (self->plan)) + 1;

  for (guint rank = 0; rank < n_ranks; rank++)
    {
      g_autoptr (GPtrArray) together = pick_rank (order, ranks, rank);
      g_autoptr (GPtrArray) as_planned = pick_rank (results, ranks, rank);

      for (guint i = 0; i < together->len; i++)
        dyno_run_add_result (self->run, g_ptr_array_index (together, i));
      add_blocks (self, together, as_planned, seed);
    }

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
}

/* The sink may wait for a disk or for another process, so it is never called on the main thread. */
static void
tell_sink (GTask *task, GTaskThreadFunc func, GAsyncReadyCallback callback)
{
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GTask) telling = dyno_owned_task_new (self, NULL, callback, g_object_ref (task));

  g_task_set_source_tag (telling, tell_sink);
  if (self->sink != NULL)
    g_task_run_in_thread (telling, func);
  else
    g_task_return_boolean (telling, TRUE);
}

static void
warn_of_sink (DynoRunner *self, const GError *error)
{
  take_warning (self, g_strdup_printf (_ ("The results could not be stored yet: %s"), error->message));
}

static void
check_sink (DynoRunner *self, GAsyncResult *async_result)
{
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (async_result), &error))
    warn_of_sink (self, error);
}

static gboolean
store_run (DynoRunner *self, GError **error)
{
  self->begun = self->begun || dyno_result_sink_begin_run (self->sink, self->run, error);
  return self->begun;
}

static gboolean
store_result (DynoRunner *self, DynoResult *result, GError **error)
{
  return store_run (self, error) && dyno_result_sink_add_result (self->sink, self->run, result, error);
}

static void
end_run_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;

  /* By the end the disk may have room again, and another process may have released the store. */
  while (self->unstored->len > 0 && store_result (self, g_ptr_array_index (self->unstored, 0), &error))
    g_ptr_array_remove_index (self->unstored, 0);
  if (error == NULL && store_run (self, &error) && dyno_result_sink_end_run (self->sink, self->run, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
ended_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (async_result), &error))
    take_warning (self, g_strdup_printf (
                            _ ("The results could not be stored: %s Save them as a document to keep them."),
                            error->message));
  else if (self->warning != NULL)
    take_warning (self, NULL);
  g_task_return_pointer (task, g_object_ref (self->run), g_object_unref);
}

static void
end_run (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);

  /* The calendar clock may have been set meanwhile. A run that was killed ends with the rest of its analyses. */
  if (self->earlier == NULL)
    g_object_set (self->run, "finished-at",
                  dyno_run_get_started_at (self->run) + read_boot_time () - self->created, NULL);
  else if (dyno_run_get_finished_at (self->run) == 0)
    g_object_set (self->run, "finished-at", MAX (g_get_real_time (), dyno_run_get_started_at (self->run)),
                  NULL);
  notify_progress (self);
  tell_sink (task, end_run_in_thread, ended_cb);
}

static void
store_at_end (DynoRunner *self, DynoResult *result)
{
  if (!g_ptr_array_find (self->unstored, result, NULL))
    g_ptr_array_add (self->unstored, g_object_ref (result));
}

static void
add_result_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;

  if (store_result (self, self->current, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  store_at_end (self, self->current);
  g_task_return_error (task, error);
}

static void
set_current (DynoRunner *self, DynoResult *result, guint invocation)
{
  self->invocation = invocation;
  if (g_set_object (&self->current, result))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CURRENT]);
}

static const Turn *
get_turn (DynoRunner *self, guint index)
{
  return &g_array_index (self->turns, Turn, index);
}

static gboolean
analyses_too (DynoRunner *self, const Turn *turn)
{
  return turn->invocation == 0 && !is_analysed_apart (self, turn->result);
}

static double
get_expected (DynoRunner *self, const Turn *turn)
{
  DynoCase *kase = dyno_result_get_case (turn->result);

  return dyno_case_get_expected_seconds (kase) *
         dyno_case_estimate_share (kase, turn->invocation, analyses_too (self, turn));
}

static double
get_expected_of_current (DynoRunner *self)
{
  const Turn turn = { self->current, self->invocation };

  return get_expected (self, &turn);
}

/* Returns the expected seconds of the turns from @start to before @end. */
static double
sum_expected (DynoRunner *self, guint start, guint end)
{
  double seconds = 0;

  for (guint i = start; i < MIN (end, self->turns->len); i++)
    seconds += get_expected (self, get_turn (self, i));
  return seconds;
}

/* Returns the expected seconds of all turns that are under way. */
static double
get_expected_of_started (DynoRunner *self)
{
  return sum_expected (self, self->n_over, self->next);
}

/* Returns the number of turns until the end of the current block. */
static guint
count_waiting (DynoRunner *self)
{
  guint end = self->n_over;

  while (end < self->turns->len && get_turn (self, end)->invocation == self->invocation)
    end++;
  return end - self->n_over;
}

/* Returns how the time for first numbers is shared out now. The first case to ask for it begins this time. */
static DynoTimeShare
get_share (DynoRunner *self)
{
  double elapsed = dyno_runner_get_seconds_elapsed (self);
  DynoTimeShare share;

  if (self->share.n_all == 0)
    {
      double seconds_left = self->budget_seconds - elapsed;

      self->share.n_all = count_waiting (self);
      self->share.all_seconds = SHARE_OF_BLOCK * seconds_left;
      self->share.seconds = elapsed + SHARE_OF_BLOCK * seconds_left;
      self->share.first_seconds = elapsed + DYNO_TIME_SHARE_OF_FIRST * seconds_left;
      self->share.needed_seconds = elapsed + DYNO_TIME_SHARE_OF_SECOND * seconds_left;
    }
  share = self->share;
  share.seconds -= elapsed;
  share.first_seconds -= elapsed;
  share.needed_seconds -= elapsed;
  share.n_waiting = count_waiting (self);
  return share;
}

/* Returns how long the current case may take; 0 if there is no time for it. Cases without a first number share half of the
 * budget, and analyses half of its rest; a single case gets all of it. */
static double
get_deadline (DynoRunner *self)
{
  double seconds_left = self->budget_seconds - dyno_runner_get_seconds_elapsed (self);
  DynoTimeShare share;

  if (self->budget_seconds == 0 || g_list_model_get_n_items (dyno_run_get_results (self->run)) == 1)
    return self->deadline_seconds;
  if (self->invocation == DYNO_CASE_ANALYSIS)
    return MIN (self->deadline_seconds, SHARE_OF_BLOCK * seconds_left / count_waiting (self));
  if (self->invocation > 0)
    return self->deadline_seconds;
  share = get_share (self);
  return MIN (self->deadline_seconds, dyno_time_share_get (&share));
}

static gboolean
has_more_turns (DynoRunner *self, DynoResult *result)
{
  for (guint i = self->next; i < self->turns->len; i++)
    if (get_turn (self, i)->result == result)
      return TRUE;
  return FALSE;
}

/* A case that was measured is analysed nevertheless, if there is the time. */
static void
drop_turns (DynoRunner *self, DynoResult *result)
{
  gboolean is_analysed = dyno_result_get_status (result) == DYNO_STATUS_OK && self->budget_seconds == 0;

  for (guint i = self->turns->len; i > self->next; i--)
    if (get_turn (self, i - 1)->result == result &&
        (!is_analysed || get_turn (self, i - 1)->invocation != DYNO_CASE_ANALYSIS))
      g_array_remove_index (self->turns, i - 1);
}

static gboolean
is_learned (DynoRunner *self, DynoResult *result)
{
  return g_hash_table_contains (self->learned, dyno_result_get_case (result));
}

static double
get_elapsed (DynoRunner *self)
{
  return (double)(g_get_monotonic_time () - self->case_began) / 1e6;
}

static void
add_to_pace (Pace *pace, double taken, double expected)
{
  pace->taken += taken;
  pace->expected += expected;
}

/* Moves on to the next turn. */
static void
leave_case (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);

  self->n_over++;
  if (self->sides->len > 0)
    {
      next_side (task);
      return;
    }
  set_phase (self, "");
  set_current (self, NULL, 0);
  notify_progress (self);
  next_case (task);
}

static void
added_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);

  check_sink (self, async_result);

  /* Skipped cases say nothing about the pace of the others. Times remembered from earlier runs are already
   * exact. */
  g_autofree char *device = dyno_case_dup_place (dyno_result_get_case (self->current));
  Pace *pace = g_hash_table_lookup (self->paces, device);
  double taken = get_elapsed (self) / self->n_started;

  if (dyno_result_get_status (self->current) != DYNO_STATUS_SKIPPED && !is_learned (self, self->current))
    {
      if (pace == NULL)
        {
          pace = g_new0 (Pace, 1);
          g_hash_table_insert (self->paces, g_steal_pointer (&device), pace);
        }
      add_to_pace (pace, taken, get_expected_of_current (self));
      add_to_pace (&self->pace, taken, get_expected_of_current (self));
    }

  leave_case (task);
}

/* A failed or skipped case gets no further turns; a measured one keeps its values. */
static void
finish_case (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);

  if (dyno_result_get_status (self->current) != DYNO_STATUS_OK)
    drop_turns (self, self->current);
  if (!has_more_turns (self, self->current))
    dyno_result_judge_invocations (self->current, TRUE);
  if (dyno_result_get_status (self->current) == DYNO_STATUS_OK)
    dyno_roofline_complete (self->current, dyno_run_get_machine (self->run), self->ceilings);
  tell_sink (task, add_result_in_thread, added_cb);
}

/* If the engine is to blame, another one may work; but asking the others takes time, and one that takes no turns replaces
 * no side of a comparison. */
static gboolean
may_advise (DynoRunner *self)
{
  return self->budget_seconds == 0 && !dyno_plan_get_turns (self->plan);
}

/* Lists the cases of the run, so that advice leaves out their engines. Cases do not change once there is a run, so threads may
 * read them. */
static GPtrArray *
list_tried (DynoRunner *self)
{
  GListModel *results = dyno_run_get_results (self->run);
  GPtrArray *tried = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tried_case_free);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoCase *kase = dyno_result_get_case (result);

      g_ptr_array_add (tried, dyno_tried_case_new (kase, g_ptr_array_find (self->unread, kase, NULL)));
    }
  return tried;
}

/* The other places where a case can run that its engine refused; found in a thread. */
typedef struct
{
  DynoCase *kase;
  GPtrArray *failed;
  DynoStatus status;
  char *reason;
} Advice;

static void
advice_free (Advice *advice)
{
  g_object_unref (advice->kase);
  g_ptr_array_unref (advice->failed);
  g_free (advice->reason);
  g_free (advice);
}

static void
advise_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Advice *advice = data;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);

  g_task_return_pointer (
      task, machine != NULL ? dyno_case_recommend (advice->kase, machine, advice->failed) : NULL, g_free);
}

static void
advised_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  const Advice *advice = g_task_get_task_data (G_TASK (async_result));
  g_autofree char *recommendation = g_task_propagate_pointer (G_TASK (async_result), NULL);
  g_autofree char *reason = recommendation != NULL ? g_strdup_printf ("%s %s", advice->reason, recommendation)
                                                   : g_strdup (advice->reason);

  dyno_result_set_status (self->current, advice->status, reason);
  finish_case (task);
}

/* An unsupported operator counts as “unsupported”, not as a failure: skip the case as the pre-check would
 * have. A case that ran on another device than requested did start, so it has failed. */
static DynoStatus
get_status (const GError *error)
{
  return g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED) ||
                 g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE)
             ? DYNO_STATUS_SKIPPED
             : DYNO_STATUS_FAILED;
}

static void
advise (DynoRunner *self, GTask *task, const GError *error)
{
  g_autoptr (GTask) advising = dyno_owned_task_new (self, NULL, advised_cb, g_object_ref (task));
  Advice *advice = g_new0 (Advice, 1);

  advice->kase = g_object_ref (dyno_result_get_case (self->current));
  advice->failed = list_tried (self);
  advice->status = get_status (error);
  advice->reason = g_strdup (error->message);
  g_task_set_source_tag (advising, advise);
  g_task_set_task_data (advising, advice, (GDestroyNotify)advice_free);
  g_task_run_in_thread (advising, advise_in_thread);
}

/* A case that was dropped before the end of the run is complete: its method now requests only the invocations
 * that it has. It is stored that way at the end. */
static void
close_case (DynoRunner *self, DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  guint n = dyno_result_get_invocations (result)->len;
  g_autoptr (DynoMethod) method = NULL;

  if (dyno_result_get_status (result) != DYNO_STATUS_OK || n == 0)
    return;
  method = dyno_method_change_invocations (dyno_case_get_method (kase), n);
  g_object_set (kase, "method", method, NULL);
  dyno_result_judge_invocations (result, TRUE);
  store_at_end (self, result);
}

/* Ends a case without a number because it was skipped, or the run stopped or out of time, before or while it ran. */
static void
give_up_case (DynoRunner *self, GTask *task, gboolean has_begun)
{
  gboolean is_stopped = g_cancellable_is_cancelled (g_task_get_cancellable (task));

  if (self->skipping)
    dyno_result_set_status (self->current, DYNO_STATUS_SKIPPED,
                            has_begun ? _ ("The case was skipped while it ran.")
                                      : _ ("The case was skipped before it ran."));
  else if (is_stopped)
    dyno_result_set_status (self->current, DYNO_STATUS_CANCELLED,
                            has_begun ? _ ("The run was stopped during this case.")
                                      : _ ("The run was stopped before this case."));
  else
    dyno_result_set_status (self->current, DYNO_STATUS_CANCELLED,
                            has_begun ? _ ("The time ran out during this case.")
                                      : _ ("The time ran out before this case."));
  finish_case (task);
}

static gboolean
is_given_up (DynoRunner *self, GTask *task)
{
  return self->skipping || self->is_out_of_time || g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

/* After an invocation that hung or ran out of memory no others follow (@is_last), because they might as well. */
static void
fail_invocation (DynoRunner *self, GTask *task, const char *reason, gboolean is_last)
{
  g_autoptr (DynoResult) joined = NULL;

  if (is_given_up (self, task))
    {
      /* The results of earlier invocations are kept. */
      drop_turns (self, self->current);
      if (self->is_out_of_time)
        close_case (self, self->current);
      else
        dyno_result_judge_invocations (self->current, TRUE);
      leave_case (task);
      return;
    }
  if (is_last)
    drop_turns (self, self->current);
  joined = dyno_result_join_failure (self->current, self->invocation, reason);
  dyno_result_become (self->current, joined);
  finish_case (task);
}

/* Sorts and resamples thousands of samples. */
static void
join_in_thread (GTask *task, gpointer source, gpointer part, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);

  g_task_return_pointer (task,
                         self->invocation == DYNO_CASE_ANALYSIS
                             ? dyno_result_join_analysis (self->current, part)
                             : dyno_result_join (self->current, self->invocation, part),
                         g_object_unref);
}

static void
joined_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  g_autoptr (DynoResult) joined = g_task_propagate_pointer (G_TASK (async_result), NULL);

  dyno_result_become (self->current, joined);
  if (self->known_activations != NULL)
    dyno_known_activations_add (self->known_activations, self->current);
  finish_case (task);
}

static void
join (DynoRunner *self, GTask *task, DynoResult *part)
{
  g_autoptr (GTask) joining = dyno_owned_task_new (self, NULL, joined_cb, g_object_ref (task));

  g_task_set_source_tag (joining, join);
  g_task_set_task_data (joining, g_object_ref (part), g_object_unref);
  g_task_run_in_thread (joining, join_in_thread);
}

static void
cancel_case_cb (GCancellable *cancellable, gpointer case_cancellable)
{
  g_cancellable_cancel (case_cancellable);
}

static gboolean
out_of_time_cb (gpointer data)
{
  DynoRunner *self = data;

  self->budget_source = 0;
  self->is_out_of_time = TRUE;
  g_cancellable_cancel (self->case_cancellable);
  return G_SOURCE_REMOVE;
}

/* From here on the case can be skipped; it is cancelled when the run is stopped or out of time. */
static void
arm_case (DynoRunner *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  double seconds_left = self->budget_seconds - dyno_runner_get_seconds_elapsed (self);

  if (self->case_cancellable != NULL)
    return;
  if (self->budget_seconds > 0)
    self->budget_source = g_timeout_add ((guint)(1000 * MAX (seconds_left, 0)), out_of_time_cb, self);
  self->case_cancellable = g_cancellable_new ();
  if (cancellable != NULL)
    self->cancel_id =
        g_cancellable_connect (cancellable, G_CALLBACK (cancel_case_cb), self->case_cancellable, NULL);
}

static void
disarm_case (DynoRunner *self, GTask *task)
{
  g_cancellable_disconnect (g_task_get_cancellable (task), self->cancel_id);
  self->cancel_id = 0;
  g_clear_handle_id (&self->budget_source, g_source_remove);
  g_clear_object (&self->case_cancellable);
}

static gboolean
is_on_same_device (DynoResult *result, DynoResult *other)
{
  g_autofree char *device = dyno_case_dup_place (dyno_result_get_case (result));
  g_autofree char *other_device = dyno_case_dup_place (dyno_result_get_case (other));

  return g_str_equal (device, other_device);
}

/* Skips the case that took longer than its share of the budget, and those that wait for the same device. */
static void
skip_late (DynoRunner *self, const GError *error)
{
  GListModel *results = dyno_run_get_results (self->run);
  g_autofree char *reason =
      /* Translators: %s is a sentence that says how long it took, or that it made no progress */
      g_strdup_printf (_ ("It was not measured within its share of the time. %s"), error->message);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (result != self->current && (dyno_result_get_status (result) != DYNO_STATUS_PENDING ||
                                      !is_on_same_device (result, self->current)))
        continue;
      dyno_result_set_status (result, DYNO_STATUS_SKIPPED,
                              result == self->current
                                  ? reason
                                  : _ ("It had no turn, because another case was too slow on its device."));
      drop_turns (self, result);
      if (result != self->current)
        store_at_end (self, result);
    }
}

static void
fail_case (DynoRunner *self, GTask *task, const GError *error)
{
  if (self->budget_seconds > 0 && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT))
    {
      skip_late (self, error);
      finish_case (task);
      return;
    }
  if (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_UNREADABLE))
    g_ptr_array_add (self->unread, g_object_ref (dyno_result_get_case (self->current)));
  if (may_advise (self) && (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK) ||
                            get_status (error) == DYNO_STATUS_SKIPPED))
    {
      advise (self, task, error);
      return;
    }
  dyno_result_set_status (self->current, get_status (error), error->message);
  finish_case (task);
}

static void
take_outcome (DynoRunner *self, GTask *task, DynoResult *part, const GError *error)
{
  gboolean is_late = self->budget_seconds > 0 && takes_turns (self, self->current) &&
                     g_error_matches (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);
  gboolean is_about_size = g_error_matches (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY) ||
                           g_error_matches (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT);

  if (part != NULL && self->invocation == 0)
    dyno_time_share_add (&self->share, get_elapsed (self) / self->n_started);
  if (part != NULL)
    {
      DynoCase *measured = dyno_result_get_case (part);

      /* A worker changes sizes that Dyno chose if the model does not run at them. No thread reads the case now. */
      g_object_set (dyno_result_get_case (self->current), "dimensions", dyno_case_get_dimensions (measured),
                    NULL);
      for (guint i = 0; i < self->findings->len; i++)
        dyno_result_take_diagnostic (part, dyno_diagnostic_ref (g_ptr_array_index (self->findings, i)));
      if (self->predicted != NULL)
        dyno_result_take_value (part, dyno_value_ref (self->predicted));
      join (self, task, part);
    }
  else if (self->invocation > 0 && (error == NULL || is_late) && !is_given_up (self, task))
    leave_case (task); /* it keeps what it has */
  else if (self->invocation > 0)
    fail_invocation (self, task, error != NULL ? error->message : "", is_about_size);
  else if (error == NULL || is_given_up (self, task))
    give_up_case (self, task, error != NULL);
  else
    fail_case (self, task, error);
}

static void
measured_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result =
      dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), async_result, &error);

  disarm_case (self, task);
  /* Its remaining messages belong to no case. */
  g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  take_outcome (self, task, result, error);
  self->skipping = FALSE;
}

/* Memory is read here, with the worker's clock, which the latencies use too. */
static void
add_live (DynoRunner *self, DynoWorkerClient *client, gint64 time, GVariant *latencies)
{
  gint64 resident = dyno_worker_client_read_resident (client);
  GVariant *usage = dyno_worker_client_get_usage (client);
  GVariantIter iter;
  const char *name;
  gint64 start;
  double latency, percent;

  g_variant_iter_init (&iter, latencies);
  while (g_variant_iter_next (&iter, "(xd)", &start, &latency))
    dyno_trace_add (self->live_latency, start, latency);
  if (resident >= 0 && time >= 0)
    dyno_trace_add (self->live_memory, time, (double)resident / 1e6);
  if (usage != NULL)
    g_variant_iter_init (&iter, usage);
  while (usage != NULL && g_variant_iter_next (&iter, "(&sd)", &name, &percent))
    {
      DynoTrace *trace = NULL;

      for (guint i = 0; i < self->live_usage->len && trace == NULL; i++)
        if (g_str_equal (dyno_trace_get_name (self->live_usage->pdata[i]), name))
          trace = self->live_usage->pdata[i];
      if (trace == NULL)
        {
          trace = dyno_trace_new (name, "%", 0);
          g_ptr_array_add (self->live_usage, trace);
        }
      dyno_trace_add (trace, time, percent);
    }
}

static void
beat_cb (DynoRunner *self, const char *phase, gint64 time, guint n_samples, GVariant *latencies)
{
  add_live (self, self->client, time, latencies);
  set_phase (self, phase);
  self->n_samples = n_samples;

  DynoCase *kase = dyno_result_get_case (self->current);
  double seconds = (double)(g_get_monotonic_time () - self->phase_began) / 1e6;
  const Turn turn = { self->current, self->invocation };
  double fraction = dyno_case_estimate_fraction (kase, self->invocation, analyses_too (self, &turn),
                                                 self->phase, seconds, self->n_samples);

  self->case_fraction = MAX (self->case_fraction, MIN (fraction, LONGEST_FRACTION));

  notify_progress (self);
  g_signal_emit (self, signals[LIVE], 0);
}

static void
create_client (DynoRunner *self, double seconds)
{
  self->client = dyno_worker_client_new ();
  dyno_worker_client_set_limits (self->client, self->stall_seconds, seconds);
  g_signal_connect_object (self->client, "beat", G_CALLBACK (beat_cb), self, G_CONNECT_SWAPPED);
}

static void
measure_alone (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);
  double seconds = get_deadline (self);

  if (seconds <= 0)
    {
      disarm_case (self, task);
      take_outcome (self, task, NULL, NULL);
      self->skipping = FALSE;
      return;
    }
  create_client (self, seconds);
  dyno_worker_client_measure_async (self->client, dyno_result_get_case (self->current), self->invocation,
                                    !is_analysed_apart (self, self->current), self->case_cancellable,
                                    measured_cb, g_object_ref (task));
}

/* Analysis: of each case, in a process of its own, after all cases are measured */

/* With random inputs, the activations of a model are alike whatever the batch size. Returns a case that is analysed and
 * differs from the current one in the batch size alone; NULL if there is none. */
static DynoResult *
find_same_activations (DynoRunner *self)
{
  if (self->known_activations == NULL)
    self->known_activations = dyno_known_activations_new (dyno_run_get_results (self->run));
  return dyno_known_activations_find (self->known_activations, self->current);
}

static void
clear_live (DynoRunner *self)
{
  g_clear_object (&self->live_latency);
  g_clear_object (&self->live_memory);
  self->live_latency = dyno_trace_new ("latency", "ms", 0);
  self->live_memory = dyno_trace_new ("memory_rss", "MB", 0);
  g_ptr_array_set_size (self->live_usage, 0);
}

static void
add_no_analysis (DynoResult *result, DynoSeverity severity, const char *reason)
{
  g_autofree char *message = g_strdup_printf (_ ("The operators could not be analysed: %s"), reason);

  dyno_result_take_diagnostic (result, dyno_diagnostic_new (severity, "no-analysis", message));
}

static void
analysed_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) analysis =
      dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), async_result, &error);
  g_autoptr (DynoResult) none =
      dyno_result_new (dyno_result_get_case (self->current), dyno_result_get_ordinal (self->current));
  gboolean is_given_up_now = is_given_up (self, task);

  disarm_case (self, task);
  g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  self->skipping = FALSE;

  if (analysis != NULL)
    {
      DynoResult *same = find_same_activations (self);

      if (same != NULL)
        dyno_known_activations_copy (same, analysis);
      join (self, task, analysis);
    }
  else if (is_given_up_now ||
           (self->budget_seconds > 0 && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_TIMED_OUT)))
    leave_case (task);
  else if (g_error_matches (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT) ||
           g_error_matches (error, DYNO_ERROR, DYNO_ERROR_FELL_BACK))
    {
      /* Numbers that follow from wrong answers, or from another device, are not those of the case. */
      dyno_result_become (self->current, none);
      fail_case (self, task, error);
    }
  else
    {
      add_no_analysis (none, DYNO_SEVERITY_WARNING, error->message);
      join (self, task, none);
    }
}

static void
analyse_current (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (DynoResult) first = dyno_result_dup_first (self->current);
  double seconds = get_deadline (self);

  if (self->budget_seconds > 0 && seconds < LEAST_ANALYSIS_SECONDS)
    {
      leave_case (task);
      return;
    }
  arm_case (self, task);
  clear_live (self);
  set_phase (self, dyno_phase_to_string (DYNO_PHASE_ANALYSE));
  create_client (self, seconds);
  dyno_worker_client_analyse_async (self->client, first, find_same_activations (self) == NULL,
                                    self->case_cancellable, analysed_cb, g_object_ref (task));
}

/* Sides: cases that take turns */

/* Makes the side the current case again, with what its check found. */
static void
take_side (DynoRunner *self, Side *side)
{
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->predicted, dyno_value_unref);
  self->findings = g_ptr_array_ref (side->findings);
  self->predicted = g_steal_pointer (&side->predicted);
  set_current (self, side->result, self->invocation);
}

/* Each outcome goes the way of that of a case that was measured alone. */
static void
take_side_outcome (DynoRunner *self, GTask *task)
{
  Side *side = g_ptr_array_steal_index (self->sides, 0);

  take_side (self, side);
  take_outcome (self, task, side->part, side->error);
  if (self->sides->len == 0)
    self->skipping = FALSE;
  side_free (side);
}

static void
block_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = g_task_get_source_object (task);
  guint n_parts = 0;

  dyno_turn_block_run_finish (self->block, async_result);
  disarm_case (self, task);
  g_signal_handlers_disconnect_by_data (self->block, self);
  for (guint i = 0; i < self->sides->len; i++)
    {
      Side *side = self->sides->pdata[i];

      side->part = dyno_turn_block_steal_result (self->block, i, &side->error);
      n_parts += side->part != NULL;
    }
  self->is_time_short = self->budget_seconds > 0 && self->invocation > 0 && n_parts < 2;
  g_clear_object (&self->block);
  self->are_sides_measured = TRUE;
  take_side_outcome (self, task);
}

/* The live picture is that of the current case, which is the first side. */
static void
block_beat_cb (DynoRunner *self,
               guint index,
               DynoWorkerClient *client,
               const char *phase,
               gint64 time,
               guint n_samples,
               GVariant *latencies)
{
  if (index == 0)
    add_live (self, client, time, latencies);
  set_phase (self, phase);
  self->case_fraction = MIN (dyno_turn_block_get_fraction (self->block), LONGEST_FRACTION);
  notify_progress (self);
  g_signal_emit (self, signals[LIVE], 0);
}

static gboolean
has_more_sides (DynoRunner *self)
{
  const Turn *next = self->next < self->turns->len ? get_turn (self, self->next) : NULL;
  DynoResult *result = ((Side *)self->sides->pdata[0])->result;

  return next != NULL && next->invocation == self->invocation &&
         take_turns_together (self, result, next->result);
}

static guint
find_preference (DynoRunner *self, DynoResult *result)
{
  guint place = G_MAXUINT;

  if (self->preferred != NULL)
    g_ptr_array_find (self->preferred, result, &place);
  return place;
}

static int
compare_preferences (gconstpointer a, gconstpointer b, gpointer runner)
{
  guint first = find_preference (runner, (*(Side *const *)a)->result);
  guint second = find_preference (runner, (*(Side *const *)b)->result);

  return (first > second) - (first < second);
}

/* A first block has its part of the time for first numbers to get ready, a later one half of the rest. */
static void
hurry (DynoRunner *self)
{
  double seconds_left = self->budget_seconds - dyno_runner_get_seconds_elapsed (self);
  double seconds = SHARE_OF_BLOCK * seconds_left;

  if (self->invocation == 0)
    seconds = get_share (self).seconds * self->sides->len / count_waiting (self);
  dyno_turn_block_set_seconds_left (self->block, seconds_left, seconds);
}

/* All cases of a block are checked before any is measured. */
static void
next_side (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);

  if (self->are_sides_measured)
    take_side_outcome (self, task);
  else if (has_more_sides (self))
    {
      const Turn *turn = get_turn (self, self->next++);

      self->n_started++;
      set_current (self, turn->result, turn->invocation);
      start_turn (task);
    }
  else if (self->sides->len > 1)
    {
      g_autoptr (GPtrArray) cases = g_ptr_array_new ();

      g_ptr_array_sort_with_data (self->sides, compare_preferences, self);
      for (guint i = 0; i < self->sides->len; i++)
        g_ptr_array_add (cases, dyno_result_get_case (((Side *)self->sides->pdata[i])->result));
      arm_case (self, task);
      set_current (self, ((Side *)self->sides->pdata[0])->result, self->invocation);
      self->block = dyno_turn_block_new (cases, self->invocation, !is_analysed_apart (self, self->current),
                                         dyno_plan_get_seed (self->plan) + self->invocation);
      dyno_turn_block_set_limits (self->block, self->stall_seconds, self->deadline_seconds);
      if (self->budget_seconds > 0)
        hurry (self);
      g_signal_connect_swapped (self->block, "beat", G_CALLBACK (block_beat_cb), self);
      dyno_turn_block_run_async (self->block, self->case_cancellable, block_cb, g_object_ref (task));
    }
  else
    {
      Side *side = g_ptr_array_steal_index (self->sides, 0);

      arm_case (self, task);
      take_side (self, side);
      side_free (side);
      measure_alone (task);
    }
}

static void
measure_current (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);

  if (takes_turns (self, self->current))
    {
      Side *side = g_new0 (Side, 1);

      side->result = g_object_ref (self->current);
      side->findings = g_steal_pointer (&self->findings);
      side->predicted = g_steal_pointer (&self->predicted);
      g_ptr_array_add (self->sides, side);

      next_side (task);
      return;
    }

  /* Says why the case is compared with others and yet does not take turns with them. */
  const DynoSideGroup *group = find_group (self, self->current);

  if (group != NULL && group->obstacle != NULL)
    {
      g_autofree char *message = g_strdup_printf (
          _ ("Measured one after another with the others, not in turns. %s"), group->obstacle);

      g_ptr_array_add (self->findings,
                       dyno_diagnostic_new (DYNO_SEVERITY_INFO, DYNO_SIDE_GROUP_CODE, message));
    }

  measure_alone (task);
}

/* The thread works on its own result, because the main thread owns the one in the run. */
typedef struct
{
  DynoResult *result;
  GPtrArray *failed; /* (nullable): without it, there is no time to look for alternatives */
  char *machine;
  GPtrArray *ceilings;
  gboolean is_first;   /* of the processes of the case */
  double wait_seconds; /* for an idle machine, at most */
  double waited_seconds;
} Check;

static void
check_free (Check *check)
{
  g_object_unref (check->result);
  g_clear_pointer (&check->failed, g_ptr_array_unref);
  g_clear_pointer (&check->ceilings, g_ptr_array_unref);
  g_free (check->machine);
  g_free (check);
}

/* A busy machine is called idle after so many quiet looks in a row, a tenth of a second apart. */
#define N_QUIET_LOOKS 5
#define LOOK_MS       100
#define BUSY          "machine-load"

/* Returns the findings about the machine once it is idle, or when the time for waiting is up. Later processes count the
 * load of others while they measure, so only the first one looks for it before. */
static GPtrArray *
lint_when_idle (Check *check, DynoMachine *machine, GCancellable *cancellable)
{
  GPtrArray *findings = dyno_machine_lint (machine, check->is_first || check->wait_seconds > 0);
  gint64 began = g_get_monotonic_time ();
  GPollFD cancelled;

  if (check->wait_seconds <= 0 || dyno_diagnostic_find (findings, BUSY) == NULL ||
      !g_cancellable_make_pollfd (cancellable, &cancelled))
    return findings;
  for (guint n_quiet = 0; n_quiet < N_QUIET_LOOKS && check->waited_seconds < check->wait_seconds;)
    {
      if (g_poll (&cancelled, 1, LOOK_MS) > 0)
        break;
      g_ptr_array_unref (findings);
      findings = dyno_machine_lint (machine, TRUE);
      n_quiet = dyno_diagnostic_find (findings, BUSY) != NULL ? 0 : n_quiet + 1;
      check->waited_seconds = (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC;
    }
  g_cancellable_release_fd (cancellable);
  return findings;
}

static void
check_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Check *check = data;
  GError *error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);

  if (machine == NULL)
    g_task_return_error (task, error);
  else if (check->failed != NULL ? !dyno_case_check (check->result, machine, check->failed)
                                 : !dyno_case_check_alone (check->result, machine))
    g_task_return_pointer (task, NULL, NULL);
  else
    {
      dyno_prediction_add (check->result, check->machine, check->ceilings);
      g_task_return_pointer (task, lint_when_idle (check, machine, cancellable),
                             (GDestroyNotify)g_ptr_array_unref);
    }
}

static void
note_waiting (DynoRunner *self, double seconds)
{
  g_autofree char *message = NULL;

  self->waited_seconds += seconds;
  if (seconds <= 0)
    return;
  message =
      dyno_diagnostic_find (self->findings, BUSY) != NULL
          ? g_strdup_printf (_ ("The machine did not become idle within %.0f s, so the case was measured on "
                                "the busy machine."),
                             seconds)
          : g_strdup_printf (_ ("Dyno waited %.0f s until the machine was idle."), ceil (seconds));
  g_ptr_array_add (self->findings, dyno_diagnostic_new (DYNO_SEVERITY_INFO, "waited", message));
}

static void
checked_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  const Check *check = g_task_get_task_data (G_TASK (async_result));
  g_autoptr (GError) error = NULL;
  GPtrArray *diagnostics = dyno_result_get_diagnostics (check->result);

  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->predicted, dyno_value_unref);
  self->findings = g_task_propagate_pointer (G_TASK (async_result), &error);
  if (self->findings == NULL)
    {
      disarm_case (self, task);

      /* Records the error that keeps an invocation from being measured: of the first one, and so of the case,
       * or of a later one. */
      if (error != NULL)
        dyno_result_set_status (check->result, DYNO_STATUS_FAILED, error->message);
      if (self->invocation > 0)
        fail_invocation (self, task, dyno_result_get_reason (check->result), FALSE);
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        give_up_case (self, task, FALSE);
      else
        {
          dyno_result_absorb (self->current, check->result);
          finish_case (task);
        }
      self->skipping = FALSE;
      return;
    }

  note_waiting (self, check->waited_seconds);

  DynoValue *predicted = dyno_result_get_value (check->result, DYNO_PREDICTION_VALUE);

  self->predicted = predicted != NULL ? dyno_value_ref (predicted) : NULL;
  for (guint i = 0; i < diagnostics->len; i++)
    g_ptr_array_add (self->findings, dyno_diagnostic_ref (g_ptr_array_index (diagnostics, i)));
  if (self->invocation == 0)
    dyno_result_absorb (self->current, check->result);
  measure_current (task);
}

static void
start_turn (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);
  Check *check = g_new0 (Check, 1);
  g_autoptr (GTask) checking = NULL;

  check->result = dyno_result_new (dyno_result_get_case (self->current), 0);
  check->failed = may_advise (self) ? list_tried (self) : NULL;
  check->machine = g_strdup (dyno_run_get_machine (self->run));
  check->ceilings = self->invocation == 0 && self->ceilings != NULL ? g_ptr_array_ref (self->ceilings) : NULL;
  check->is_first = self->invocation == 0;
  check->wait_seconds =
      dyno_method_get_wait_quiet (dyno_case_get_method (dyno_result_get_case (self->current))) -
      self->waited_seconds;
  dyno_result_set_status (check->result, DYNO_STATUS_RUNNING, NULL);
  if (self->invocation == 0)
    dyno_result_set_status (self->current, DYNO_STATUS_RUNNING, NULL);
  arm_case (self, task);
  clear_live (self);
  set_phase (self, check->wait_seconds > 0 ? "wait" : "prepare");
  checking = dyno_owned_task_new (self, self->case_cancellable, checked_cb, g_object_ref (task));
  g_task_set_source_tag (checking, start_turn);
  g_task_set_return_on_cancel (checking, TRUE); /* do not wait for a probe or a slow disk */
  g_task_set_task_data (checking, check, (GDestroyNotify)check_free);
  g_task_run_in_thread (checking, check_in_thread);
}

static void
cancel_rest (DynoRunner *self)
{
  for (guint i = self->next; i < self->turns->len; i++)
    {
      DynoResult *result = get_turn (self, i)->result;

      if (dyno_result_get_status (result) == DYNO_STATUS_PENDING)
        dyno_result_set_status (result, DYNO_STATUS_CANCELLED, _ ("The run was stopped before this case."));
      else if (dyno_result_get_status (result) == DYNO_STATUS_OK)
        dyno_result_judge_invocations (result, TRUE);
    }
}

static void
announce_turn (DynoRunner *self)
{
  guint invocation = self->next < self->turns->len ? get_turn (self, self->next)->invocation : 0;

  /* Under a budget the analyses come before the second block, and what is dropped then needs none. */
  if (self->next < self->turns->len && invocation != DYNO_CASE_ANALYSIS)
    g_signal_emit (self, signals[TURN], 0, invocation);
  else if (self->next < self->turns->len && self->budget_seconds > 0)
    g_signal_emit (self, signals[TURN], 0, 1);
  if (self->n_holds == 0 && self->budget_seconds > 0 &&
      (self->is_time_short || dyno_runner_get_seconds_elapsed (self) >= self->budget_seconds))
    {
      while (self->next < self->turns->len)
        {
          DynoResult *result = get_turn (self, self->next)->result;

          if (dyno_result_get_status (result) == DYNO_STATUS_PENDING)
            dyno_result_set_status (result, DYNO_STATUS_CANCELLED, _ ("The time ran out before this case."));
          dyno_runner_drop (self, result);
        }
    }
}

/* Ceilings: once per machine before the first case, and once more where cases exceed them */

static void
save_ceilings_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;

  if (dyno_result_sink_save_ceilings (self->sink, self->run, self->measured_ceilings, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The best of all measurements count. */
static void
take_ceilings (DynoRunner *self, GPtrArray *measured)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);

  if (self->ceilings != NULL)
    g_ptr_array_extend (all, self->ceilings, (GCopyFunc)(GCallback)g_object_ref, NULL);
  g_ptr_array_extend (all, measured, (GCopyFunc)(GCallback)g_object_ref, NULL);
  g_clear_pointer (&self->ceilings, g_ptr_array_unref);
  self->ceilings = dyno_ceilings_keep_best (all);
  g_clear_pointer (&self->measured_ceilings, g_ptr_array_unref);
  self->measured_ceilings = g_ptr_array_ref (measured);
}

static void
end_ceilings (DynoRunner *self, GTask *task)
{
  disarm_case (self, task);
  self->skipping = FALSE;
  self->ceilings_fraction = 1;
  self->again_left = 0;
  set_phase (self, "");
  notify_progress (self);
}

static void
roofs_saved_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;

  check_sink (DYNO_RUNNER (object), async_result);
  end_run (task);
}

static void
roofs_again_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) measured = dyno_roofs_again_measure_finish (async_result, NULL);

  end_ceilings (self, task);
  if (measured == NULL || measured->len == 0)
    {
      end_run (task);
      return;
    }
  self->are_roofs_measured_again = TRUE;
  take_ceilings (self, measured);
  dyno_roofline_complete_run (self->run, self->ceilings);
  tell_sink (task, save_ceilings_in_thread, roofs_saved_cb);
}

/* A case above its roof shows that something disturbed the roof, so it is measured again while nothing else runs. */
static void
end_cases (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);
  guint n_exceeded = self->again_seconds > 0 ? dyno_roofs_again_count (self->run) : 0;

  if (self->budget_seconds > 0)
    {
      /* A run whose budget is spent is complete, so none of its cases waits for an analysis any longer. */
      GListModel *results = dyno_run_get_results (self->run);

      for (guint i = 0; i < g_list_model_get_n_items (results); i++)
        {
          g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
          GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

          if (!dyno_result_lacks_analysis (result))
            continue;
          g_ptr_array_remove (diagnostics, dyno_diagnostic_find (diagnostics, DYNO_RESULT_NOT_ANALYSED));
          add_no_analysis (result, DYNO_SEVERITY_INFO, _ ("The time ran out before."));
          store_at_end (self, result);
        }
    }
  if (n_exceeded == 0)
    {
      end_run (task);
      return;
    }
  self->again_left = n_exceeded * self->again_seconds;
  arm_case (self, task);
  set_phase (self, "roofs-again");
  notify_progress (self);
  dyno_roofs_again_measure_async (self->run, self->again_seconds, self->case_cancellable, roofs_again_cb,
                                  g_object_ref (task));
}

static void
next_case (GTask *task)
{
  DynoRunner *self = g_task_get_source_object (task);
  const Turn *turn;

  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      cancel_rest (self);
      end_run (task);
      return;
    }
  if (self->paused && self->next < self->turns->len)
    {
      self->waiting = g_object_ref (task);
      return;
    }
  announce_turn (self);
  if (self->n_holds > 0)
    {
      self->waiting = g_object_ref (task);
      return;
    }
  if (self->next == self->turns->len)
    {
      end_cases (task);
      return;
    }
  self->case_began = g_get_monotonic_time ();
  self->case_fraction = 0;
  self->n_started = 1;
  self->are_sides_measured = FALSE;
  turn = get_turn (self, self->next++);
  set_current (self, turn->result, turn->invocation);
  if (turn->invocation == DYNO_CASE_ANALYSIS)
    analyse_current (task);
  else
    start_turn (task);
}

static void
wake (DynoRunner *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->waiting);

  if (task != NULL)
    next_case (task);
}

static void
ceilings_saved_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;

  check_sink (DYNO_RUNNER (object), async_result);
  next_case (task);
}

static void
ceilings_progress (double fraction, const char *what, gpointer data)
{
  DynoRunner *self = data;

  self->ceilings_fraction = CLAMP (fraction, 0, 1);
  notify_progress (self);
}

/* Cases are measured without ceilings too, and their results report the missing values. */
static void
ceilings_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) ceilings = dyno_ceilings_measure_finish (async_result, &error);

  end_ceilings (self, task);
  if (ceilings == NULL)
    {
      g_debug ("No ceilings: %s", error->message);
      next_case (task);
      return;
    }
  take_ceilings (self, ceilings);
  tell_sink (task, save_ceilings_in_thread, ceilings_saved_cb);
}

/* A run that can never be stored is not measured. */
static gboolean
check_run (GTask *task, GAsyncResult *async_result)
{
  DynoRunner *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (async_result), &error))
    return TRUE;
  if (!g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA))
    {
      warn_of_sink (self, error);
      return TRUE;
    }
  g_clear_object (&self->run);
  g_task_return_error (task, g_steal_pointer (&error));
  return FALSE;
}

static void
begun_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  g_autoptr (GPtrArray) known = NULL;

  if (!check_run (task, async_result))
    return;

  GListModel *results = dyno_run_get_results (self->run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoCase *kase = dyno_result_get_case (result);

      if (self->durations != NULL && dyno_case_learn_seconds (kase, self->durations))
        g_hash_table_add (self->learned, kase);
      else
        dyno_prediction_expect_seconds (kase, dyno_run_get_machine (self->run), self->ceilings);
    }
  g_clear_pointer (&self->durations, g_hash_table_unref);

  if (self->earlier == NULL)
    dyno_run_set_self_test (self->run, self->known_self_test);
  /* A sink that cannot be read returns no ceilings, because its contents are unknown. */
  known = self->ceilings != NULL ? dyno_ceilings_select (self->ceilings, "cpu", "") : NULL;
  if (self->ceilings_seconds > 0 && known != NULL && known->len == 0 &&
      !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      arm_case (self, task);
      set_phase (self, "ceilings");
      notify_progress (self);
      dyno_ceilings_measure_async (0, self->ceilings_seconds, ceilings_progress, self, self->case_cancellable,
                                   ceilings_cb, g_object_ref (task));
      return;
    }
  self->ceilings_seconds = 0;
  next_case (task);
}

static void
begin_run_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoRunner *self = dyno_owned_task_get_owner (task);
  GError *error = NULL;

  self->ceilings = dyno_result_sink_load_ceilings (self->sink, self->run);
  self->durations = dyno_result_sink_load_durations (self->sink, self->run);
  self->known_self_test = dyno_result_sink_load_self_test (self->sink, self->run);
  if (store_run (self, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
prepared_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  GError *error = NULL;
  Preparation *preparation = g_task_propagate_pointer (G_TASK (async_result), &error);

  if (preparation == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  create_run (self, preparation);
  preparation_free (preparation);
  tell_sink (task, begin_run_in_thread, begun_cb);
}

static void
compared_cb (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  DynoRunner *self = DYNO_RUNNER (object);
  GError *error = NULL;
  g_autoptr (GPtrArray) unanalysed = dyno_runner_list_unanalysed (self->earlier);

  if (!g_task_propagate_boolean (G_TASK (async_result), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->run = g_object_ref (self->earlier);
  for (guint i = 0; i < unanalysed->len; i++)
    {
      Turn turn = { unanalysed->pdata[i], DYNO_CASE_ANALYSIS };

      g_array_append_val (self->turns, turn);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUN]);
  tell_sink (task, begin_run_in_thread, begun_cb);
}

/* Cancelling must also end a pause, on the main thread and not under the cancellable's lock. */
static gboolean
wake_cb (gpointer data)
{
  wake (data);
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, wake_cb, g_object_ref (data), g_object_unref);
}

void
dyno_runner_run_async (DynoRunner *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GTask) preparing = NULL;

  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->run == NULL);

  self->began = g_get_monotonic_time ();
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, dyno_runner_run_async);
  g_task_set_check_cancellable (task, FALSE); /* a stopped run is still a result */
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (cancelled_cb), self, 0);
  preparing = dyno_owned_task_new (self, cancellable, self->earlier != NULL ? compared_cb : prepared_cb,
                                   g_object_ref (task));
  g_task_set_check_cancellable (preparing, FALSE);
  g_task_set_source_tag (preparing, prepare_in_thread);
  g_task_run_in_thread (preparing, self->earlier != NULL ? compare_in_thread : prepare_in_thread);
}

DynoRun *
dyno_runner_run_finish (DynoRunner *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

DynoRun *
dyno_runner_get_run (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->run;
}

DynoResult *
dyno_runner_get_current (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->current;
}

const char *
dyno_runner_get_phase (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->phase;
}

guint
dyno_runner_get_invocation (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), 0);
  return self->invocation;
}

gboolean
dyno_runner_is_analysing (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), FALSE);
  return self->current != NULL && self->invocation == DYNO_CASE_ANALYSIS;
}

guint
dyno_runner_count_finished (DynoRunner *self)
{
  g_autoptr (GHashTable) waiting = g_hash_table_new (NULL, NULL);

  g_return_val_if_fail (DYNO_IS_RUNNER (self), 0);

  if (self->run == NULL)
    return 0;
  for (guint i = self->n_over; i < self->turns->len; i++)
    if (get_turn (self, i)->invocation != DYNO_CASE_ANALYSIS)
      g_hash_table_add (waiting, get_turn (self, i)->result);
  return g_list_model_get_n_items (dyno_run_get_results (self->run)) - g_hash_table_size (waiting);
}

/* Returns the ratio of measured to expected time so far: of cases on the same device, else of all. The first
 * case uses 1. */
static double
get_known_pace (DynoRunner *self, DynoResult *result)
{
  g_autofree char *device = dyno_case_dup_place (dyno_result_get_case (result));
  const Pace *pace = g_hash_table_lookup (self->paces, device);

  if (is_learned (self, result))
    return 1;
  if (pace == NULL)
    pace = &self->pace;
  return pace->expected > 0 ? pace->taken / pace->expected : 1;
}

/* A case that already takes longer than expected also predicts later cases on its device, and all cases where
 * nothing else is known. */
static double
get_pace (DynoRunner *self, DynoResult *result)
{
  double known = get_known_pace (self, result);
  double current;

  if (self->current == NULL || (result != self->current && is_learned (self, result)) ||
      (g_hash_table_size (self->paces) > 0 && !is_on_same_device (result, self->current)))
    return known;
  current = get_elapsed (self) / (LONGEST_FRACTION * get_expected_of_started (self));
  return MAX (known, current);
}

/* Returns the spent fraction of the budget; 0 if there is none. */
static double
get_spent (DynoRunner *self)
{
  return self->budget_seconds > 0
             ? CLAMP (dyno_runner_get_seconds_elapsed (self) / self->budget_seconds, 0, 1)
             : 0;
}

double
dyno_runner_get_progress (DynoRunner *self)
{
  double all, over;

  g_return_val_if_fail (DYNO_IS_RUNNER (self), 0);

  all = self->run != NULL ? sum_expected (self, 0, G_MAXUINT) + self->ceilings_seconds : 0;
  if (all <= 0)
    return 0;
  over = sum_expected (self, 0, self->n_over) + self->ceilings_fraction * self->ceilings_seconds;
  if (self->current != NULL)
    over += self->case_fraction * get_expected_of_started (self);
  return MAX (over / all, get_spent (self));
}

double
dyno_runner_get_seconds_left (DynoRunner *self)
{
  double seconds;

  g_return_val_if_fail (DYNO_IS_RUNNER (self), -1);

  seconds = (1 - self->ceilings_fraction) * self->ceilings_seconds + self->again_left;
  if (self->run == NULL)
    return -1;
  /* A case that takes longer than expected has an unknown remaining time. */
  if (self->budget_seconds == 0 && self->next == self->turns->len && self->current != NULL &&
      get_elapsed (self) >=
          LONGEST_FRACTION * get_known_pace (self, self->current) * get_expected_of_started (self))
    return -1;
  for (guint i = self->n_over; i < self->turns->len; i++)
    {
      const Turn *turn = get_turn (self, i);
      double left = i < self->next ? 1 - self->case_fraction : 1;

      seconds += left * get_pace (self, turn->result) * get_expected (self, turn);
    }
  return self->budget_seconds > 0 ? MIN (seconds, (1 - get_spent (self)) * self->budget_seconds) : seconds;
}

double
dyno_runner_get_seconds_elapsed (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), 0);
  return self->began > 0 ? (double)(g_get_monotonic_time () - self->began) / 1e6 : 0;
}

DynoTrace *
dyno_runner_get_live_latency (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->live_latency;
}

DynoTrace *
dyno_runner_get_live_memory (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->live_memory;
}

GPtrArray *
dyno_runner_get_live_usage (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->live_usage;
}

const char *
dyno_runner_get_warning (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->warning;
}

const char *
dyno_runner_get_note (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), NULL);
  return self->are_roofs_measured_again
             ? _ ("Cases were above their roofs, so Dyno measured these roofs again after the last case.")
             : NULL;
}

gboolean
dyno_runner_get_paused (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), FALSE);
  return self->paused;
}

void
dyno_runner_set_paused (DynoRunner *self, gboolean paused)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));

  if (self->paused == paused)
    return;
  self->paused = paused;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAUSED]);
  if (!paused)
    wake (self);
}

void
dyno_runner_set_limits (DynoRunner *self, double stall_seconds, double deadline_seconds)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));

  self->stall_seconds = stall_seconds;
  self->deadline_seconds = deadline_seconds;
}

void
dyno_runner_set_ceilings (DynoRunner *self, double seconds)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->run == NULL);
  self->ceilings_seconds = MAX (seconds, 0);
  self->again_seconds = self->ceilings_seconds;
}

void
dyno_runner_set_self_test (DynoRunner *self, gboolean is_self_test)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->run == NULL);
  self->is_self_test = is_self_test;
}

gboolean
dyno_runner_is_self_test (DynoRunner *self)
{
  g_return_val_if_fail (DYNO_IS_RUNNER (self), FALSE);
  return self->is_self_test;
}

void
dyno_runner_set_budget (DynoRunner *self, double seconds)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->run == NULL);
  self->budget_seconds = MAX (seconds, 0);
}

void
dyno_runner_drop (DynoRunner *self, DynoResult *result)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (DYNO_IS_RESULT (result));
  g_return_if_fail (self->current == NULL);

  if (!has_more_turns (self, result))
    return;
  drop_turns (self, result);
  close_case (self, result);
}

void
dyno_runner_prefer (DynoRunner *self, GPtrArray *results)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));

  g_clear_pointer (&self->preferred, g_ptr_array_unref);
  self->preferred = g_ptr_array_copy (results, (GCopyFunc)(GCallback)g_object_ref, NULL);
  g_ptr_array_set_free_func (self->preferred, g_object_unref);
}

void
dyno_runner_hold (DynoRunner *self)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->current == NULL);
  self->n_holds++;
}

void
dyno_runner_release (DynoRunner *self)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));
  g_return_if_fail (self->n_holds > 0);

  self->n_holds--;
  if (self->n_holds == 0)
    wake (self);
}

void
dyno_runner_skip (DynoRunner *self)
{
  g_return_if_fail (DYNO_IS_RUNNER (self));

  if (self->case_cancellable == NULL)
    return;
  self->skipping = TRUE;
  g_cancellable_cancel (self->case_cancellable);
}
