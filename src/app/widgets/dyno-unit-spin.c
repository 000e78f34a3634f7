/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

static const char *
get_unit (GtkSpinButton *spin)
{
  return g_object_get_data (G_OBJECT (spin), "unit");
}

static gboolean
output_cb (GtkSpinButton *spin)
{
  g_autofree char *text =
      g_strdup_printf ("%.*f %s", (int)gtk_spin_button_get_digits (spin),
                       gtk_adjustment_get_value (gtk_spin_button_get_adjustment (spin)), get_unit (spin));

  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (spin)), text))
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

/* Accepts the number with or without its unit. */
static int
input_cb (GtkSpinButton *spin, double *value)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin)));
  char *end;

  *value = g_strtod (g_strstrip (text), &end);
  return end != text && (*end == '\0' || g_str_equal (g_strchug (end), get_unit (spin))) ? TRUE
                                                                                         : GTK_INPUT_ERROR;
}

void
dyno_unit_spin_set_unit (GtkSpinButton *spin, const char *unit)
{
  g_return_if_fail (GTK_IS_SPIN_BUTTON (spin));
  g_return_if_fail (unit != NULL);

  g_object_set_data_full (G_OBJECT (spin), "unit", g_strdup (unit), g_free);
  gtk_spin_button_set_numeric (spin, FALSE);
  g_signal_connect (spin, "input", G_CALLBACK (input_cb), NULL);
  g_signal_connect (spin, "output", G_CALLBACK (output_cb), NULL);
  gtk_spin_button_update (spin);
}
