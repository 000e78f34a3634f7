/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

static void
set_hidden (GtkWidget *widget, gboolean hidden)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_HIDDEN, hidden, -1);
}

static gboolean
mapped_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  set_hidden (g_value_get_object (&values[0]), FALSE);
  return G_SOURCE_CONTINUE;
}

/* A widget inside a page is unmapped with it, but stays a visible child. */
static gboolean
unmapped_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (!gtk_widget_get_child_visible (widget))
    set_hidden (widget, TRUE);
  return G_SOURCE_CONTINUE;
}

static void
add_hook (const char *signal, GSignalEmissionHook hook)
{
  g_signal_add_emission_hook (g_signal_lookup (signal, GTK_TYPE_WIDGET), 0, hook, NULL, NULL);
}

void
dyno_compat_hidden_mend (void)
{
  static gsize mended = 0;

  if (gtk_check_version (4, 18, 0) == NULL || !g_once_init_enter (&mended))
    return;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* the class defines the signals */
  add_hook ("map", mapped_cb);
  add_hook ("unmap", unmapped_cb);
  g_once_init_leave (&mended, 1);
}
