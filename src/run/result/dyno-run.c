/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-result-samples.h"
#include "dyno-run.h"
#include "dyno-shared-list.h"

struct _DynoRun
{
  GObject parent_instance;

  char *texts[9];
  gint64 started_at;
  gint64 finished_at;
  gint64 deleted_at;
  guint n_cases;
  gboolean is_running;   /* in another process */
  DynoCaseCounts counts; /* of a run that is only listed */
  DynoSelfTest *self_test;
  DynoOrigin *origin; /* of a run that another tool measured */
  GPtrArray *meters;  /* DynoOrigin */
  GListModel *results;
};

enum
{
  PROP_0,
  PROP_ID,
  PROP_TITLE,
  PROP_NOTES,
  PROP_PLAN,
  PROP_MACHINE,
  PROP_SOURCE,
  PROP_APP_VERSION,
  PROP_SUMMARY,
  PROP_CLUSTER,
  PROP_STARTED_AT,
  PROP_FINISHED_AT,
  PROP_DELETED_AT,
  PROP_N_CASES,
  PROP_RESULTS,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoRun, dyno_run, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

static void
dyno_run_finalize (GObject *object)
{
  DynoRun *self = DYNO_RUN (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_free (self->texts[i]);
  g_clear_object (&self->results);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
  g_clear_pointer (&self->origin, dyno_origin_unref);
  g_ptr_array_unref (self->meters);

  G_OBJECT_CLASS (dyno_run_parent_class)->finalize (object);
}

static void
dyno_run_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoRun *self = DYNO_RUN (object);

  switch (prop_id)
    {
    case PROP_STARTED_AT:
      g_value_set_int64 (value, self->started_at);
      break;
    case PROP_FINISHED_AT:
      g_value_set_int64 (value, self->finished_at);
      break;
    case PROP_DELETED_AT:
      g_value_set_int64 (value, self->deleted_at);
      break;
    case PROP_N_CASES:
      g_value_set_uint (value, dyno_run_get_n_cases (self));
      break;
    case PROP_RESULTS:
      g_value_set_object (value, self->results);
      break;
    default:
      if (prop_id >= PROP_ID && prop_id <= PROP_CLUSTER)
        g_value_set_string (value, self->texts[prop_id - PROP_ID]);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_text (DynoRun *self, guint prop_id, const char *text)
{
  char **field = &self->texts[prop_id - PROP_ID];

  if (g_strcmp0 (*field, text) == 0)
    return;
  g_free (*field);
  *field = g_strdup (text);
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
set_time (DynoRun *self, gint64 *field, guint prop_id, gint64 time)
{
  if (*field == time)
    return;
  *field = time;
  g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
}

static void
dyno_run_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoRun *self = DYNO_RUN (object);

  switch (prop_id)
    {
    case PROP_STARTED_AT:
      set_time (self, &self->started_at, prop_id, g_value_get_int64 (value));
      break;
    case PROP_FINISHED_AT:
      set_time (self, &self->finished_at, prop_id, g_value_get_int64 (value));
      break;
    case PROP_DELETED_AT:
      set_time (self, &self->deleted_at, prop_id, g_value_get_int64 (value));
      break;
    case PROP_N_CASES:
      if (self->n_cases != g_value_get_uint (value))
        {
          self->n_cases = g_value_get_uint (value);
          g_object_notify_by_pspec (G_OBJECT (self), properties[prop_id]);
        }
      break;
    default:
      if (prop_id >= PROP_ID && prop_id <= PROP_CLUSTER)
        set_text (self, prop_id, g_value_get_string (value));
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_run_constructed (GObject *object)
{
  DynoRun *self = DYNO_RUN (object);

  G_OBJECT_CLASS (dyno_run_parent_class)->constructed (object);

  if (self->texts[PROP_ID - PROP_ID] == NULL)
    self->texts[PROP_ID - PROP_ID] = g_uuid_string_random ();
}

static void
dyno_run_class_init (DynoRunClass *klass)
{
  static const char *const text_names[] = { "id",     "title",       "notes",   "plan",   "machine",
                                            "source", "app-version", "summary", "cluster" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_run_constructed;
  object_class->finalize = dyno_run_finalize;
  object_class->get_property = dyno_run_get_property;
  object_class->set_property = dyno_run_set_property;

  for (guint id = PROP_ID; id <= PROP_CLUSTER; id++)
    properties[id] = g_param_spec_string (text_names[id - PROP_ID], NULL, NULL, NULL,
                                          id == PROP_ID ? flags | G_PARAM_CONSTRUCT_ONLY : flags);
  properties[PROP_STARTED_AT] = g_param_spec_int64 ("started-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_FINISHED_AT] = g_param_spec_int64 ("finished-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_DELETED_AT] = g_param_spec_int64 ("deleted-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_N_CASES] = g_param_spec_uint ("n-cases", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_RESULTS] = g_param_spec_object ("results", NULL, NULL, G_TYPE_LIST_MODEL,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_run_init (DynoRun *self)
{
  self->results = dyno_shared_list_new (DYNO_TYPE_RESULT);
  self->meters = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_origin_unref);
}

DynoRun *
dyno_run_new (const char *id)
{
  return g_object_new (DYNO_TYPE_RUN, "id", id, NULL);
}

static const char *
get_text (DynoRun *self, guint prop_id)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);
  return self->texts[prop_id - PROP_ID];
}

const char *
dyno_run_get_id (DynoRun *self)
{
  return get_text (self, PROP_ID);
}

const char *
dyno_run_get_title (DynoRun *self)
{
  return get_text (self, PROP_TITLE);
}

void
dyno_run_set_title (DynoRun *self, const char *title)
{
  g_return_if_fail (DYNO_IS_RUN (self));
  set_text (self, PROP_TITLE, title);
}

const char *
dyno_run_get_notes (DynoRun *self)
{
  return get_text (self, PROP_NOTES);
}

void
dyno_run_set_notes (DynoRun *self, const char *notes)
{
  g_return_if_fail (DYNO_IS_RUN (self));
  set_text (self, PROP_NOTES, notes);
}

gint64
dyno_run_get_started_at (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), 0);
  return self->started_at;
}

gint64
dyno_run_get_finished_at (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), 0);
  return self->finished_at;
}

gint64
dyno_run_get_deleted_at (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), 0);
  return self->deleted_at;
}

const char *
dyno_run_get_plan (DynoRun *self)
{
  return get_text (self, PROP_PLAN);
}

const char *
dyno_run_get_machine (DynoRun *self)
{
  return get_text (self, PROP_MACHINE);
}

const char *
dyno_run_get_source (DynoRun *self)
{
  return get_text (self, PROP_SOURCE);
}

const char *
dyno_run_get_app_version (DynoRun *self)
{
  return get_text (self, PROP_APP_VERSION);
}

const char *
dyno_run_get_summary (DynoRun *self)
{
  return get_text (self, PROP_SUMMARY);
}

const char *
dyno_run_get_cluster (DynoRun *self)
{
  return get_text (self, PROP_CLUSTER);
}

void
dyno_run_count_cases (DynoRun *self, DynoCaseCounts *counts)
{
  guint n_results, n_known = 0;

  g_return_if_fail (DYNO_IS_RUN (self));
  g_return_if_fail (counts != NULL);

  n_results = g_list_model_get_n_items (G_LIST_MODEL (self->results));
  *counts = n_results > 0 ? (DynoCaseCounts){ 0 } : self->counts;
  for (guint i = 0; i < n_results; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (G_LIST_MODEL (self->results), i);

      counts->of[dyno_result_get_state (result)]++;
    }
  for (guint state = 0; state < DYNO_N_CASE_STATES; state++)
    n_known += counts->of[state];
  counts->n_cases = MAX (n_known, self->n_cases);
  counts->of[dyno_run_is_running (self) ? DYNO_CASE_STATE_WAITING : DYNO_CASE_STATE_NOT_RUN] +=
      counts->n_cases - n_known;
  if (self->finished_at == 0)
    return;
  counts->of[DYNO_CASE_STATE_NOT_RUN] +=
      counts->of[DYNO_CASE_STATE_WAITING] + counts->of[DYNO_CASE_STATE_RUNNING];
  counts->of[DYNO_CASE_STATE_WAITING] = 0;
  counts->of[DYNO_CASE_STATE_RUNNING] = 0;
}

void
dyno_run_set_counts (DynoRun *self, const DynoCaseCounts *counts)
{
  g_return_if_fail (DYNO_IS_RUN (self));
  self->counts = *counts;
}

void
dyno_run_set_running (DynoRun *self, gboolean is_running)
{
  g_return_if_fail (DYNO_IS_RUN (self));
  self->is_running = is_running;
}

gboolean
dyno_run_is_running (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), FALSE);
  return self->is_running && self->finished_at == 0;
}

gboolean
dyno_run_is_interrupted (DynoRun *self)
{
  DynoCaseCounts counts;

  if (dyno_run_is_running (self))
    return FALSE;
  dyno_run_count_cases (self, &counts);
  if (counts.of[DYNO_CASE_STATE_NOT_RUN] > 0)
    return TRUE;

  /* Without loaded results it is unknown which cases are incomplete, but a run that its process did not end
   * lacks something. */
  if (g_list_model_get_n_items (G_LIST_MODEL (self->results)) == 0)
    return self->n_cases > 0 && self->finished_at == 0;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->results)); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (G_LIST_MODEL (self->results), i);

      if (!dyno_result_is_complete (result) || dyno_result_lacks_analysis (result))
        return TRUE;
    }
  return FALSE;
}

char *
dyno_run_dup_state_text (DynoRun *self)
{
  DynoCaseCounts counts;
  g_autofree char *text = NULL;

  dyno_run_count_cases (self, &counts);
  text = dyno_case_counts_dup_text (&counts);
  if (dyno_run_is_running (self))
    /* Translators: %s counts the cases of a run, such as “2 measured · 6 waiting” */
    return g_strdup_printf (_ ("Being measured: %s"), text);
  /* Translators: %s counts the cases of a run, such as “2 measured · 6 not run” */
  return dyno_run_is_interrupted (self) ? g_strdup_printf (_ ("Interrupted: %s"), text)
                                        : g_steal_pointer (&text);
}

guint
dyno_run_get_n_cases (DynoRun *self)
{
  DynoCaseCounts counts = { 0 };

  dyno_run_count_cases (self, &counts);
  return counts.n_cases;
}

guint
dyno_run_get_n_ok (DynoRun *self)
{
  DynoCaseCounts counts = { 0 };

  dyno_run_count_cases (self, &counts);
  return dyno_case_counts_get_n_with_numbers (&counts);
}

DynoOrigin *
dyno_run_get_origin (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);
  return self->origin;
}

gboolean
dyno_run_is_imported (DynoRun *self)
{
  g_autoptr (DynoResult) first = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (self), FALSE);

  if (self->origin != NULL)
    return TRUE;
  first = g_list_model_get_item (dyno_run_get_results (self), 0);
  return first != NULL && dyno_result_find_message (first, DYNO_ORIGIN_CODE) != NULL;
}

GPtrArray *
dyno_run_get_meters (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);
  return self->meters;
}

void
dyno_run_set_origin (DynoRun *self, DynoOrigin *origin)
{
  g_return_if_fail (DYNO_IS_RUN (self));

  if (origin != NULL)
    dyno_origin_ref (origin);
  g_clear_pointer (&self->origin, dyno_origin_unref);
  self->origin = origin;
}

char *
dyno_run_dup_tool (DynoRun *self)
{
  const char *version = dyno_run_get_app_version (self);

  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);

  if (self->origin != NULL)
    return dyno_origin_dup_tool (self->origin);
  return version != NULL ? g_strdup_printf ("Dyno %s", version) : g_strdup ("Dyno");
}

char *
dyno_run_dup_command (DynoRun *self)
{
  g_autoptr (DynoPlan) plan = NULL;

  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);

  if (dyno_run_get_plan (self) == NULL || dyno_run_is_imported (self))
    return NULL;
  plan = dyno_plan_new_from_json (dyno_run_get_plan (self), NULL);
  return plan != NULL && *dyno_plan_get_models (plan) != NULL ? dyno_plan_dup_command (plan) : NULL;
}

gboolean
dyno_run_is_self_test (DynoRun *self)
{
  return g_strcmp0 (dyno_run_get_source (self), DYNO_SELF_TEST_SOURCE) == 0;
}

DynoSelfTest *
dyno_run_get_self_test (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);
  return self->self_test;
}

void
dyno_run_set_self_test (DynoRun *self, DynoSelfTest *self_test)
{
  g_return_if_fail (DYNO_IS_RUN (self));

  if (self_test != NULL)
    dyno_self_test_ref (self_test);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
  self->self_test = self_test;
}

GListModel *
dyno_run_get_results (DynoRun *self)
{
  g_return_val_if_fail (DYNO_IS_RUN (self), NULL);
  return self->results;
}

void
dyno_run_add_result (DynoRun *self, DynoResult *result)
{
  g_return_if_fail (DYNO_IS_RUN (self));
  g_return_if_fail (DYNO_IS_RESULT (result));
  dyno_shared_list_append (self->results, result);
}
