/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"

#define SECONDS_TO_REACH_A_BUTTON 10

/* By then a toast has appeared, even if it replaces another. */
#define APPEARED_MS 600

/* A window contains its overlay, so search its descendants. */
static GtkWidget *
find_below (GtkWidget *widget)
{
  GtkWidget *found = ADW_IS_TOAST_OVERLAY (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_below (child);
  return found;
}

void
dyno_toast_add (GtkWidget *widget, AdwToast *toast)
{
  GtkWidget *overlay;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (ADW_IS_TOAST (toast));

  overlay =
      GTK_IS_ROOT (widget) ? find_below (widget) : gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);
  if (adw_toast_get_button_label (toast) != NULL && adw_toast_get_timeout (toast) > 0)
    adw_toast_set_timeout (toast, SECONDS_TO_REACH_A_BUTTON);
  if (overlay != NULL)
    adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), toast);
  else
    g_object_unref (toast);
}

void
dyno_toast_say (GtkWidget *widget, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  dyno_toast_add (widget, adw_toast_new (escaped));
}

static gboolean
dismiss_cb (gpointer toast)
{
  adw_toast_dismiss (toast);
  return G_SOURCE_REMOVE;
}

void
dyno_toast_dismiss (AdwToast *toast)
{
  g_return_if_fail (ADW_IS_TOAST (toast));

  g_timeout_add_full (G_PRIORITY_DEFAULT, APPEARED_MS, dismiss_cb, g_object_ref (toast), g_object_unref);
}

static void
details_cb (GtkWidget *widget, AdwToast *toast)
{
  const char *message = g_object_get_data (G_OBJECT (toast), "message");

  dyno_compat_present_message (widget, adw_toast_get_title (toast), message);
}

void
dyno_toast_report_error (GtkWidget *widget, const char *text, const GError *error)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  AdwToast *toast;

  g_return_if_fail (error != NULL);

  toast = adw_toast_new (escaped);
  adw_toast_set_button_label (toast, _ ("_Details"));
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  g_object_set_data_full (G_OBJECT (toast), "message", g_strdup (error->message), g_free);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (details_cb), widget, G_CONNECT_SWAPPED);
  dyno_toast_add (widget, toast);
}
