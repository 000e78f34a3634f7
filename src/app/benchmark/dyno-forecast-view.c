/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-disturbance.h"

/* More models than this are counted. */
#define MAX_PARTS 6

#define SECONDS_BETWEEN_LOOKS 2

struct _DynoForecastView
{
  AdwBin parent_instance;

  DynoDisturbance *last; /* (nullable): the last reading */
  guint look_source;
  gboolean is_here;

  GtkWidget *heading;
  GtkBox *picture;
  GtkBox *engines;
  GtkLabel *forecast_label;
  GtkWidget *machine_box;
  GtkImage *machine_icon;
  GtkLabel *machine_label;
  GtkWidget *idle_button;
};

G_DEFINE_FINAL_TYPE (DynoForecastView, dyno_forecast_view, ADW_TYPE_BIN)

/* The picture */

static void
append_text (GtkBox *box, const char *text)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "ellipsize",
                                   PANGO_ELLIPSIZE_END, "hexpand", TRUE, NULL);

  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (box, label);
}

static void
show_picture (DynoForecastView *self, const DynoPlanCount *count)
{
  double longest = 0;

  dyno_box_clear (self->picture);
  dyno_box_clear (self->engines);
  gtk_widget_set_visible (GTK_WIDGET (self->picture), count != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->engines), count != NULL && count->engines->len > 1);
  if (count == NULL)
    return;
  for (guint i = 0; i < count->parts->len; i++)
    longest = fmax (longest, ((DynoPlanPart *)count->parts->pdata[i])->seconds);
  for (guint i = 0; i < MIN (count->parts->len, MAX_PARTS); i++)
    {
      DynoPlanPart *part = count->parts->pdata[i];

      append_text (self->picture, part->title);
      gtk_box_append (self->picture, dyno_plan_strip_new (part->blocks, longest));
    }
  if (count->parts->len > MAX_PARTS)
    {
      guint n_others = count->parts->len - MAX_PARTS;
      g_autofree char *others =
          g_strdup_printf (ngettext ("and %u other", "and %u others", n_others), n_others);

      append_text (self->picture, others);
    }

  for (guint i = 0; i < count->engines->len; i++)
    {
      GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      DynoPlanBlock block = { i, 1 };
      g_autoptr (GArray) blocks = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof block), &block, 1);
      gtk_box_append (GTK_BOX (row), dyno_plan_strip_new (blocks, 1));
      append_text (GTK_BOX (row), count->engines->pdata[i]);
      gtk_box_append (self->engines, row);
    }
}

/* The machine */

static void
show_machine (DynoForecastView *self, double others, guint n_processors)
{
  gboolean is_busy = dyno_disturbance_is_loud (others, n_processors);
  g_autofree char *text = NULL;

  if (is_busy)
    /* Translators: %.1f is how many CPU cores are busy, %u how many there are */
    text = g_strdup_printf (ngettext ("Other programs use %.1f of %u core: results will be rough.",
                                      "Other programs use %.1f of %u cores: results will be rough.",
                                      n_processors),
                            others, n_processors);
  else
    text = g_strdup (_ ("The machine is quiet."));
  gtk_label_set_label (self->machine_label, text);
  gtk_image_set_from_icon_name (self->machine_icon,
                                is_busy ? "dialog-warning-symbolic" : "emblem-ok-symbolic");
  gtk_widget_set_css_classes (GTK_WIDGET (self->machine_icon),
                              (const char *[]){ is_busy ? "warning" : "success", NULL });
  gtk_widget_set_visible (self->machine_box, TRUE);
  gtk_widget_set_visible (self->idle_button, is_busy && gtk_widget_get_visible (GTK_WIDGET (self->picture)));
}

static void
look_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  DynoDisturbance *reading = g_new (DynoDisturbance, 1);

  dyno_disturbance_read (reading, NULL);
  g_task_return_pointer (task, reading, g_free);
}

static void
looked_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoForecastView *self = DYNO_FORECAST_VIEW (object);
  g_autofree DynoDisturbance *last = g_steal_pointer (&self->last);
  DynoDisturbance *reading = g_task_propagate_pointer (G_TASK (result), NULL);
  DynoDisturbance between = *reading;

  self->last = reading;
  if (last == NULL || self->look_source == 0 || !self->is_here)
    return;
  dyno_disturbance_subtract (&between, last);
  if (isfinite (dyno_disturbance_get_others (&between)))
    show_machine (self, dyno_disturbance_get_others (&between), (guint)reading->n_processors);
}

static gboolean
look_cb (gpointer user_data)
{
  dyno_thread_task_run (user_data, NULL, look_thread, NULL, NULL, looked_cb);
  return G_SOURCE_CONTINUE;
}

static void
dyno_forecast_view_map (GtkWidget *widget)
{
  DynoForecastView *self = DYNO_FORECAST_VIEW (widget);

  GTK_WIDGET_CLASS (dyno_forecast_view_parent_class)->map (widget);
  self->look_source = g_timeout_add_seconds (SECONDS_BETWEEN_LOOKS, look_cb, self);
}

static void
dyno_forecast_view_unmap (GtkWidget *widget)
{
  DynoForecastView *self = DYNO_FORECAST_VIEW (widget);

  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_pointer (&self->last, g_free);
  GTK_WIDGET_CLASS (dyno_forecast_view_parent_class)->unmap (widget);
}

static void
dyno_forecast_view_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_FORECAST_VIEW);

  G_OBJECT_CLASS (dyno_forecast_view_parent_class)->dispose (object);
}

static void
dyno_forecast_view_finalize (GObject *object)
{
  g_free (DYNO_FORECAST_VIEW (object)->last);

  G_OBJECT_CLASS (dyno_forecast_view_parent_class)->finalize (object);
}

static void
dyno_forecast_view_class_init (DynoForecastViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_forecast_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = dyno_forecast_view_finalize;
  widget_class->map = dyno_forecast_view_map;
  widget_class->unmap = dyno_forecast_view_unmap;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-forecast-view.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, heading);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, picture);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, engines);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, forecast_label);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, machine_box);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, machine_icon);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, machine_label);
  gtk_widget_class_bind_template_child (widget_class, DynoForecastView, idle_button);
}

static void
dyno_forecast_view_init (DynoForecastView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
dyno_forecast_view_show (DynoForecastView *self, const DynoPlanCount *count, gboolean is_here)
{
  const char *forecast = count != NULL && is_here ? count->forecast : NULL;

  g_return_if_fail (DYNO_IS_FORECAST_VIEW (self));

  self->is_here = is_here;
  if (!is_here)
    {
      gtk_widget_set_visible (self->machine_box, FALSE);
      gtk_widget_set_visible (self->idle_button, FALSE);
    }
  show_picture (self, count);
  gtk_widget_set_visible (self->heading, count != NULL || is_here);
  /* Forecasts for this machine do not apply to others. */
  gtk_label_set_label (self->forecast_label, forecast != NULL ? forecast : "");
  gtk_widget_set_visible (GTK_WIDGET (self->forecast_label), forecast != NULL);
}
