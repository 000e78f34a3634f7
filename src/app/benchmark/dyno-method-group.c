/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-priority.h"

#define N_SPINS 12

struct _DynoMethodGroup
{
  AdwPreferencesGroup parent_instance;

  GSettings *settings;
  GtkSpinButton *spins[N_SPINS];
  GtkSwitch *priority_switch;
  GtkSwitch *shuffle_switch;
  AdwExpanderRow *method_row;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoMethodGroup, dyno_method_group, ADW_TYPE_PREFERENCES_GROUP)

static guint signals[N_SIGNALS];

/* Each name is that of a property of DynoMethod, of a settings key and of a spin button. */
static const struct
{
  const char *name;
  const char *unit; /* a symbol, the same in all languages; %NULL for a count */
} fields[N_SPINS] = {
  { "invocations", NULL },        { "min-seconds", "s" },
  { "max-seconds", "s" },         { "min-samples", NULL },
  { "interval-percent", "%" },    { "warmup-seconds", "s" },
  { "warmup-steps", NULL },       { "sampling-milliseconds", "ms" },
  { "power-milliseconds", "ms" }, { "idle-seconds", "s" },
  { "tdp-watts", "W" },           { "wait-quiet", "s" },
};

static GtkSpinButton *
get_spin (DynoMethodGroup *self, const char *name)
{
  for (guint i = 0; i < N_SPINS; i++)
    {
      if (g_str_equal (fields[i].name, name))
        return self->spins[i];
    }
  g_return_val_if_reached (NULL);
}

/* The folded row shows the most important numbers. */
static void
update_subtitle (DynoMethodGroup *self)
{
  guint n_invocations = (guint)gtk_spin_button_get_value_as_int (get_spin (self, "invocations"));
  double least = gtk_spin_button_get_value (get_spin (self, "min-seconds"));
  double most = gtk_spin_button_get_value (get_spin (self, "max-seconds"));
  double percent = gtk_spin_button_get_value (get_spin (self, "interval-percent"));
  g_autofree char *text = NULL;

  if (least < most)
    text = g_strdup_printf (
        /* Translators: how often a case is measured, how long at least and at most in seconds, and the precision aimed at */
        ngettext ("%u process, %g to %g s per case · target precision %g %%",
                  "%u processes, %g to %g s per case · target precision %g %%", n_invocations),
        n_invocations, least, most, percent);
  else
    text = g_strdup_printf (
        /* Translators: how often a case is measured, how long in seconds, and the precision aimed at */
        ngettext ("%u process, %g s per case · target precision %g %%",
                  "%u processes, %g s per case · target precision %g %%", n_invocations),
        n_invocations, most, percent);
  adw_expander_row_set_subtitle (self->method_row, text);
}

static void
changed_cb (DynoMethodGroup *self)
{
  if (self->settings == NULL)
    return;
  update_subtitle (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* GTK lays out folded rows unless they are invisible, which would delay the first frame. */
static void
set_fields_visible (DynoMethodGroup *self, gboolean visible)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (self->shuffle_switch), ADW_TYPE_ACTION_ROW);

  gtk_widget_set_visible (row, visible);
  row = gtk_widget_get_ancestor (GTK_WIDGET (self->priority_switch), ADW_TYPE_ACTION_ROW);
  gtk_widget_set_visible (row, visible);
  for (guint i = 0; i < N_SPINS; i++)
    {
      row = gtk_widget_get_ancestor (GTK_WIDGET (self->spins[i]), ADW_TYPE_ACTION_ROW);
      gtk_widget_set_visible (row, visible);
    }
}

static void
expanded_cb (DynoMethodGroup *self)
{
  set_fields_visible (self, TRUE);
}

static void
dyno_method_group_dispose (GObject *object)
{
  DynoMethodGroup *self = DYNO_METHOD_GROUP (object);

  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_METHOD_GROUP);

  G_OBJECT_CLASS (dyno_method_group_parent_class)->dispose (object);
}

static void
dyno_method_group_class_init (DynoMethodGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_method_group_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-method-group.ui");
  for (guint i = 0; i < N_SPINS; i++)
    gtk_widget_class_bind_template_child_full (widget_class, fields[i].name, FALSE,
                                               G_STRUCT_OFFSET (DynoMethodGroup, spins) +
                                                   i * sizeof (gpointer));
  gtk_widget_class_bind_template_child (widget_class, DynoMethodGroup, priority_switch);
  gtk_widget_class_bind_template_child (widget_class, DynoMethodGroup, shuffle_switch);
  gtk_widget_class_bind_template_child (widget_class, DynoMethodGroup, method_row);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, expanded_cb);
}

static gboolean
is_high (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_boolean (value, g_str_equal (g_variant_get_string (variant, NULL), DYNO_PRIORITY_HIGH));
  return TRUE;
}

/* Binding also applies the current settings. */
static void
follow_settings (DynoMethodGroup *self)
{
  for (guint i = 0; i < N_SPINS; i++)
    g_settings_bind (self->settings, fields[i].name, gtk_spin_button_get_adjustment (self->spins[i]), "value",
                     G_SETTINGS_BIND_GET);
  g_settings_bind_with_mapping (self->settings, "priority", self->priority_switch, "active",
                                G_SETTINGS_BIND_GET, is_high, NULL, NULL, NULL);
  g_settings_bind (self->settings, "shuffle", self->shuffle_switch, "active", G_SETTINGS_BIND_GET);
}

static void
dyno_method_group_init (DynoMethodGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_fields_visible (self, FALSE);
  for (guint i = 0; i < N_SPINS; i++)
    {
      dyno_compat_ignore_wheel (GTK_WIDGET (self->spins[i]));
      if (fields[i].unit != NULL)
        dyno_unit_spin_set_unit (self->spins[i], fields[i].unit);
    }
  self->settings = g_settings_new (APP_ID);
  follow_settings (self);
  update_subtitle (self);
}

DynoMethod *
dyno_method_group_create_method (DynoMethodGroup *self)
{
  DynoMethod *method;

  g_return_val_if_fail (DYNO_IS_METHOD_GROUP (self), NULL);

  method = dyno_method_new ();
  for (guint i = 0; i < N_SPINS; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_DOUBLE);
      g_value_set_double (&value, gtk_spin_button_get_value (self->spins[i]));
      g_object_set_property (G_OBJECT (method), fields[i].name, &value);
    }
  g_object_set (method, "priority",
                gtk_switch_get_active (self->priority_switch) ? DYNO_PRIORITY_HIGH : DYNO_PRIORITY_NORMAL,
                NULL);
  return method;
}

void
dyno_method_group_set_method (DynoMethodGroup *self, DynoMethod *method)
{
  g_return_if_fail (DYNO_IS_METHOD_GROUP (self));
  g_return_if_fail (DYNO_IS_METHOD (method));

  for (guint i = 0; i < N_SPINS; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_DOUBLE);
      g_object_get_property (G_OBJECT (method), fields[i].name, &value);
      gtk_spin_button_set_value (self->spins[i], g_value_get_double (&value));
    }
  gtk_switch_set_active (self->priority_switch,
                         g_str_equal (dyno_method_get_priority (method), DYNO_PRIORITY_HIGH));
}

gboolean
dyno_method_group_get_shuffle (DynoMethodGroup *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD_GROUP (self), FALSE);
  return gtk_switch_get_active (self->shuffle_switch);
}

void
dyno_method_group_set_shuffle (DynoMethodGroup *self, gboolean shuffle)
{
  g_return_if_fail (DYNO_IS_METHOD_GROUP (self));
  gtk_switch_set_active (self->shuffle_switch, shuffle);
}

void
dyno_method_group_reset (DynoMethodGroup *self)
{
  g_return_if_fail (DYNO_IS_METHOD_GROUP (self));

  follow_settings (self);
}

char *
dyno_method_group_dup_problem (DynoMethodGroup *self)
{
  g_return_val_if_fail (DYNO_IS_METHOD_GROUP (self), NULL);

  if (gtk_spin_button_get_value (get_spin (self, "max-seconds")) <
      gtk_spin_button_get_value (get_spin (self, "min-seconds")))
    return g_strdup (_ ("The maximum duration is below the minimum duration."));
  return NULL;
}
