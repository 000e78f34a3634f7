/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-tune-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-engine-name.h"
#include "dyno-model.h"
#include "dyno-model-library.h"
#include "dyno-race.h"
#include "dyno-unit.h"

/* Long enough not to search for settings at every step of a number. */
#define SETTLE_DELAY_MS 200

struct _DynoTuneForm
{
  AdwBin parent_instance;

  DynoPlan *base; /* the plan to start from */
  char **specs;   /* of the models in the row */
  guint settle_source;
  GCancellable *planning;
  DynoPlan *race_plan;
  GPtrArray *stored; /* of DynoStoredSetting, with @race_plan */
  DynoStore *store;

  AdwComboRow *model_row;
  GtkSpinButton *sequence_spin;
  AdwComboRow *goal_row;
  GtkSpinButton *minutes_spin;
  AdwActionRow *only_row;
  GtkSwitch *only_switch;
  AdwExpanderRow *limits_row;
  DynoLimitRow *limit_rows[DYNO_N_LIMITS];
  GtkStack *space_stack;
  GtkLabel *summary_label;
  GtkListBox *axes_list;
  GtkLabel *advice_label;
  GtkLabel *problem_label;
};

enum
{
  PROP_0,
  PROP_READY,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoTuneForm, dyno_tune_form, ADW_TYPE_BIN)

static GParamSpec *properties[N_PROPS];

/* A thread searches for the settings to race. */
typedef struct
{
  DynoPlan *fixed;
  GHashTable *given;
  DynoGoal goal;
  double seconds;
  DynoStore *store;
} Request;

static void
request_free (Request *request)
{
  g_object_unref (request->fixed);
  g_hash_table_unref (request->given);
  g_clear_object (&request->store);
  g_free (request);
}

static void
set_race_plan (DynoTuneForm *self, DynoPlan *plan)
{
  gboolean was_ready = self->race_plan != NULL;

  g_set_object (&self->race_plan, plan);
  if (was_ready != (plan != NULL))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READY]);
}

static void
show_problem (DynoTuneForm *self, const char *problem)
{
  gtk_label_set_label (self->problem_label, problem);
  gtk_stack_set_visible_child_name (self->space_stack, "problem");
}

static const char *
get_left_out_words (const char *property)
{
  if (g_str_equal (property, "batch-sizes"))
    return _ ("There is no time to try other batch sizes.");
  return g_str_equal (property, "options") ? _ ("There is no time to try the options of the engines.")
                                           : _ ("There is no time to try other numbers of threads.");
}

static void
show_space (DynoTuneForm *self, const DynoRacePlan *plan)
{
  double seconds = dyno_tune_form_get_seconds (self);
  g_autofree char *first = dyno_unit_format_duration (plan->seconds);
  g_autofree char *all = dyno_unit_format_duration (seconds);
  g_autofree char *summary = dyno_race_plan_dup_text (plan, first, all);
  GString *text = g_string_new (NULL);
  for (char **property = plan->left_out; *property != NULL; property++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", get_left_out_words (*property));
  if (dyno_race_plan_is_too_short (plan, seconds))
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
                            _ ("The time is too short for a verdict."));
  if (text->len > 0)
    g_string_append_printf (text, " %s", _ ("Allow more time."));
  g_autofree char *advice = g_string_free (text, FALSE);

  gtk_label_set_label (self->summary_label, summary);
  gtk_label_set_label (self->advice_label, advice);
  gtk_widget_set_visible (GTK_WIDGET (self->advice_label), *advice != '\0');

  g_autoptr (GPtrArray) axes = dyno_race_plan_list_axes (plan);
  GtkWidget *row;
  dyno_list_box_clear (self->axes_list);
  for (guint i = 0; i < axes->len; i++)
    {
      const DynoRaceAxis *axis = axes->pdata[i];

      row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", axis->title, "subtitle",
                          axis->values, "subtitle-lines", 0, NULL);
      gtk_list_box_append (self->axes_list, row);
    }

  gtk_stack_set_visible_child_name (self->space_stack, "space");
}

static void
plan_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  DynoRacePlan *plan = dyno_race_plan_new (request->fixed, request->given, &request->goal, request->seconds,
                                           request->store, &error);

  if (plan != NULL)
    g_task_return_pointer (task, plan, (GDestroyNotify)dyno_race_plan_free);
  else
    g_task_return_error (task, error);
}

static void
planned_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoTuneForm *self = DYNO_TUNE_FORM (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRacePlan) plan = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *problem = plan != NULL ? dyno_race_plan_dup_problem (plan) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->planning);
  if (plan == NULL)
    show_problem (self, error->message);
  else if (problem != NULL)
    show_problem (self, problem);
  else
    {
      show_space (self, plan);
      g_clear_pointer (&self->stored, g_ptr_array_unref);
      self->stored = g_ptr_array_ref (plan->stored);
      set_race_plan (self, plan->plan);
    }
}

static const char *
get_spec (DynoTuneForm *self)
{
  guint selected = adw_combo_row_get_selected (self->model_row);

  return self->specs != NULL && selected < g_strv_length (self->specs) ? self->specs[selected] : NULL;
}

/* The model and its sizes are fixed; the race varies the settings. */
static DynoPlan *
create_fixed (DynoTuneForm *self)
{
  DynoPlan *plan = dyno_plan_new ();
  g_autofree char *length = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (self->sequence_spin));
  const char *const models[] = { get_spec (self), NULL };
  const char *const lengths[] = { length, NULL };
  const char *tokens[] = { "0", NULL };

  g_object_set (plan, "models", models, "sequence-lengths", lengths, NULL);
  if (self->base == NULL)
    return plan;
  if (*dyno_plan_get_generate_tokens (self->base) != NULL)
    tokens[0] = *dyno_plan_get_generate_tokens (self->base);
  g_object_set (plan, "generate-tokens", tokens, "dimensions", dyno_plan_get_dimensions (self->base),
                "inputs", dyno_plan_get_inputs (self->base), "seed", dyno_plan_get_seed (self->base), NULL);
  if (gtk_switch_get_active (self->only_switch))
    g_object_set (plan, "backends", dyno_plan_get_backends (self->base), NULL);
  return plan;
}

static gboolean
settle_cb (gpointer user_data)
{
  DynoTuneForm *self = user_data;
  Request *request = g_new0 (Request, 1);

  self->settle_source = 0;
  self->planning = g_cancellable_new ();
  request->fixed = create_fixed (self);
  request->given = g_hash_table_new (g_str_hash, g_str_equal);
  if (gtk_switch_get_active (self->only_switch))
    g_hash_table_add (request->given, (gpointer) "backends");
  dyno_tune_form_get_goal (self, &request->goal);
  request->seconds = dyno_tune_form_get_seconds (self);
  g_set_object (&request->store, self->store);
  dyno_thread_task_run (self, self->planning, plan_in_thread, request, (GDestroyNotify)request_free,
                        planned_cb);
  return G_SOURCE_REMOVE;
}

static void
forget_planning (DynoTuneForm *self)
{
  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (self->planning != NULL)
    g_cancellable_cancel (self->planning);
  g_clear_object (&self->planning);
}

static void
changed_cb (DynoTuneForm *self)
{
  forget_planning (self);
  set_race_plan (self, NULL);
  if (self->model_row == NULL || get_spec (self) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->space_stack, "looking");
  self->settle_source = g_timeout_add (SETTLE_DELAY_MS, settle_cb, self);
}

/* Models, whose names are read in a thread */

static const char *
get_wanted (DynoTuneForm *self)
{
  const char *const *models = self->base != NULL ? dyno_plan_get_models (self->base) : NULL;

  return models != NULL ? models[0] : NULL;
}

static void
add_model (GStrvBuilder *specs, GtkStringList *names, const char *spec, const char *name)
{
  g_strv_builder_add (specs, spec);
  gtk_string_list_append (names, name);
}

/* The race of the smallest model is the fastest, except for models that run several graphs, some of them many
 * times. */
static guint
find_smallest (GListModel *library)
{
  gint64 least = G_MAXINT64;
  guint smallest = 0;

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);
      gint64 n_parameters = dyno_model_get_parameter_count (model);

      if (n_parameters <= 0 || n_parameters >= least)
        continue;

      g_auto (GStrv) stages = dyno_model_dup_stages (model);
      if (g_strv_length (stages) >= 2)
        continue;
      least = n_parameters;
      smallest = i;
    }
  return smallest;
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, dyno_model_library_get_default (), g_object_unref);
}

static void
models_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoTuneForm *self = DYNO_TUNE_FORM (object);
  g_autoptr (GListModel) library = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GStrvBuilder) specs = g_strv_builder_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n, selected;

  if (self->model_row == NULL)
    return;
  n = g_list_model_get_n_items (library);
  selected = get_wanted (self) != NULL ? n : find_smallest (library);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (DynoModel) model = g_list_model_get_item (library, i);

      add_model (specs, names, dyno_model_get_id (model), dyno_model_get_name (model));
      if (g_strcmp0 (dyno_model_get_id (model), get_wanted (self)) == 0)
        selected = i;
    }
  if (selected == n && get_wanted (self) != NULL)
    {
      g_autofree char *name = g_path_get_basename (get_wanted (self));

      add_model (specs, names, get_wanted (self), name);
    }
  g_strfreev (self->specs);
  self->specs = g_strv_builder_end (specs);
  adw_combo_row_set_model (self->model_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->model_row, selected);
  changed_cb (self);
}

static void
load_models (DynoTuneForm *self)
{
  dyno_thread_task_run (self, NULL, load_in_thread, NULL, NULL, models_loaded_cb);
}

/* The class */

static void
dyno_tune_form_dispose (GObject *object)
{
  DynoTuneForm *self = DYNO_TUNE_FORM (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_TUNE_FORM);
  forget_planning (self); /* last: a row that is removed emits a change */
  g_clear_object (&self->base);
  g_clear_object (&self->race_plan);
  g_clear_pointer (&self->stored, g_ptr_array_unref);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (dyno_tune_form_parent_class)->dispose (object);
}

static void
dyno_tune_form_finalize (GObject *object)
{
  g_strfreev (DYNO_TUNE_FORM (object)->specs);

  G_OBJECT_CLASS (dyno_tune_form_parent_class)->finalize (object);
}

static void
dyno_tune_form_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_READY:
      g_value_set_boolean (value, dyno_tune_form_get_ready (DYNO_TUNE_FORM (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_tune_form_class_init (DynoTuneFormClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_tune_form_dispose;
  object_class->finalize = dyno_tune_form_finalize;
  object_class->get_property = dyno_tune_form_get_property;

  properties[PROP_READY] =
      g_param_spec_boolean ("ready", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-tune-form.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, model_row);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, sequence_spin);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, goal_row);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, minutes_spin);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, only_row);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, only_switch);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, space_stack);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, summary_label);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, axes_list);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, advice_label);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, problem_label);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneForm, limits_row);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
dyno_tune_form_init (DynoTuneForm *self)
{
  g_autoptr (GtkStringList) goals = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < DYNO_N_OBJECTIVES; i++)
    gtk_string_list_append (goals, dyno_objective_get_label (i));
  adw_combo_row_set_model (self->goal_row, G_LIST_MODEL (goals));
  dyno_compat_ignore_wheel (GTK_WIDGET (self->sequence_spin));
  dyno_compat_ignore_wheel (GTK_WIDGET (self->minutes_spin));
  dyno_unit_spin_set_unit (self->minutes_spin, _ ("min"));
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    {
      self->limit_rows[i] = dyno_limit_row_new (i);
      g_signal_connect_object (self->limit_rows[i], "changed", G_CALLBACK (changed_cb), self,
                               G_CONNECT_SWAPPED);
      adw_expander_row_add_row (self->limits_row, GTK_WIDGET (self->limit_rows[i]));
    }
  load_models (self);
}

void
dyno_tune_form_set_plan (DynoTuneForm *self, DynoPlan *plan)
{
  const char *const *lengths;
  g_autofree char *backends = NULL;

  g_return_if_fail (DYNO_IS_TUNE_FORM (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  lengths = dyno_plan_get_sequence_lengths (plan);
  backends = dyno_engine_name_dup_list (dyno_plan_get_backends (plan));
  g_set_object (&self->base, plan);
  adw_action_row_set_subtitle (self->only_row, backends);
  gtk_widget_set_visible (GTK_WIDGET (self->only_row), *backends != '\0');
  if (lengths != NULL && *lengths != NULL)
    gtk_spin_button_set_value (self->sequence_spin, (double)g_ascii_strtoull (*lengths, NULL, 10));
  if (self->specs != NULL)
    load_models (self);
}

void
dyno_tune_form_set_store (DynoTuneForm *self, DynoStore *store)
{
  g_return_if_fail (DYNO_IS_TUNE_FORM (self));
  g_set_object (&self->store, store);
}

GPtrArray *
dyno_tune_form_get_stored (DynoTuneForm *self)
{
  g_return_val_if_fail (DYNO_IS_TUNE_FORM (self), NULL);
  return self->race_plan != NULL ? self->stored : NULL;
}

gboolean
dyno_tune_form_get_ready (DynoTuneForm *self)
{
  g_return_val_if_fail (DYNO_IS_TUNE_FORM (self), FALSE);
  return self->race_plan != NULL;
}

DynoPlan *
dyno_tune_form_get_race_plan (DynoTuneForm *self)
{
  g_return_val_if_fail (DYNO_IS_TUNE_FORM (self), NULL);
  return self->race_plan;
}

void
dyno_tune_form_get_goal (DynoTuneForm *self, DynoGoal *goal)
{
  g_return_if_fail (DYNO_IS_TUNE_FORM (self));

  dyno_goal_init (goal, (DynoObjective)adw_combo_row_get_selected (self->goal_row));
  for (guint i = 0; i < DYNO_N_LIMITS; i++)
    dyno_limit_row_apply (self->limit_rows[i], goal);
}

double
dyno_tune_form_get_seconds (DynoTuneForm *self)
{
  g_return_val_if_fail (DYNO_IS_TUNE_FORM (self), 0);
  return 60 * gtk_spin_button_get_value (self->minutes_spin);
}
