/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-engines-private.h"

struct _DynoOptionRow
{
  AdwActionRow parent_instance;

  DynoBackend *backend;
  const DynoBackendOption *option;
  char *problem;
  GtkDropDown *drop_down; /* if the values are known, else %NULL */
  GtkEditable *entry;
};

enum
{
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoOptionRow, dyno_option_row, ADW_TYPE_ACTION_ROW)

static guint signals[N_SIGNALS];

static void
changed_cb (DynoOptionRow *self)
{
  g_auto (GStrv) values = dyno_option_row_dup_values (self);
  g_autofree char *problem = NULL;

  for (char **value = values; *value != NULL && problem == NULL; value++)
    {
      g_autoptr (GError) error = NULL;

      if (!dyno_backend_check_option (self->backend, self->option->name, *value, &error))
        problem = g_strdup (error->message);
    }

  if (self->entry != NULL)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                                 problem != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                                 -1);
  if (problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
  g_free (self->problem);
  self->problem = g_steal_pointer (&problem);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* The default comes first, then the other values, then all of them. */
static GtkWidget *
create_drop_down (DynoOptionRow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *const *values = self->option->values;

  /* Translators: %s is what an option of an engine is if nobody says otherwise */
  gtk_string_list_take (names, g_strdup_printf (_ ("%s (default)"), values[0]));
  for (guint i = 1; values[i] != NULL; i++)
    gtk_string_list_append (names, values[i]);
  gtk_string_list_append (names, _ ("Compare All"));
  return g_object_new (GTK_TYPE_DROP_DOWN, "model", names, "valign", GTK_ALIGN_CENTER, NULL);
}

static void
dyno_option_row_finalize (GObject *object)
{
  DynoOptionRow *self = DYNO_OPTION_ROW (object);

  g_clear_object (&self->backend);
  g_free (self->problem);

  G_OBJECT_CLASS (dyno_option_row_parent_class)->finalize (object);
}

static void
dyno_option_row_class_init (DynoOptionRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_option_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_option_row_init (DynoOptionRow *self)
{
}

GtkWidget *
dyno_option_row_new (DynoBackend *backend, const DynoBackendOption *option)
{
  DynoOptionRow *self;

  g_return_val_if_fail (DYNO_IS_BACKEND (backend), NULL);
  g_return_val_if_fail (option != NULL && option->name != NULL, NULL);

  self = g_object_new (DYNO_TYPE_OPTION_ROW, "use-markup", FALSE, "title", option->name, "subtitle",
                       _ (option->summary), NULL);
  self->backend = g_object_ref (backend);
  self->option = option;

  gboolean has_values = self->option->values != NULL;
  GtkWidget *widget =
      has_values
          ? create_drop_down (self)
          : g_object_new (GTK_TYPE_ENTRY, "placeholder-text", _ ("Default"), "width-chars", 8,
                          "max-width-chars", option->is_path ? 24 : 12, "valign", GTK_ALIGN_CENTER,
                          "tooltip-text",
                          option->is_path ? _ ("Full paths, with commas between them; empty for the default")
                                          : _ ("Whole numbers, such as “1, 2, 4”; empty for the default"),
                          NULL);
  if (has_values)
    self->drop_down = GTK_DROP_DOWN (widget);
  else
    self->entry = GTK_EDITABLE (widget);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, self->option->name,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), widget);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), widget);
  g_signal_connect_object (widget, has_values ? "notify::selected" : "changed", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED);

  return GTK_WIDGET (self);
}

const char *
dyno_option_row_get_name (DynoOptionRow *self)
{
  g_return_val_if_fail (DYNO_IS_OPTION_ROW (self), NULL);
  return self->option->name;
}

const char *
dyno_option_row_get_problem (DynoOptionRow *self)
{
  g_return_val_if_fail (DYNO_IS_OPTION_ROW (self), NULL);
  return self->problem;
}

char **
dyno_option_row_dup_values (DynoOptionRow *self)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  g_return_val_if_fail (DYNO_IS_OPTION_ROW (self), NULL);

  if (self->drop_down != NULL)
    {
      const char *const *all = self->option->values;
      guint selected = gtk_drop_down_get_selected (self->drop_down);

      if (selected >= g_strv_length ((char **)all))
        return g_strdupv ((char **)all);
      if (selected > 0)
        g_strv_builder_add (values, all[selected]);
    }
  else
    {
      g_auto (GStrv) parts =
          g_strsplit_set (gtk_editable_get_text (self->entry), self->option->is_path ? "," : ", ;", -1);

      for (char **part = parts; *part != NULL; part++)
        if (*g_strstrip (*part) != '\0')
          g_strv_builder_add (values, *part);
    }
  return g_strv_builder_end (values);
}

void
dyno_option_row_set_values (DynoOptionRow *self, const char *const *values)
{
  g_autofree char *text = NULL;

  g_return_if_fail (DYNO_IS_OPTION_ROW (self));
  g_return_if_fail (values != NULL);

  if (self->drop_down != NULL)
    {
      guint n_known = g_strv_length ((char **)self->option->values);
      guint selected = 0;

      if (values[0] != NULL && values[1] != NULL)
        selected = n_known;
      else if (values[0] != NULL)
        while (selected < n_known && !g_str_equal (self->option->values[selected], values[0]))
          selected++;
      gtk_drop_down_set_selected (self->drop_down, selected);

      return;
    }
  text = g_strjoinv (", ", (char **)values);
  gtk_editable_set_text (self->entry, text);
}
