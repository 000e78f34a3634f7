/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-model-reader.h"

struct _DynoModelRow
{
  GtkListBoxRow parent_instance;

  char *spec;
  char *name;
  char *problem;
  DynoModel *model;
  GCancellable *loading;
  gboolean is_added;
  gboolean is_selected;
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

G_DEFINE_FINAL_TYPE (DynoModelRow, dyno_model_row, GTK_TYPE_LIST_BOX_ROW)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* Only the name of a server's model is known. */
static gboolean
has_details (DynoModelRow *self)
{
  return self->model != NULL && !dyno_model_is_served (self->model);
}

static const char *
get_subtitle (DynoModelRow *self)
{
  if (self->problem != NULL)
    return self->problem;
  return self->model != NULL ? dyno_model_get_family_label (self->model) : "";
}

static char *
dup_size (DynoModelRow *self)
{
  gint64 count = dyno_model_get_parameter_count (self->model);
  g_autofree char *number = dyno_format_count (count);

  /* Translators: %s is a number, such as “109,482,240” */
  return g_strdup_printf (ngettext ("%s parameter", "%s parameters", (gulong)count), number);
}

static void
append_label (GtkWidget *box, const char *text, const char *style)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "visible", *text != '\0', "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0.0, NULL);

  gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
}

static void
remove_clicked_cb (DynoModelRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static GtkWidget *
create_state (DynoModelRow *self)
{
  GtkWidget *widget;

  if (self->problem != NULL)
    {
      widget = g_object_new (GTK_TYPE_IMAGE, "icon-name", "dialog-error-symbolic", "margin-end", 6, NULL);
      gtk_widget_add_css_class (widget, "error");
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("This model cannot be read"), -1);
      return widget;
    }
  /* The row is the box to tick for a screen reader, which would find two of one name. A check button that is only
   * unfocusable claims to have taken the focus nonetheless, and Tab would stop here. */
  widget = g_object_new (GTK_TYPE_CHECK_BUTTON, "can-focus", FALSE, "accessible-role",
                         GTK_ACCESSIBLE_ROLE_PRESENTATION, "valign", GTK_ALIGN_CENTER, "margin-end", 6, NULL);
  g_object_bind_property (self, "selected", widget, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  return widget;
}

static void
append_details (DynoModelRow *self, GtkWidget *box)
{
  gint64 n_parameters = dyno_model_get_parameter_count (self->model);
  /* Translators: a number of millions or thousands of millions, as in “a model of 110 M parameters” */
  const char *unit = n_parameters < 999500000 ? _ ("M") : _ ("B");
  double number = n_parameters / (n_parameters < 999500000 ? 1e6 : 1e9);
  int decimals = number < 9.95 ? 1 : 0;
  g_autofree char *count = g_strdup_printf ("%.*f %s", decimals, number, unit);
  g_autofree char *size = dup_size (self);
  /* Translators: %s is the name of a model */
  g_autofree char *details = g_strdup_printf (_ ("Details of %s"), self->name);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", count, "valign", GTK_ALIGN_CENTER, NULL);
  GtkWidget *button = dyno_icon_button_new ("help-about-symbolic", _ ("Details (Alt+Enter)"));

  dyno_tooltip_set (label, size);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  /* The list is one stop for Tab; on the keyboard Alt+Enter does the same. */
  g_object_set (button, "can-focus", FALSE, "action-name", "model.details", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, details, -1);
  gtk_box_append (GTK_BOX (box), button);
}

/* The style classes give a box the look of an AdwActionRow, which takes twice as many widgets. */
static void
show_content (DynoModelRow *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "valign", GTK_ALIGN_CENTER, NULL);
  GtkWidget *titles = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "valign",
                                    GTK_ALIGN_CENTER, "hexpand", TRUE, NULL);

  gtk_widget_add_css_class (box, "header");
  gtk_box_append (GTK_BOX (box), create_state (self));
  gtk_widget_add_css_class (titles, "title");
  append_label (titles, self->name, "title");
  append_label (titles, get_subtitle (self), "subtitle");
  gtk_box_append (GTK_BOX (box), titles);
  if (self->loading != NULL)
    {
      GtkWidget *spinner = g_object_new (GTK_TYPE_SPINNER, "valign", GTK_ALIGN_CENTER, "tooltip-text",
                                         _ ("Reading the model"), NULL);

      /* A spinner that turns on a page that is not shown would draw frames all the time. */
      g_signal_connect (spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
      g_signal_connect (spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
      gtk_accessible_update_property (GTK_ACCESSIBLE (spinner), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Reading the model"), -1);
      gtk_box_append (GTK_BOX (box), spinner);
    }
  if (has_details (self))
    append_details (self, box);
  if (self->is_added)
    {
      GtkWidget *button = dyno_icon_button_new ("list-remove-symbolic", _ ("Remove From the List"));

      g_signal_connect_object (button, "clicked", G_CALLBACK (remove_clicked_cb), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

/* Screen readers get all that the row says, whether or not it has its content. */
static void
update (DynoModelRow *self)
{
  g_autofree char *size = has_details (self) ? dup_size (self) : NULL;

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  size != NULL ? size : get_subtitle (self), -1);
  if (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)) == NULL)
    return;

  /* Only the last button of the content, which is replaced, can have the focus. */
  gboolean had_focus = dyno_focus_find_within (GTK_WIDGET (self)) != NULL;
  show_content (self);
  if (had_focus)
    gtk_widget_grab_focus (gtk_widget_get_last_child (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self))));
}

static void
set_model (DynoModelRow *self, DynoModel *model)
{
  g_set_object (&self->model, model);
  g_free (self->name);
  self->name = g_strdup (dyno_model_get_name (model));
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
  if (model != NULL)
    set_model (self, model);
  else
    {
      self->problem = g_strdup (error->message);
      dyno_model_row_set_selected (self, FALSE);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
    }
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

static void
details_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoModelRow *self = DYNO_MODEL_ROW (widget);
  GtkWidget *window;

  if (!has_details (self))
    return;
  window = dyno_model_window_new (self->model);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (widget)));
  gtk_window_present (GTK_WINDOW (window));
}

static void
dyno_model_row_dispose (GObject *object)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->model);

  G_OBJECT_CLASS (dyno_model_row_parent_class)->dispose (object);
}

static void
dyno_model_row_finalize (GObject *object)
{
  DynoModelRow *self = DYNO_MODEL_ROW (object);

  g_free (self->spec);
  g_free (self->name);
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
  gtk_widget_class_install_action (widget_class, "model.details", NULL, details_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_ALT_MASK, "model.details", NULL);
}

static void
dyno_model_row_init (DynoModelRow *self)
{
  /* The row has the focus, so screen readers must see it as the check box. */
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_CHECKED,
                               GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

DynoModelRow *
dyno_model_row_new (DynoModel *model)
{
  DynoModelRow *self;

  g_return_val_if_fail (DYNO_IS_MODEL (model), NULL);

  self = g_object_new (DYNO_TYPE_MODEL_ROW, "spec", dyno_model_get_id (model), NULL);
  set_model (self, model);
  update (self);
  return self;
}

DynoModelRow *
dyno_model_row_new_added (const char *spec)
{
  DynoModelRow *self;

  g_return_val_if_fail (spec != NULL, NULL);

  self = g_object_new (DYNO_TYPE_MODEL_ROW, "spec", spec, "tooltip-text", spec, NULL);
  self->name = g_path_get_basename (spec);
  self->is_added = TRUE;
  self->loading = g_cancellable_new ();
  dyno_model_row_set_selected (self, TRUE);
  update (self);
  dyno_thread_task_run (self, self->loading, load_thread, g_strdup (self->spec), g_free, load_cb);
  return self;
}

void
dyno_model_row_fill (DynoModelRow *self)
{
  g_return_if_fail (DYNO_IS_MODEL_ROW (self));

  if (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)) == NULL)
    show_content (self);
}

const char *
dyno_model_row_get_name (DynoModelRow *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), NULL);
  return self->name;
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
  return self->is_added;
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
  return self->is_selected;
}

void
dyno_model_row_set_selected (DynoModelRow *self, gboolean selected)
{
  g_return_if_fail (DYNO_IS_MODEL_ROW (self));

  selected = selected && self->problem == NULL;
  if (self->is_selected == selected)
    return;
  self->is_selected = selected;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_CHECKED,
                               selected ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

gboolean
dyno_model_row_matches (DynoModelRow *self, const char *text)
{
  g_autofree char *needle = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL_ROW (self), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  const char *words[] = { self->spec, self->name, self->model != NULL ? get_subtitle (self) : NULL,
                          self->model != NULL ? dyno_model_get_task (self->model) : NULL,
                          self->model != NULL ? dyno_model_get_architecture (self->model) : NULL };
  needle = g_utf8_casefold (text, -1);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *folded = words[i] != NULL ? g_utf8_casefold (words[i], -1) : NULL;

      if (folded != NULL && strstr (folded, needle) != NULL)
        return TRUE;
    }
  return FALSE;
}
