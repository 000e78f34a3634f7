/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-engines-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-inputs.h"
#include "dyno-model-spec.h"
#include "dyno-precision.h"

/* Long enough not to count or store on every key press. */
#define SETTLE_DELAY_MS 150

/* Stands for the whole model among its kinds of input. */
#define WHOLE "0"

struct _DynoPlanForm
{
  AdwBin parent_instance;

  DynoAppSession *session;
  char *title;
  guint64 seed;
  gboolean turns;
  DynoPlan *suite; /* set until the user changes the choice */
  char *summary;
  char *machine;        /* a snapshot of this machine, made when first needed */
  DynoPlanCount *count; /* (nullable): the last one */
  GHashTable *kinds;    /* of input, by model: string arrays */
  GCancellable *describing;
  gboolean ready;
  gboolean has_read_suites; /* with the store */
  guint settle_source;
  GCancellable *counting;
  GSettings *settings;
  gboolean unsaved;

  DynoSuiteCards *suite_cards;
  DynoModelList *model_list;
  DynoScoreView *score_view;
  DynoQueueGroup *queue_group;
  DynoSubmissionGroup *submission_group;
  DynoBackendGroup *backend_group;
  GtkWidget *lower_box;
  DynoWhereGroup *where_group;
  GtkLabel *suite_label;
  DynoChipsRow *precision_row;
  DynoChipsRow *batch_row;
  DynoChipsRow *sequence_row;
  DynoChipsRow *threads_row;
  DynoPinningRow *pinning_row;
  DynoChipsRow *tokens_row;
  DynoChipsRow *images_row;
  DynoChipsRow *modality_row;
  DynoStagesRow *stages_row;
  AdwEntryRow *chunks_row;
  gboolean may_hear;
  AdwEntryRow *dimensions_row;
  AdwEntryRow *inputs_row;
  DynoLoadRow *load_row;
  GtkLabel *problem_label;
  GtkToggleButton *more_button;
  DynoMethodGroup *method_group;
  DynoForecastView *forecast_view;
};

enum
{
  PROP_0,
  PROP_READY,
  PROP_SUMMARY,
  PROP_COUNTING,
  PROP_ELSEWHERE,
  PROP_NARROW,
  N_PROPS
};

/* The plan to count, with the store, which holds the earlier durations on the machine. */
typedef struct
{
  DynoPlan *plan;
  DynoStore *store;
  char *machine;
} Request;

G_DEFINE_FINAL_TYPE (DynoPlanForm, dyno_plan_form, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* The inputs of a model. */
typedef struct
{
  char **kinds;
  gboolean hears;
} Inputs;

static void
inputs_free (gpointer data)
{
  Inputs *inputs = data;

  g_strfreev (inputs->kinds);
  g_free (inputs);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->plan);
  g_clear_object (&request->store);
  g_free (request->machine);
  g_free (request);
}

static void
set_summary (DynoPlanForm *self, gboolean ready, const char *summary)
{
  if (g_strcmp0 (self->summary, summary) != 0)
    {
      g_free (self->summary);
      self->summary = g_strdup (summary);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
    }
  if (self->ready != ready)
    {
      self->ready = ready;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READY]);
    }
}

static const char *
find_entry_problem (DynoPlanForm *self)
{
  DynoChipsRow *rows[] = { self->precision_row, self->batch_row,  self->sequence_row, self->tokens_row,
                           self->threads_row,   self->images_row, self->modality_row };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (gtk_widget_get_visible (GTK_WIDGET (rows[i])) && dyno_chips_row_get_problem (rows[i]) != NULL)
        return dyno_chips_row_get_problem (rows[i]);
    }
  if (dyno_stages_row_get_problem (self->stages_row) != NULL)
    return dyno_stages_row_get_problem (self->stages_row);
  if (dyno_backend_group_get_problem (self->backend_group) != NULL)
    return dyno_backend_group_get_problem (self->backend_group);
  if (dyno_load_row_get_problem (self->load_row) != NULL)
    return dyno_load_row_get_problem (self->load_row);
  return dyno_pinning_row_get_problem (self->pinning_row);
}

/* Backends of this machine, and those that only the nodes have. */
static char **
dup_backends (DynoPlanForm *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) entries = dyno_backend_group_dup_entries (self->backend_group);
  g_auto (GStrv) others = dyno_where_group_dup_backends (self->where_group);

  g_strv_builder_addv (builder, (const char **)entries);
  g_strv_builder_addv (builder, (const char **)others);
  return g_strv_builder_end (builder);
}

/* Finds problems without expanding the plan. */
static char *
find_problem (DynoPlanForm *self)
{
  g_auto (GStrv) models = dyno_model_list_dup_selected (self->model_list);
  g_auto (GStrv) backends = dup_backends (self);

  if (find_entry_problem (self) != NULL)
    return g_strdup (find_entry_problem (self));
  if (*models == NULL)
    return g_strdup (_ ("Choose a model"));
  if (dyno_where_group_get_problem (self->where_group) != NULL)
    return g_strdup (dyno_where_group_get_problem (self->where_group));
  if (*backends == NULL)
    return dyno_backend_group_dup_advice (self->backend_group);
  return dyno_method_group_dup_problem (self->method_group);
}

static void
count_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Request *request = task_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) cases = NULL;
  DynoPlanCount *count =
      dyno_plan_count_new (request->plan, request->store, request->machine, &cases, &error);

  if (count == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  dyno_plan_count_add_forecast (count, cases, request->store, cancellable);
  g_task_return_pointer (task, count, (GDestroyNotify)dyno_plan_count_free);
}

static void
notify_counting (DynoPlanForm *self)
{
  dyno_forecast_view_show (self->forecast_view, self->count, !dyno_plan_form_is_elsewhere (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COUNTING]);
}

static void
count_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlanCount) count = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *summary = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->counting);
  if (count != NULL && self->machine == NULL)
    self->machine = g_strdup (count->machine);
  if (count != NULL && count->n_cases > 0)
    summary = dyno_plan_count_dup_text (count);
  else
    summary =
        g_strdup (error != NULL ? error->message : _ ("There is nothing to measure with these settings"));
  set_summary (self, count != NULL && count->n_cases > 0, summary);
  g_clear_pointer (&self->count, dyno_plan_count_free);
  self->count = g_steal_pointer (&count);
  notify_counting (self);
}

static void
cancel_count (DynoPlanForm *self)
{
  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (self->counting != NULL)
    g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
}

/* Adds the model for each chosen kind of input that it has, and whole if it has none of them. */
static void
add_kinds (DynoPlanForm *self, const char *spec, GStrvBuilder *models)
{
  const Inputs *inputs = g_hash_table_lookup (self->kinds, spec);
  const char *const *own = inputs != NULL ? (const char *const *)inputs->kinds : NULL;
  g_auto (GStrv) kinds = dyno_chips_row_dup_values (self->modality_row);
  gboolean has_kind = FALSE;

  for (char **kind = kinds; *kind != NULL && own != NULL; kind++)
    {
      gboolean is_whole = g_str_equal (*kind, WHOLE);
      g_autofree char *part = g_strdup_printf ("%s@%s", spec, *kind);

      if (!is_whole && !g_strv_contains (own, *kind))
        continue;
      g_strv_builder_add (models, is_whole ? spec : part);
      has_kind = TRUE;
    }
  if (!has_kind)
    g_strv_builder_add (models, spec);
}

/* A suite may have other kinds of input for each model. */
static char **
dup_models (DynoPlanForm *self)
{
  g_autoptr (GStrvBuilder) models = g_strv_builder_new ();
  g_auto (GStrv) specs = dyno_model_list_dup_selected (self->model_list);

  for (char **spec = specs; *spec != NULL; spec++)
    {
      gboolean is_given = FALSE;

      for (const char *const *given = self->suite != NULL ? dyno_plan_get_models (self->suite) : NULL;
           given != NULL && *given != NULL; given++)
        {
          g_autofree char *whole = dyno_model_spec_split (*given, NULL);

          if (!g_str_equal (whole, *spec))
            continue;
          g_strv_builder_add (models, *given);
          is_given = TRUE;
        }
      if (!is_given)
        add_kinds (self, *spec, models);
    }
  return g_strv_builder_end (models);
}

/* Without any, models hear as much as they usually do. A length that no model heard would be an error. */
static char **
dup_chunks (DynoPlanForm *self)
{
  const char *text = self->may_hear ? gtk_editable_get_text (GTK_EDITABLE (self->chunks_row)) : "";
  g_auto (GStrv) words = g_strsplit_set (text, ", ", -1);
  g_autoptr (GStrvBuilder) chunks = g_strv_builder_new ();
  guint n = 0;

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      {
        g_strv_builder_add (chunks, *word);
        n++;
      }
  if (n == 0)
    g_strv_builder_add (chunks, "0");
  return g_strv_builder_end (chunks);
}

static DynoPlan *
create_plan (DynoPlanForm *self, const char *const *backends)
{
  g_auto (GStrv) models = NULL;
  g_auto (GStrv) precisions = NULL;
  g_auto (GStrv) batch_sizes = NULL;
  g_auto (GStrv) sequence_lengths = NULL;
  g_auto (GStrv) tokens = NULL;
  g_auto (GStrv) images = NULL;
  g_auto (GStrv) threads = NULL;
  g_auto (GStrv) pinnings = NULL;
  g_auto (GStrv) of_engines = NULL;
  g_auto (GStrv) options = NULL;
  g_auto (GStrv) loads = NULL;
  g_auto (GStrv) chunks = NULL;
  g_autoptr (DynoMethod) method = NULL;

  models = dup_models (self);
  precisions = dyno_chips_row_dup_values (self->precision_row);
  batch_sizes = dyno_chips_row_dup_values (self->batch_row);
  sequence_lengths = dyno_chips_row_dup_values (self->sequence_row);
  tokens = dyno_chips_row_dup_values (self->tokens_row);
  images = gtk_widget_get_visible (GTK_WIDGET (self->images_row))
               ? dyno_chips_row_dup_values (self->images_row)
               : g_strdupv ((char *[]){ (char *)"1", NULL });
  threads = dyno_chips_row_dup_values (self->threads_row);
  pinnings = dyno_pinning_row_dup_policies (self->pinning_row);
  of_engines = dyno_backend_group_dup_options (self->backend_group);
  /* A suite may combine options in ways that rows cannot show. */
  options = self->suite != NULL
                ? g_strdupv ((char **)dyno_plan_get_options (self->suite))
                : dyno_stages_row_multiply (self->stages_row, (const char *const *)of_engines);
  loads = dyno_load_row_dup_loads (self->load_row);
  chunks = dup_chunks (self);
  method = dyno_method_group_create_method (self->method_group);
  return g_object_new (DYNO_TYPE_PLAN, "title", self->title, "models", models, "backends", backends,
                       "precisions", precisions, "seed", self->seed, "turns", self->turns, "batch-sizes",
                       batch_sizes, "sequence-lengths", sequence_lengths, "threads", threads, "pinnings",
                       pinnings, "options", options, "loads", loads, "generate-tokens", tokens, "images",
                       images, "chunks", chunks, "dimensions",
                       gtk_editable_get_text (GTK_EDITABLE (self->dimensions_row)), "inputs",
                       gtk_editable_get_text (GTK_EDITABLE (self->inputs_row)), "shuffle",
                       dyno_method_group_get_shuffle (self->method_group), "method", method, NULL);
}

/* A new window begins with the last choice. */
static void
remember (DynoPlanForm *self)
{
  g_autoptr (DynoPlan) plan = NULL;
  g_autofree char *json = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (GStrv) backends = NULL;

  if (!self->unsaved)
    return;
  self->unsaved = FALSE;
  backends = dyno_backend_group_dup_entries (self->backend_group);
  plan = create_plan (self, (const char *const *)backends);
  json = dyno_plan_to_json (plan);
  files = dyno_model_list_dup_files (self->model_list);
  g_settings_set_string (self->settings, "form", json);
  g_settings_set_value (self->settings, "where", dyno_where_group_save (self->where_group));
  g_settings_set_strv (self->settings, "model-files", (const char *const *)files);
}

static gboolean
settle_cb (gpointer user_data)
{
  DynoPlanForm *self = user_data;
  g_autofree char *problem = find_problem (self);

  self->settle_source = 0;
  remember (self);
  if (problem == NULL)
    {
      Request *request = g_new0 (Request, 1);

      request->plan = dyno_plan_form_create_plan (self);
      request->machine = g_strdup (self->machine);
      if (self->session != NULL)
        g_set_object (&request->store, dyno_app_session_get_store (self->session));
      self->counting = g_cancellable_new ();
      dyno_thread_task_run (self, self->counting, count_thread, request, request_free, count_cb);

      return G_SOURCE_REMOVE;
    }
  g_clear_pointer (&self->count, dyno_plan_count_free);
  notify_counting (self);
  return G_SOURCE_REMOVE;
}

static void
add_new (GPtrArray *words, const char *const *more)
{
  for (; more != NULL && *more != NULL; more++)
    if (!g_ptr_array_find_with_equal_func (words, *more, g_str_equal, NULL))
      g_ptr_array_add (words, g_strdup (*more));
}

/* The kinds of input of a model are known from its graph, which takes a while to outline. */
static void
describe_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GHashTable *kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, inputs_free);
  GHashTableIter iter;
  gpointer spec, model;

  g_hash_table_iter_init (&iter, task_data);
  while (g_hash_table_iter_next (&iter, &spec, &model))
    {
      Inputs *inputs = g_new0 (Inputs, 1);

      inputs->kinds = dyno_model_dup_modalities (model);
      inputs->hears = dyno_sound_is_heard (model);
      g_hash_table_insert (kinds, g_strdup (spec), inputs);
    }
  g_task_return_pointer (task, kinds, (GDestroyNotify)g_hash_table_unref);
}

static void update_cb (DynoPlanForm *self);

static void
describe_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);
  g_autoptr (GHashTable) kinds = g_task_propagate_pointer (G_TASK (result), NULL);
  GHashTableIter iter;
  gpointer spec, inputs;

  if (kinds == NULL)
    return;
  g_clear_object (&self->describing);
  g_hash_table_iter_init (&iter, kinds);
  while (g_hash_table_iter_next (&iter, &spec, &inputs))
    {
      g_hash_table_insert (self->kinds, spec, inputs);
      g_hash_table_iter_steal (&iter);
    }
  update_cb (self);
}

/* Offers kinds of input, numbers of images, lengths of sounds and stages if one of the ticked models has any. A model whose
 * inputs are not known yet may have all of them. */
static void
offer_parts (DynoPlanForm *self)
{
  g_auto (GStrv) specs = dyno_model_list_dup_selected (self->model_list);
  g_auto (GStrv) places = dyno_backend_group_dup_places (self->backend_group);
  g_autoptr (GPtrArray) kinds = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) stages = g_ptr_array_new_with_free_func (g_free);
  GHashTable *unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  gboolean sees = FALSE, hears = FALSE;

  g_cancellable_cancel (self->describing);
  g_clear_object (&self->describing);
  self->may_hear = FALSE;
  for (char **spec = specs; *spec != NULL; spec++)
    {
      DynoModel *model = dyno_model_list_find_model (self->model_list, *spec);
      const Inputs *inputs = g_hash_table_lookup (self->kinds, *spec);
      g_auto (GStrv) own = model != NULL ? dyno_model_dup_stages (model) : NULL;

      if (model != NULL && inputs == NULL)
        g_hash_table_insert (unknown, g_strdup (*spec), g_object_ref (model));
      if (inputs != NULL)
        add_new (kinds, (const char *const *)inputs->kinds);
      add_new (stages, (const char *const *)own);
      sees = sees || model == NULL || dyno_model_takes_images (model);
      self->may_hear = self->may_hear || inputs == NULL || inputs->hears;
      hears = hears || model == NULL || (inputs != NULL && inputs->hears);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->images_row), sees);
  gtk_widget_set_visible (GTK_WIDGET (self->chunks_row), hears);
  gtk_widget_set_visible (GTK_WIDGET (self->modality_row), kinds->len > 0);
  g_ptr_array_add (kinds, NULL);
  g_ptr_array_add (stages, NULL);
  if (kinds->len > 1 && g_hash_table_size (unknown) == 0)
    dyno_chips_row_offer (self->modality_row, (const char *const *)kinds->pdata);
  dyno_stages_row_offer (self->stages_row, (const char *const *)stages->pdata, (const char *const *)places);
  if (g_hash_table_size (unknown) > 0)
    {
      self->describing = g_cancellable_new ();
      dyno_thread_task_run (self, self->describing, describe_thread, unknown,
                            (GDestroyNotify)g_hash_table_unref, describe_cb);
      return;
    }
  g_hash_table_unref (unknown);
}

static void
update_cb (DynoPlanForm *self)
{
  const char *entry_problem;
  g_autofree char *problem = NULL;

  cancel_count (self);
  offer_parts (self);
  entry_problem = find_entry_problem (self);
  gtk_label_set_label (self->problem_label, entry_problem != NULL ? entry_problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem_label), entry_problem != NULL);
  dyno_suite_cards_mark (self->suite_cards, self->title);

  g_autofree char *missing =
      self->suite != NULL ? dyno_backend_group_dup_missing (self->backend_group, self->suite) : g_strdup ("");
  g_autofree char *text = g_strdup_printf (_ ("Some of the suite is not available here:\n%s"), missing);
  gtk_label_set_label (self->suite_label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->suite_label),
                          *missing != '\0' && !dyno_plan_form_is_elsewhere (self));

  problem = find_problem (self);
  /* A run counts its own cases, so a valid choice need not wait for the count. */
  if (problem != NULL || !self->ready)
    set_summary (self, problem == NULL, problem != NULL ? problem : _ ("Counting the cases…"));
  self->settle_source = g_timeout_add (SETTLE_DELAY_MS, settle_cb, self);
  notify_counting (self);
}

/* Groups below the backends appear after the backend rows, which would push them down. */
static void
backends_updated_cb (DynoPlanForm *self)
{
  g_auto (GStrv) served = dyno_backend_group_dup_served (self->backend_group);

  dyno_model_list_show_served (self->model_list, (const char *const *)served);
  gtk_widget_set_visible (self->lower_box, TRUE);
  update_cb (self);
}

static void
pointer_entered_cb (DynoPlanForm *self)
{
  dyno_backend_group_set_held (self->backend_group, TRUE);
}

static void
pointer_left_cb (DynoPlanForm *self)
{
  dyno_backend_group_set_held (self->backend_group, FALSE);
}

/* A suite's title applies only to the unchanged suite. */
static void
changed_cb (DynoPlanForm *self)
{
  g_clear_pointer (&self->title, g_free);
  g_clear_object (&self->suite);
  self->unsaved = TRUE;
  update_cb (self);
}

static void
where_changed_cb (DynoPlanForm *self)
{
  self->unsaved = TRUE;
  update_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ELSEWHERE]);
}

static void
dyno_plan_form_dispose (GObject *object)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  if (self->settings != NULL)
    remember (self);
  g_clear_object (&self->settings);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_PLAN_FORM);
  g_cancellable_cancel (self->describing);
  g_clear_object (&self->describing);
  cancel_count (self); /* last: a row that is removed may emit a change */

  G_OBJECT_CLASS (dyno_plan_form_parent_class)->dispose (object);
}

static void
dyno_plan_form_finalize (GObject *object)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);

  g_clear_object (&self->suite);
  g_hash_table_unref (self->kinds);
  g_free (self->title);
  g_free (self->summary);
  g_free (self->machine);
  g_clear_pointer (&self->count, dyno_plan_count_free);

  G_OBJECT_CLASS (dyno_plan_form_parent_class)->finalize (object);
}

static void
dyno_plan_form_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);

  switch (prop_id)
    {
    case PROP_READY:
      g_value_set_boolean (value, self->ready);
      break;
    case PROP_SUMMARY:
      g_value_set_string (value, self->summary);
      break;
    case PROP_COUNTING:
      g_value_set_boolean (value, dyno_plan_form_get_counting (self));
      break;
    case PROP_ELSEWHERE:
      g_value_set_boolean (value, dyno_plan_form_is_elsewhere (self));
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, gtk_widget_get_visible (GTK_WIDGET (self->forecast_view)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_plan_form_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      gtk_widget_set_visible (GTK_WIDGET (self->forecast_view), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_plan_form_class_init (DynoPlanFormClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_plan_form_dispose;
  object_class->finalize = dyno_plan_form_finalize;
  object_class->get_property = dyno_plan_form_get_property;
  object_class->set_property = dyno_plan_form_set_property;

  properties[PROP_READY] =
      g_param_spec_boolean ("ready", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SUMMARY] =
      g_param_spec_string ("summary", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_COUNTING] =
      g_param_spec_boolean ("counting", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ELSEWHERE] =
      g_param_spec_boolean ("elsewhere", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (DYNO_TYPE_BACKEND_GROUP);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_FORECAST_VIEW);
  g_type_ensure (DYNO_TYPE_METHOD_GROUP);
  g_type_ensure (DYNO_TYPE_MODEL_LIST);
  g_type_ensure (DYNO_TYPE_CHIPS_ROW);
  g_type_ensure (DYNO_TYPE_PINNING_ROW);
  g_type_ensure (DYNO_TYPE_QUEUE_GROUP);
  g_type_ensure (DYNO_TYPE_SCORE_VIEW);
  g_type_ensure (DYNO_TYPE_STAGES_ROW);
  g_type_ensure (DYNO_TYPE_SUBMISSION_GROUP);
  g_type_ensure (DYNO_TYPE_SUITE_CARDS);
  g_type_ensure (DYNO_TYPE_LOAD_ROW);
  g_type_ensure (DYNO_TYPE_WHERE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-plan-form.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, suite_cards);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, model_list);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, score_view);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, queue_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, submission_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, backend_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, lower_box);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, where_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, suite_label);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, precision_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, batch_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, sequence_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, threads_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, pinning_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, tokens_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, images_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, modality_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, stages_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, chunks_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, dimensions_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, inputs_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, load_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, problem_label);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, more_button);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, method_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPlanForm, forecast_view);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, where_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, backends_updated_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointer_entered_cb);
  gtk_widget_class_bind_template_callback (widget_class, pointer_left_cb);
}

/* The store may be opened before or after the first frame. */
static void
read_suites (DynoPlanForm *self)
{
  DynoStore *store = self->session != NULL ? dyno_app_session_get_store (self->session) : NULL;

  if (self->has_read_suites)
    return;
  self->has_read_suites = store != NULL;
  dyno_suite_cards_read (self->suite_cards, store);
}

static void
after_frame_cb (GtkWidget *widget)
{
  DynoPlanForm *self = DYNO_PLAN_FORM (widget);

  read_suites (self);
  if (self->session != NULL)
    g_signal_connect_object (self->session, "notify::store", G_CALLBACK (read_suites), self,
                             G_CONNECT_SWAPPED);
}

static void
dyno_plan_form_init (DynoPlanForm *self)
{
  g_autoptr (DynoPlan) usual = dyno_plan_new ();

  self->seed = dyno_plan_get_seed (usual);
  self->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, inputs_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* In large text it would make a narrow window wider. A label of our own would not give the button its name. */
  gtk_label_set_wrap (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->more_button))), TRUE);
  g_object_set (self->precision_row, "values", dyno_precision_list_all (), NULL);
  dyno_chips_row_set_values (self->images_row, dyno_plan_get_images (usual));
  self->settings = g_settings_new (APP_ID);

  g_autoptr (GVariant) where = g_settings_get_value (self->settings, "where");
  g_autofree char *json = g_settings_get_string (self->settings, "form");
  g_auto (GStrv) files = g_settings_get_strv (self->settings, "model-files");
  g_autoptr (DynoPlan) plan = *json != '\0' ? dyno_plan_new_from_json (json, NULL) : NULL;
  dyno_model_list_set_files (self->model_list, (const char *const *)files);
  if (plan != NULL)
    dyno_plan_form_set_plan (self, plan);
  dyno_where_group_restore (self->where_group, where);
  self->unsaved = FALSE;
  gtk_toggle_button_set_active (self->more_button, dyno_plan_form_is_elsewhere (self));
  dyno_after_frame (GTK_WIDGET (self), after_frame_cb);

  update_cb (self);
}

DynoPlan *
dyno_plan_form_create_plan (DynoPlanForm *self)
{
  g_auto (GStrv) backends = NULL;

  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), NULL);

  backends = dup_backends (self);
  return create_plan (self, (const char *const *)backends);
}

/* Returns whether the plan uses settings that are folded. */
static gboolean
needs_more (DynoPlan *plan)
{
  g_autoptr (DynoPlan) usual = dyno_plan_new ();

  return !g_strv_equal (dyno_plan_get_threads (plan), dyno_plan_get_threads (usual)) ||
         !g_strv_equal (dyno_plan_get_images (plan), dyno_plan_get_images (usual)) ||
         !g_strv_equal (dyno_plan_get_pinnings (plan), dyno_plan_get_pinnings (usual)) ||
         !g_strv_equal (dyno_plan_get_loads (plan), dyno_plan_get_loads (usual)) ||
         !g_strv_equal (dyno_plan_get_chunks (plan), dyno_plan_get_chunks (usual)) ||
         *dyno_plan_get_dimensions (plan) != '\0' || *dyno_plan_get_inputs (plan) != '\0';
}

/* Ticks the models of the plan, and chooses the kinds of input that any of them has. */
static void
show_models (DynoPlanForm *self, DynoPlan *plan)
{
  g_autoptr (GPtrArray) specs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) kinds = g_ptr_array_new_with_free_func (g_free);
  const char *const *models = dyno_plan_get_models (plan);

  for (const char *const *spec = models; *spec != NULL; spec++)
    {
      const char *kind;
      g_autofree char *whole = dyno_model_spec_split (*spec, &kind);

      add_new (specs, (const char *[]){ whole, NULL });
      if (kind != NULL && g_strv_contains (models, whole))
        add_new (kinds, (const char *[]){ WHOLE, NULL });
      if (kind != NULL)
        add_new (kinds, (const char *[]){ kind, NULL });
    }
  if (kinds->len == 0)
    g_ptr_array_add (kinds, g_strdup (WHOLE));
  g_ptr_array_add (specs, NULL);
  g_ptr_array_add (kinds, NULL);
  dyno_model_list_select (self->model_list, (const char *const *)specs->pdata);
  dyno_chips_row_set_values (self->modality_row, (const char *const *)kinds->pdata);
}

void
dyno_plan_form_set_plan (DynoPlanForm *self, DynoPlan *plan)
{
  g_auto (GStrv) threads = NULL;
  g_autofree char *dimensions = NULL;
  g_autofree char *chunks = NULL;
  gboolean shuffle;

  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  g_object_get (plan, "threads", &threads, "dimensions", &dimensions, "shuffle", &shuffle, NULL);
  show_models (self, plan);
  dyno_stages_row_set_options (self->stages_row, dyno_plan_get_options (plan));
  if (!g_strv_equal (dyno_plan_get_chunks (plan), (const char *const[]){ "0", NULL }))
    chunks = g_strjoinv (", ", (char **)dyno_plan_get_chunks (plan));
  dyno_backend_group_select (self->backend_group, plan);
  dyno_chips_row_set_values (self->precision_row, dyno_plan_get_precisions (plan));
  dyno_chips_row_set_values (self->batch_row, dyno_plan_get_batch_sizes (plan));
  dyno_chips_row_set_values (self->sequence_row, dyno_plan_get_sequence_lengths (plan));
  dyno_chips_row_set_values (self->threads_row, (const char *const *)threads);
  dyno_pinning_row_set_policies (self->pinning_row, dyno_plan_get_pinnings (plan));
  dyno_chips_row_set_values (self->tokens_row, dyno_plan_get_generate_tokens (plan));
  dyno_chips_row_set_values (self->images_row, dyno_plan_get_images (plan));
  gtk_editable_set_text (GTK_EDITABLE (self->chunks_row), chunks != NULL ? chunks : "");
  gtk_editable_set_text (GTK_EDITABLE (self->dimensions_row), dimensions != NULL ? dimensions : "");
  gtk_editable_set_text (GTK_EDITABLE (self->inputs_row), dyno_plan_get_inputs (plan));
  dyno_load_row_set_loads (self->load_row, dyno_plan_get_loads (plan));
  dyno_method_group_set_method (self->method_group, dyno_plan_get_method (plan));
  dyno_method_group_set_shuffle (self->method_group, shuffle);
  if (needs_more (plan))
    gtk_toggle_button_set_active (self->more_button, TRUE);
  self->seed = dyno_plan_get_seed (plan);
  self->turns = dyno_plan_get_turns (plan);
  g_free (self->title);
  self->title = g_strdup (dyno_plan_get_title (plan));
  g_set_object (&self->suite, plan);
  self->unsaved = TRUE;
  update_cb (self);
}

void
dyno_plan_form_reset (DynoPlanForm *self)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new ();

  g_return_if_fail (DYNO_IS_PLAN_FORM (self));

  dyno_plan_form_set_plan (self, plan);
  dyno_method_group_reset (self->method_group);
  changed_cb (self);
}

void
dyno_plan_form_focus_search (DynoPlanForm *self)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  dyno_model_list_focus_search (self->model_list);
}

void
dyno_plan_form_add_model (DynoPlanForm *self, const char *spec)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  dyno_model_list_add (self->model_list, spec);
}

void
dyno_plan_form_add_model_file (DynoPlanForm *self, GFile *file)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  dyno_model_list_add_file (self->model_list, file);
}

gboolean
dyno_plan_form_get_ready (DynoPlanForm *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), FALSE);
  return self->ready;
}

gboolean
dyno_plan_form_get_counting (DynoPlanForm *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), FALSE);
  return self->settle_source != 0 || self->counting != NULL || self->describing != NULL ||
         dyno_model_list_get_loading (self->model_list) ||
         dyno_backend_group_get_probing (self->backend_group);
}

gboolean
dyno_plan_form_is_elsewhere (DynoPlanForm *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), FALSE);
  return dyno_where_group_is_elsewhere (self->where_group);
}

static void
follower_changed_cb (DynoPlanForm *self)
{
  DynoClusterFollower *follower = dyno_app_session_get_follower (self->session);

  if (follower != NULL)
    dyno_submission_group_set_follower (self->submission_group, follower);
}

void
dyno_plan_form_set_session (DynoPlanForm *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  dyno_queue_group_set_session (self->queue_group, session);
  g_signal_connect_object (session, "notify::follower", G_CALLBACK (follower_changed_cb), self,
                           G_CONNECT_SWAPPED);
  follower_changed_cb (self);
}

void
dyno_plan_form_init_options (DynoPlanForm *self, DynoClusterOptions *options)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));
  dyno_where_group_init_options (self->where_group, options);
}

const char *
dyno_plan_form_get_summary (DynoPlanForm *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), NULL);
  return self->summary;
}

const DynoPlanCount *
dyno_plan_form_get_count (DynoPlanForm *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN_FORM (self), NULL);
  return self->count;
}

void
dyno_plan_form_show_score (DynoPlanForm *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_PLAN_FORM (self));

  dyno_score_view_show_newest (self->score_view, store);
}
