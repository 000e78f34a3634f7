/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-case-check.h"
#include "dyno-cases.h"
#include "dyno-engine-name.h"
#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-insight-private.h"
#include "dyno-json.h"
#include "dyno-model-needs.h"
#include "dyno-precision.h"
#include "dyno-prober.h"
#include "dyno-race.h"
#include "dyno-roofline.h"
#include "dyno-task.h"
#include "dyno-unit.h"

/* Per process: just enough samples for the p90 of a setting after the least number of rounds, although they
 * are correlated. */
#define SAMPLES        20
#define WARMUP_STEPS   2
#define WARMUP_SECONDS 0.1
#define LEAST_SECONDS  0.2
#define MOST_SECONDS   30.0

/* The share of the time for asking the engines. Those that answer later take no part. A browser, which may take minutes, comes
 * last in the race, and is waited for less. */
#define SHARE_OF_PROBES   0.25
#define SHARE_OF_BROWSERS 0.1

/* The share of the time for the least number of rounds with all settings; the rest is for the close ones.
 **/
#define SHARE_OF_FIRST_ROUNDS 0.7

/* Results of the probes so far, and of earlier runs. */
typedef struct
{
  DynoMachine *machine;
  GHashTable *known;          /* why nothing runs there, or an empty text */
  DynoStoredSettings *stored; /* (nullable) */
  DynoCase *first;            /* (nullable): a case that can run; not owned */
  char *split;                /* (nullable): options that give each stage threads by its work */
  gboolean may_leave_out;     /* whether a setting that was far behind has nothing else to win by */
} Places;

/* Proposes the whole machine, and 1, 2, 4 … cores. */
static void
propose_threads (DynoPlan *plan, const DynoGoal *goal, Places *places)
{
  guint n = MAX (dyno_machine_get_n_usable_threads (places->machine), 1);
  g_autoptr (GStrvBuilder) counts = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  g_strv_builder_add (counts, "0");
  for (guint i = 1; i < n; i *= 2)
    {
      g_autofree char *count = g_strdup_printf ("%u", i);

      g_strv_builder_add (counts, count);
    }
  list = g_strv_builder_end (counts);
  g_object_set (plan, "threads", list, NULL);
}

/* A larger batch always takes longer, so it is a choice only if the goal is not the time of one step. */
static void
propose_batches (DynoPlan *plan, const DynoGoal *goal, Places *places)
{
  static const char *const batches[] = { "1", "4", "16", NULL };

  if (goal->weights[DYNO_OBJECTIVE_LATENCY] == 0 && goal->weights[DYNO_OBJECTIVE_MEMORY] == 0)
    g_object_set (plan, "batch-sizes", batches, NULL);
}

/* These affect only loading, or hardly ever make a step faster. */
static const char *const not_tried[] = { "cache",    "arena",           "memory-pattern",
                                         "spinning", "stream-priority", NULL };

static void
add_options (GStrvBuilder *alternatives, const char *spec, const DynoGoal *goal, guint n_threads)
{
  g_autofree char *device = NULL;
  DynoBackend *backend = dyno_backend_lookup_spec (spec, &device, NULL);
  const DynoBackendOption *option = backend != NULL ? dyno_backend_get_options (backend) : NULL;

  for (; option != NULL && option->name != NULL; option++)
    if (option->values != NULL && !g_strv_contains (not_tried, option->name))
      for (guint i = 1; option->values[i] != NULL; i++)
        {
          g_autofree char *text = g_strdup_printf ("%s=%s", option->name, option->values[i]);

          g_strv_builder_add (alternatives, text);
        }
    else if (g_str_equal (option->name, "streams") && dyno_goal_get_main (goal) == DYNO_OBJECTIVE_THROUGHPUT)
      for (guint n = 2; n <= n_threads; n *= 2)
        {
          /* Streams without requests would idle. */
          g_autofree char *text = g_strdup_printf ("streams=%u,requests=%u", n, n);

          g_strv_builder_add (alternatives, text);
        }
}

/* Varies one engine option at a time: all combinations would be too many. Threads for each stage by its work are one more
 * choice, unless each stage would have as many as without. */
static void
propose_options (DynoPlan *plan, const DynoGoal *goal, Places *places)
{
  g_autoptr (GStrvBuilder) alternatives = g_strv_builder_new ();
  g_autoptr (DynoModel) model = dyno_model_load (dyno_case_get_model (places->first), NULL);
  g_autoptr (GHashTable) binding = model != NULL
                                       ? dyno_model_bind (model, dyno_case_get_batch_size (places->first),
                                                          dyno_case_get_sequence_length (places->first),
                                                          dyno_case_get_dimensions (places->first), NULL)
                                       : NULL;
  g_autoptr (JsonNode) node = dyno_machine_to_json (places->machine);
  g_autofree char *machine = dyno_json_text_write (node, FALSE);
  guint n = MAX (dyno_roofline_count_cores (machine), 1);
  g_autofree char *all = g_strdup_printf ("=%u", n);
  g_autofree char *split = binding != NULL ? dyno_model_dup_thread_split (model, binding, n) : NULL;
  g_auto (GStrv) stages = g_strsplit (split != NULL ? split : "", ",", -1);
  g_auto (GStrv) list = NULL;

  g_strv_builder_add (alternatives, "");
  for (const char *const *spec = dyno_plan_get_backends (plan); *spec != NULL; spec++)
    add_options (alternatives, *spec, goal, MAX (dyno_machine_get_n_usable_threads (places->machine), 1));
  for (char **stage = stages; *stage != NULL && places->split == NULL; stage++)
    if (!g_str_has_suffix (*stage, all))
      {
        g_autoptr (GHashTable) sorted = dyno_engine_options_parse (split, NULL);

        places->split = dyno_engine_options_to_string (sorted);
      }
  if (places->split != NULL)
    g_strv_builder_add (alternatives, places->split);
  list = g_strv_builder_end (alternatives);
  g_object_set (plan, "options", list, NULL);
}

/* In the order of their usual effect. */
static const struct
{
  const char *property;
  void (*propose) (DynoPlan *plan, const DynoGoal *goal, Places *places);
} axes[] = {
  { "threads", propose_threads },
  { "batch-sizes", propose_batches },
  { "options", propose_options },
};

/* A setting was far behind if the best one of its run was so many times as good: processes one after another, on a busy
 * machine, differ by less. It is known to be good if the best one was hardly better. */
#define FAR_BEHIND 4.0
#define GOOD       1.5

/* Fewer settings are no race. */
#define LEAST_SETTINGS 2

static const char *
explain (Places *places, DynoCase *kase)
{
  g_autofree char *target = dyno_case_dup_place (kase);
  g_autofree char *place = g_strdup_printf ("%s %s %s %u", target, dyno_case_get_precision (kase),
                                            dyno_case_get_options (kase), dyno_case_get_batch_size (kase));
  const char *reason = g_hash_table_lookup (places->known, place);
  g_autoptr (DynoResult) result = NULL;

  if (reason != NULL)
    return reason;
  result = dyno_result_new (kase, 0);
  reason = dyno_case_check_alone (result, places->machine) ? "" : dyno_result_get_reason (result);
  g_hash_table_insert (places->known, g_strdup (place), g_strdup (reason));
  return g_hash_table_lookup (places->known, place);
}

/* A case of the plan, with its number there. */
typedef struct
{
  DynoCase *kase; /* not owned */
  guint number;
  guint rank;
  enum
  {
    DEFAULT,
    KNOWN_GOOD,
    UNKNOWN,
    KNOWN_BAD,
  } group;
  double ratio; /* how many times as good the best one was in an earlier run */
} Setting;

/* Settings differ from the defaults of an engine in ever more ways, and engines that are slow to start come last, such as
 * those in browsers. */
static guint
rank (DynoCase *kase)
{
  DynoBackend *backend = dyno_backend_lookup (dyno_case_get_backend (kase), NULL);

  return (backend != NULL && dyno_backend_get_runs_alone (backend) != NULL ? 8 : 0) +
         (*dyno_case_get_options (kase) != '\0' ? 4 : 0) + (dyno_case_get_threads (kase) > 0 ? 2 : 0) +
         (g_str_equal (dyno_case_get_precision (kase), "fp32") ? 0 : 1);
}

/* The time may only suffice for the first settings: those are the defaults of engines, and then what is known to be good.
 * The sort is stable, so equals keep the order of the plan. */
static int
compare_settings (gconstpointer a, gconstpointer b)
{
  const Setting *first = a, *second = b;

  if (first->group != second->group)
    return (first->group > second->group) - (first->group < second->group);
  if (first->ratio != second->ratio)
    return (first->ratio > second->ratio) - (first->ratio < second->ratio);
  return (first->rank > second->rank) - (first->rank < second->rank);
}

static Setting
create_setting (const Places *places, DynoCase *kase, guint number)
{
  const DynoStoredSetting *stored =
      places->stored != NULL ? dyno_stored_settings_find (places->stored, kase) : NULL;
  gboolean is_known = stored != NULL && isfinite (stored->ratio);
  Setting setting = { kase, number, rank (kase), UNKNOWN, is_known ? stored->ratio : GOOD };

  if (setting.rank == 0)
    setting.group = DEFAULT;
  else if (is_known)
    setting.group = setting.ratio <= GOOD ? KNOWN_GOOD : KNOWN_BAD;
  return setting;
}

/* Leaves out the settings that were far behind, as long as there is a race without them. */
static void
leave_out_behind (DynoRacePlan *self, GArray *settings)
{
  for (guint i = settings->len; i > 0 && settings->len > LEAST_SETTINGS; i--)
    {
      const Setting *setting = &g_array_index (settings, Setting, i - 1);

      if (setting->ratio < FAR_BEHIND)
        continue;
      g_ptr_array_add (self->behind, g_object_ref (setting->kase));
      g_array_remove_index (settings, i - 1);
    }
}

/* Narrows the plan to the cases that can run. */
static gboolean
pick (DynoRacePlan *self, Places *places, GError **error)
{
  static const char *const all[] = { NULL };
  g_autoptr (GStrvBuilder) numbers = g_strv_builder_new ();
  g_autoptr (GArray) settings = g_array_new (FALSE, FALSE, sizeof (Setting));
  g_autoptr (GPtrArray) picked = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) cases = NULL;
  g_auto (GStrv) list = NULL;
  const char *reason = "";

  g_object_set (self->plan, "cases", all, NULL);
  cases = dyno_plan_expand (self->plan, error);
  if (cases == NULL)
    return FALSE;
  self->seconds = 0;
  for (guint i = 0; i < cases->len; i++)
    {
      gboolean is_split =
          places->split != NULL && g_str_equal (dyno_case_get_options (cases->pdata[i]), places->split);
      const char *against = explain (places, cases->pdata[i]);

      /* Threads of the case would be those of none of its stages. */
      if (is_split && dyno_case_get_threads (cases->pdata[i]) > 0)
        continue;
      if (*against == '\0')
        {
          const Setting setting = create_setting (places, cases->pdata[i], i + 1);

          g_array_append_val (settings, setting);
        }
      else if (*reason == '\0')
        reason = against;
    }
  g_array_sort (settings, compare_settings);
  g_clear_pointer (&self->behind, g_ptr_array_unref);
  self->behind = g_ptr_array_new_with_free_func (g_object_unref);
  if (places->may_leave_out)
    leave_out_behind (self, settings);
  for (guint i = 0; i < settings->len; i++)
    {
      const Setting *setting = &g_array_index (settings, Setting, i);
      g_autofree char *number = g_strdup_printf ("%u", setting->number);

      g_strv_builder_add (numbers, number);
      g_ptr_array_add (picked, g_object_ref (setting->kase));
      for (guint k = 0; k < DYNO_RACE_MIN_ROUNDS; k++)
        self->seconds += dyno_case_get_expected_seconds (setting->kase) *
                         dyno_case_estimate_share (setting->kase, k, k == 0);
    }
  list = g_strv_builder_end (numbers);
  g_object_set (self->plan, "cases", list, NULL);
  self->n_settings = picked->len;
  g_clear_pointer (&self->cases, g_ptr_array_unref);
  self->cases = g_steal_pointer (&picked);
  if (self->n_settings > 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, _ ("None of the settings can run here. %s"),
               reason);
  return FALSE;
}

/* Returns the plan with one more axis varied; NULL if there is not enough time, with the time that there would have to
 * be. */
static DynoRacePlan *
widen (DynoRacePlan *self, guint axis, const DynoGoal *goal, double seconds, Places *places)
{
  g_autofree char *json = dyno_plan_to_json (self->plan);
  g_autoptr (DynoRacePlan) wider = g_new0 (DynoRacePlan, 1);

  wider->plan = dyno_plan_new_from_json (json, NULL);
  places->first = self->cases->pdata[0];
  axes[axis].propose (wider->plan, goal, places);
  if (!pick (wider, places, NULL))
    return NULL;
  if (wider->n_settings <= self->n_settings || wider->seconds <= SHARE_OF_FIRST_ROUNDS * seconds)
    return g_steal_pointer (&wider);
  if (self->more_seconds == 0 || wider->seconds < SHARE_OF_FIRST_ROUNDS * self->more_seconds)
    self->more_seconds = wider->seconds / SHARE_OF_FIRST_ROUNDS;
  return NULL;
}

static void
widen_all (DynoRacePlan *self, GHashTable *given, const DynoGoal *goal, double seconds, Places *places)
{
  g_autoptr (GStrvBuilder) left_out = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_autoptr (DynoRacePlan) wider = NULL;

      if (g_hash_table_contains (given, axes[i].property))
        continue;
      wider = widen (self, i, goal, seconds, places);
      if (wider == NULL)
        {
          g_strv_builder_add (left_out, axes[i].property);
          continue;
        }
      g_set_object (&self->plan, wider->plan);
      g_clear_pointer (&self->cases, g_ptr_array_unref);
      self->cases = g_steal_pointer (&wider->cases);
      g_clear_pointer (&self->behind, g_ptr_array_unref);
      self->behind = g_steal_pointer (&wider->behind);
      self->n_settings = wider->n_settings;
      self->seconds = wider->seconds;
    }
  self->left_out = g_strv_builder_end (left_out);
}

void
dyno_race_plan_add_places (GStrvBuilder *places, DynoBackend *backend, DynoProbe *probe)
{
  GListModel *devices = dyno_probe_get_devices (probe);
  guint n = g_list_model_get_n_items (devices), n_known = 0;

  if (n == 0)
    g_strv_builder_add (places, dyno_backend_get_id (backend));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);

      n_known += dyno_device_get_kind (device) != DYNO_DEVICE_KIND_UNKNOWN;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoDevice) device = g_list_model_get_item (devices, i);
      DynoDeviceKind kind = dyno_device_get_kind (device);
      g_autofree char *place =
          n == 1 ? g_strdup (dyno_backend_get_id (backend))
                 : dyno_engine_name_dup_spec (dyno_backend_get_id (backend), dyno_device_get_id (device));

      /* A device of unknown kind chooses among the others; beside a single one it is the same. */
      if (kind == DYNO_DEVICE_KIND_UNKNOWN ? n_known != 1 : dyno_device_kind_is_hardware (kind))
        g_strv_builder_add (places, place);
    }
}

/* Asks engines at once, but waits for none that takes long to answer. */
static void
ask (DynoRacePlan *self, GListModel *backends, double seconds, GStrvBuilder *places)
{
  g_autoptr (DynoTimeLimit) limit = dyno_time_limit_new ((guint)CLAMP (ceil (seconds), 1, G_MAXINT), NULL);
  g_autoptr (GPtrArray) probes = dyno_prober_probe_all (
      dyno_prober_get_default (), backends, DYNO_PROBER_NONE, dyno_time_limit_get_cancellable (limit));
  gboolean is_over = g_cancellable_is_cancelled (dyno_time_limit_get_cancellable (limit));
  g_autoptr (GString) late = g_string_new (self->late);
  g_autoptr (GString) deferred = g_string_new (self->deferred);

  for (guint i = 0; i < probes->len; i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);
      const char *name = dyno_backend_get_name (backend);
      DynoProbe *probe = probes->pdata[i];

      if (dyno_probe_get_state (probe) != DYNO_PROBE_DEFERRED)
        dyno_race_plan_add_places (places, backend, probe);
      else if (is_over && dyno_probe_get_remedy (probe) == NULL) /* a probe that was stopped has none */
        g_string_append_printf (late, "%s%s", late->len > 0 ? ", " : "", name);
      else
        {
          g_string_append_c (deferred, ' ');
          /* Translators: an engine, and why it cannot measure yet: a sentence */
          g_string_append_printf (deferred, _ ("%s is not part of it yet: %s"), name,
                                  dyno_probe_get_reason (probe));
        }
    }
  g_free (self->late);
  g_free (self->deferred);
  self->late = late->len > 0 ? g_strdup (late->str) : NULL;
  self->deferred = g_strdup (deferred->str);
}

static void
propose_places (DynoRacePlan *self, GHashTable *given, double seconds)
{
  if (!g_hash_table_contains (given, "backends"))
    {
      g_autoptr (GListModel) backends = dyno_backend_list ();
      g_autoptr (GListStore) usual = g_list_store_new (DYNO_TYPE_BACKEND);
      g_autoptr (GListStore) browsers = g_list_store_new (DYNO_TYPE_BACKEND);
      g_autoptr (GStrvBuilder) places = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
        {
          g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

          g_list_store_append (dyno_backend_get_runs_alone (backend) != NULL ? browsers : usual, backend);
        }
      ask (self, G_LIST_MODEL (usual), SHARE_OF_PROBES * seconds, places);
      ask (self, G_LIST_MODEL (browsers), SHARE_OF_BROWSERS * seconds, places);
      list = g_strv_builder_end (places);
      g_object_set (self->plan, "backends", list, NULL);
    }
  if (!g_hash_table_contains (given, "precisions"))
    {
      g_autoptr (GStrvBuilder) precisions = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      /* Quantised weights change the outputs, so they are raced only on request. */
      for (const char *const *precision = dyno_precision_list (); *precision != NULL; precision++)
        if (dyno_precision_get_quantisation (*precision) == NULL)
          g_strv_builder_add (precisions, *precision);
      list = g_strv_builder_end (precisions);
      g_object_set (self->plan, "precisions", list, NULL);
    }
}

DynoPlan *
dyno_race_plan_ask (DynoCase *kase)
{
  g_autofree char *length = g_strdup_printf ("%u", dyno_case_get_sequence_length (kase));
  g_autofree char *tokens = g_strdup_printf ("%u", dyno_case_get_generate_tokens (kase));
  g_autofree char *place = dyno_case_dup_place (kase);
  g_autofree char *images = g_strdup_printf ("%u", dyno_case_get_images (kase));
  const char *const seen[] = { images, NULL };
  const char *const models[] = { dyno_case_get_model (kase), NULL };
  const char *const lengths[] = { length, NULL };
  const char *const generated[] = { tokens, NULL };
  const char *const backends[] = { place, NULL };
  DynoPlan *plan = dyno_plan_new ();

  g_object_set (plan, "models", models, "backends", backends, "generate-tokens", generated, "images", seen,
                "dimensions", dyno_case_get_dimensions (kase), "inputs", dyno_case_get_inputs (kase), "seed",
                dyno_case_get_seed (kase), NULL);
  if (dyno_case_get_sequence_length (kase) > 0)
    g_object_set (plan, "sequence-lengths", lengths, NULL);
  return plan;
}

static void
add_stored (DynoRacePlan *self, const Places *places, GPtrArray *cases, gboolean is_left_out)
{
  for (guint i = 0; places->stored != NULL && i < cases->len; i++)
    {
      const DynoStoredSetting *found = dyno_stored_settings_find (places->stored, cases->pdata[i]);
      DynoStoredSetting *setting =
          found != NULL && isfinite (found->ratio) ? dyno_stored_setting_dup (found) : NULL;

      if (setting == NULL)
        continue;
      setting->is_left_out = is_left_out;
      g_ptr_array_add (self->stored, setting);
    }
}

/* Keeps the earlier results that the plan rests on. */
static void
list_stored (DynoRacePlan *self, const Places *places)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  DynoCaseParts varying;

  self->stored = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_stored_setting_free);
  add_stored (self, places, self->cases, FALSE);
  add_stored (self, places, self->behind, TRUE);
  for (guint i = 0; i < self->cases->len + self->behind->len; i++)
    g_ptr_array_add (results,
                     dyno_result_new (i < self->cases->len ? self->cases->pdata[i]
                                                           : self->behind->pdata[i - self->cases->len],
                                      i));
  varying = dyno_case_parts_find_varying_in (results);
  for (guint i = 0; i < self->stored->len; i++)
    {
      DynoStoredSetting *setting = self->stored->pdata[i];

      setting->label = dyno_case_parts_dup_text (setting->result, varying | DYNO_CASE_BACKEND);
    }
}

DynoRacePlan *
dyno_race_plan_new (DynoPlan *fixed,
                    GHashTable *given,
                    const DynoGoal *goal,
                    double seconds,
                    DynoStore *store,
                    GError **error)
{
  g_autoptr (DynoRacePlan) self = g_new0 (DynoRacePlan, 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (error);
  g_autoptr (DynoResult) first = NULL;
  g_autofree char *model = NULL;
  g_autofree char *title = NULL;
  g_autoptr (DynoStoredSettings) stored =
      store != NULL && machine != NULL
          ? dyno_stored_settings_new (store, machine, *dyno_plan_get_models (fixed), goal)
          : NULL;
  Places places = {
    .machine = machine, .known = known, .stored = stored, .may_leave_out = !dyno_goal_is_weighted (goal)
  };
  DynoMethod *method = dyno_plan_get_method (fixed);
  const guint n = DYNO_RACE_MAX_ROUNDS;
  gboolean needs_power =
      goal->weights[DYNO_OBJECTIVE_ENERGY] > 0 || isfinite (goal->limits[DYNO_LIMIT_POWER]);

  if (machine == NULL)
    return NULL;
  /* A slow setting may be the only one within a limit. */
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    places.may_leave_out = places.may_leave_out && !isfinite (goal->limits[i]);
  self->plan = g_object_ref (fixed);
  g_object_set (method, "invocations", n, "warmup-steps", n * WARMUP_STEPS, "warmup-seconds",
                n * WARMUP_SECONDS, "min-samples", n * SAMPLES, "min-seconds", n * LEAST_SECONDS,
                "max-seconds", n * MOST_SECONDS, "interval-percent", 100.0, NULL);
  if (!needs_power)
    g_object_set (method, "idle-seconds", 0.0, NULL);
  /* Energy is read over stretches that are longer than a turn, and memory does not depend on the moment. */
  g_object_set (fixed, "turns",
                goal->weights[DYNO_OBJECTIVE_LATENCY] + goal->weights[DYNO_OBJECTIVE_THROUGHPUT] > 0 &&
                    !needs_power,
                NULL);
  propose_places (self, given, seconds);
  if (!pick (self, &places, error))
    return NULL;
  widen_all (self, given, goal, seconds, &places);
  g_free (places.split);
  list_stored (self, &places);
  /* The title names the goal of the run, not every place that was probed. */
  first = dyno_result_new (self->cases->pdata[0], 0);
  model = dyno_case_parts_dup_model (first);
  /* Translators: %s is a model */
  title = g_strdup_printf (_ ("Best settings for %s"), model);
  g_object_set (self->plan, "title", title, NULL);
  return g_steal_pointer (&self);
}

void
dyno_race_plan_free (DynoRacePlan *self)
{
  g_clear_object (&self->plan);
  g_clear_pointer (&self->cases, g_ptr_array_unref);
  g_clear_pointer (&self->behind, g_ptr_array_unref);
  g_clear_pointer (&self->stored, g_ptr_array_unref);
  g_strfreev (self->left_out);
  g_free (self->late);
  g_free (self->deferred);
  g_free (self);
}

static const struct
{
  DynoCaseParts parts;
  const char *title;
} sides[] = {
  { DYNO_CASE_BACKEND | DYNO_CASE_DEVICE, N_ ("Engine") },
  { DYNO_CASE_PRECISION, N_ ("Precision") },
  { DYNO_CASE_THREADS, N_ ("Threads") },
  { DYNO_CASE_BATCH, N_ ("Batch") },
  { DYNO_CASE_OPTIONS, N_ ("Options") },
};

static void
axis_free (DynoRaceAxis *axis)
{
  g_free (axis->title);
  g_free (axis->values);
  g_free (axis);
}

GPtrArray *
dyno_race_plan_list_axes (const DynoRacePlan *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)axis_free);

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      /* The distinct values, in the order of the plan. */
      g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GString) text = g_string_new (NULL);
      DynoRaceAxis *axis;

      for (guint k = 0; k < self->cases->len; k++)
        {
          g_autoptr (DynoResult) result = dyno_result_new (self->cases->pdata[k], k);
          char *value = dyno_case_parts_dup_text (result, sides[i].parts);
          const char *words = *value != '\0' ? value : _ ("default");

          if (!g_hash_table_contains (known, value))
            g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", words);
          g_hash_table_add (known, value);
        }
      if (g_hash_table_size (known) <= 1)
        continue;
      axis = g_new (DynoRaceAxis, 1);
      axis->title = g_strdup (_ (sides[i].title));
      axis->values = g_strdup (text->str);
      g_ptr_array_add (list, axis);
    }
  return list;
}

char *
dyno_race_plan_dup_text (const DynoRacePlan *self, const char *first, const char *all)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u setting. The first %d rounds take about %s, and the whole at most about %s.",
                "%u settings. The first %d rounds take about %s, and the whole at most about %s.",
                self->n_settings),
      self->n_settings, DYNO_RACE_MIN_ROUNDS, first, all);
  g_autofree char *late = NULL;

  if (self->late != NULL)
    /* Translators: the names of engines */
    late = g_strdup_printf (_ ("Not part of it, because no answer came in time: %s."), self->late);
  return g_strconcat (text, self->deferred != NULL ? self->deferred : "", late != NULL ? " " : NULL, late,
                      NULL);
}

char *
dyno_race_plan_dup_problem (const DynoRacePlan *self)
{
  /* To the next ten seconds, because the estimate is no more exact. */
  g_autofree char *more = dyno_unit_format_duration (10 * ceil (self->more_seconds / 10));

  if (self->n_settings > 1)
    return NULL;
  if (self->more_seconds == 0)
    return g_strdup (_ ("Only one setting can run here, so there is nothing to choose."));
  return g_strdup_printf (
      /* Translators: %s is a duration such as “1 min 20 s” */
      _ ("Only one setting fits into this time, so there is nothing to choose. Allow about %s for more."),
      more);
}

gboolean
dyno_race_plan_is_too_short (const DynoRacePlan *self, double seconds)
{
  return self->seconds > seconds;
}
