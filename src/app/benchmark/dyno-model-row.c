/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-model-reader.h"

struct _DynoModelRow
{
  AdwActionRow parent_instance;

  char *spec;
  char *problem;
  DynoModel *model;
  GCancellable *loading;

  GtkCheckButton *check;
  GtkSpinner *spinner;
  GtkImage *error_image;
  GtkLabel *size_label;
  GtkWidget *details_button;
  GtkButton *remove_button;
};

enum
{
  PROP_0,
  PROP_SPEC,
  PROP_SELECTED,
  PROP_PROBLEM,
  PROP_LOADING,
  N_PROPS
};

enum
{
  REMOVE,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoModelRow, dyno_model_row, ADW_TYPE_ACTION_ROW)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static char *
describe_size (gint64 count)
{
  g_autofree char *number = dyno_format_count (count);

  /* Translators: %s is a number, such as “109,482,240” */
  return g_strdup_printf (ngettext ("%s parameter", "%s parameters", (gulong)count), number);
}

static void
show_model (DynoModelRow *self, DynoModel *model)
{
  gint64 n_parameters = dyno_model_get_parameter_count (model);
  /* Translators: a number of millions or thousands of millions, as in “a model of 110 M parameters” */
  const char *unit = n_parameters < 999500000 ? _ ("M") : _ ("B");
  double number = n_parameters / (n_parameters < 999500000 ? 1e6 : 1e9);
  int decimals = number < 9.95 ? 1 : 0;
  g_autofree char *count = g_strdup_printf ("%.*f %s", decimals, number, unit);
  g_autofree char *size = describe_size (n_parameters);
  /* Translators: %s is the name of a model */
  g_autofree char *details = g_strdup_printf (_ ("Details of %s"), dyno_model_get_name (model));

  g_set_object (&self->model, model);
  /* Only the name of a server's model is known. */
  gtk_widget_set_visible (self->details_button, !dyno_model_is_served (model));
  gtk_widget_set_visible (GTK_WIDGET (self->size_label), !dyno_model_is_served (model));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), dyno_model_get_name (model));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), dyno_model_get_family_label (model));
  gtk_label_set_label (self->size_label, count);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->size_label), size);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->details_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  details, -1);
  /* The title already gives the name. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  dyno_model_is_served (model) ? dyno_model_get_family_label (model) : size,
                                  -1);
}

static void
load_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoModel *model = dyno_model_reader_load (task_data, cancellable, &error);

  if (model == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, model, g_object_unref);
}

static void
load_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  gtk_spinner_stop (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  if (model != NULL)
    show_model (self, model);
  else
    {
      self->problem = g_strdup (error->message);
      dyno_model_row_set_selected (self, FALSE);
      gtk_widget_set_sensitive (GTK_WIDGET (self->check), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->check), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->error_image), TRUE);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

/* The row has the focus, so screen readers must see it as the check box. */
static void
update_checked (DynoModelRow *self)
{
  gboolean selected = dyno_model_row_get_selected (self);

  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_CHECKED,
                               selected ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

static void
check_toggled_cb (DynoModelRow *self)
{
  update_checked (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

static void
details_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoModelRow *self = DYNO_MODEL_ROW (widget);
  GtkWidget *window;

  if (self->model == NULL || dyno_model_is_served (self->model))
    return;
  window = dyno_model_window_new (self->model);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (widget)));
  gtk_window_present (GTK_WINDOW (window));
}

static void
remove_clicked_cb (DynoModelRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static void
dyno_model_row_dispose (GObject *object)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->model);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_MODEL_ROW);

  G_OBJECT_CLASS (dyno_model_row_parent_class)->dispose (object);
}

static void
dyno_model_row_finalize (GObject *object)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  g_free (self->spec);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_model_row_parent_class)->finalize (object);
}

static void
dyno_model_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  switch (prop_id)
    {
    case PROP_SPEC:
      g_value_set_string (value, self->spec);
      break;
    case PROP_SELECTED:
      g_value_set_boolean (value, dyno_model_row_get_selected (self));
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, self->loading != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_model_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  switch (prop_id)
    {
    case PROP_SPEC:
      self->spec = g_value_dup_string (value);
      break;
    case PROP_SELECTED:
      dyno_model_row_set_selected (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
dyno_model_row_class_init (DynoModelRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_model_row_dispose;
  object_class->finalize = dyno_model_row_finalize;
  object_class->get_property = dyno_model_row_get_property;
  object_class->set_property = dyno_model_row_set_property;

  properties[PROP_SPEC] = g_param_spec_string (
      "spec", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SELECTED] = g_param_spec_boolean (
      "selected", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_PROBLEM] =
      g_param_spec_string ("problem", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LOADING] =
      g_param_spec_boolean ("loading", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[REMOVE] = g_signal_new ("remove", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_CHECKBOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-model-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, check);
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, error_image);
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, size_label);
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, details_button);
  gtk_widget_class_bind_template_child (widget_class, DynoModelRow, remove_button);
  gtk_widget_class_bind_template_callback (widget_class, check_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, remove_clicked_cb);
  gtk_widget_class_install_action (widget_class, "model.details", NULL, details_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_ALT_MASK, "model.details", NULL);
}

static void
dyno_model_row_init (DynoModelRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update_checked (self);
}

DynoModelRow *
dyno_model_row_new (DynoModel *model)
{
  DynoModelRow *self;

  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  self = g_object_new (DYNO_TYPE_MODEL_ROW, "spec", dyno_model_get_id (model), NULL);
  show_model (self, model);
  return self;
}

DynoModelRow *
dyno_model_row_new_added (const char *spec)
{
  DynoModelRow *self;
  g_autofree char *name = NULL;

  g_return_val_if_fail (spec != NULL, NULL);

  name = g_path_get_basename (spec);
  self = g_object_new (DYNO_TYPE_MODEL_ROW, "spec", spec, "title", name, "tooltip-text", spec, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->remove_button), TRUE);
  dyno_model_row_set_selected (self, TRUE);
  self->loading = g_cancellable_new ();
  gtk_spinner_start (self->spinner);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  dyno_thread_task_run (self, self->loading, load_thread, g_strdup (self->spec), g_free, load_cb);
  return self;
}

const char *
dyno_model_row_get_spec (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), NULL);
  return self->spec;
}

DynoModel *
dyno_model_row_get_model (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), NULL);
  return self->model;
}

gboolean
dyno_model_row_get_added (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), FALSE);
  return gtk_widget_get_visible (GTK_WIDGET (self->remove_button));
}

const char *
dyno_model_row_get_problem (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), NULL);
  return self->problem;
}

gboolean
dyno_model_row_get_selected (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), FALSE);
  return gtk_check_button_get_active (self->check);
}

void
dyno_model_row_set_selected (DynoModelRow *self, gboolean selected)
{
  g_return_if_fail (DYNO_IS_MODEL_ROW (self));
  gtk_check_button_set_active (self->check, selected && self->problem == NULL);
}

static gboolean
contains (const char *haystack, const char *folded_needle)
{
  g_autofree char *folded = haystack != NULL ? g_utf8_casefold (haystack, -1) : NULL;

  return folded != NULL && strstr (folded, folded_needle) != NULL;
}

gboolean
dyno_model_row_matches (DynoModelRow *self, const char *text)
{
  g_autofree char *folded = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  folded = g_utf8_casefold (text, -1);
  if (contains (self->spec, folded) ||
      contains (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)), folded))
    return TRUE;
  return self->model != NULL && (contains (adw_action_row_get_subtitle (ADW_ACTION_ROW (self)), folded) ||
                                 contains (dyno_model_get_task (self->model), folded) ||
                                 contains (dyno_model_get_architecture (self->model), folded));
}
