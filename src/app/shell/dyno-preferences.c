/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "benchmark/dyno-app-benchmark-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-backend.h"
#include "dyno-goal.h"
#include "dyno-http.h"

struct _DynoPreferences
{
  AdwWindow parent_instance;

  GSettings *settings;
  AdwPreferencesGroup *engines_group;
  AdwEntryRow *npm_row;
  AdwEntryRow *python_row;
  GtkLabel *address_problem_label;
  AdwEntryRow *price_row;
  GtkLabel *price_problem_label;
  GtkSwitch *ceilings_switch;
  DynoMethodGroup *method_group;
};

G_DEFINE_FINAL_TYPE (DynoPreferences, dyno_preferences, ADW_TYPE_WINDOW)

static void
address_applied_cb (DynoPreferences *self, AdwEntryRow *row)
{
  g_autofree char *address = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  g_autofree char *problem = NULL;

  if (*address == '\0' || dyno_http_is_address (address))
    {
      gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
      g_settings_set_string (self->settings, row == self->npm_row ? "npm-registry" : "python-index", address);
    }
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (row), "error");
      problem = g_strdup_printf (
          _ ("“%s” is not the address of a server. Such an address begins with https:// or http://."),
          address);
    }
  gtk_label_set_label (self->address_problem_label, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->address_problem_label), problem != NULL);
}

static void
price_applied_cb (DynoPreferences *self, AdwEntryRow *row)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  g_autoptr (GError) error = NULL;
  DynoPrice price;

  if (dyno_price_parse (&price, text, &error))
    {
      gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
      g_settings_set_string (self->settings, "cost-per-hour", text);
    }
  else
    gtk_widget_add_css_class (GTK_WIDGET (row), "error");
  gtk_label_set_label (self->price_problem_label, error != NULL ? error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->price_problem_label), error != NULL);
}

static void
show_address (AdwEntryRow *row, GSettings *settings, const char *key)
{
  g_autofree char *address = g_settings_get_string (settings, key);

  gtk_editable_set_text (GTK_EDITABLE (row), address);
}

/* The group follows the settings itself; this applies the group to the settings. Their keys are named after the properties
 * of the method. */
static void
method_changed_cb (DynoPreferences *self)
{
  g_autoptr (DynoMethod) method = dyno_method_group_create_method (self->method_group);
  guint n;
  g_autofree GParamSpec **properties = g_object_class_list_properties (G_OBJECT_GET_CLASS (method), &n);

  if (self->settings == NULL)
    return;

  for (guint i = 0; i < n; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (method), properties[i]->name, &value);
      if (G_VALUE_HOLDS_STRING (&value))
        g_settings_set_string (self->settings, properties[i]->name, g_value_get_string (&value));
      else if (G_VALUE_HOLDS_UINT (&value))
        g_settings_set_uint (self->settings, properties[i]->name, g_value_get_uint (&value));
      else
        g_settings_set_double (self->settings, properties[i]->name, g_value_get_double (&value));
    }
  g_settings_set_boolean (self->settings, "shuffle", dyno_method_group_get_shuffle (self->method_group));
}

static void
restore_method_cb (DynoPreferences *self)
{
  g_autoptr (DynoMethod) method = dyno_method_new ();
  guint n;
  g_autofree GParamSpec **properties = g_object_class_list_properties (G_OBJECT_GET_CLASS (method), &n);

  for (guint i = 0; i < n; i++)
    g_settings_reset (self->settings, properties[i]->name);
  g_settings_reset (self->settings, "shuffle");
}

static void
dyno_preferences_dispose (GObject *object)
{
  DynoPreferences *self = DYNO_PREFERENCES (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_PREFERENCES);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (dyno_preferences_parent_class)->dispose (object);
}

static void
dyno_preferences_class_init (DynoPreferencesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_preferences_dispose;

  g_type_ensure (DYNO_TYPE_METHOD_GROUP);
  g_type_ensure (DYNO_TYPE_PATH_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, engines_group);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, npm_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, python_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, address_problem_label);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, price_row);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, price_problem_label);
  gtk_widget_class_bind_template_callback (widget_class, price_applied_cb);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, ceilings_switch);
  gtk_widget_class_bind_template_child (widget_class, DynoPreferences, method_group);
  gtk_widget_class_bind_template_callback (widget_class, address_applied_cb);
  gtk_widget_class_bind_template_callback (widget_class, method_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, restore_method_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_preferences_init (DynoPreferences *self)
{
  GPtrArray *paths = dyno_engine_path_list ();

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < paths->len; i++)
    if (((const DynoEnginePath *)paths->pdata[i])->title != NULL)
      adw_preferences_group_add (self->engines_group, dyno_path_row_new (paths->pdata[i]));
}

GtkWidget *
dyno_preferences_new (GSettings *settings)
{
  DynoPreferences *self = g_object_new (DYNO_TYPE_PREFERENCES, NULL);

  g_return_val_if_fail (G_IS_SETTINGS (settings), GTK_WIDGET (self));

  self->settings = g_object_ref (settings);
  show_address (self->npm_row, settings, "npm-registry");
  show_address (self->python_row, settings, "python-index");
  show_address (self->price_row, settings, "cost-per-hour");
  g_settings_bind (settings, "measure-ceilings", self->ceilings_switch, "active", G_SETTINGS_BIND_DEFAULT);
  return GTK_WIDGET (self);
}
