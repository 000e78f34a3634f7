/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoPadWindow
{
  AdwWindow parent_instance;

  GtkWidget *owner; /* unowned: it destroys the window */
  GtkLabel *case_label;
  GtkLabel *left_label;
  DynoSparkline *line;
};

G_DEFINE_FINAL_TYPE (DynoPadWindow, dyno_pad_window, ADW_TYPE_WINDOW)

static void
stop_clicked_cb (DynoPadWindow *self)
{
  gtk_widget_activate_action (self->owner, "benchmark.stop", NULL);
}

static void
dyno_pad_window_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), DYNO_TYPE_PAD_WINDOW);

  G_OBJECT_CLASS (dyno_pad_window_parent_class)->dispose (object);
}

static void
dyno_pad_window_class_init (DynoPadWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_pad_window_dispose;

  g_type_ensure (DYNO_TYPE_SPARKLINE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-pad-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoPadWindow, case_label);
  gtk_widget_class_bind_template_child (widget_class, DynoPadWindow, left_label);
  gtk_widget_class_bind_template_child (widget_class, DynoPadWindow, line);
  gtk_widget_class_bind_template_callback (widget_class, stop_clicked_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_pad_window_init (DynoPadWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
dyno_pad_window_new (GtkWidget *owner, GtkLabel *case_label, GtkLabel *left_label)
{
  DynoPadWindow *self = g_object_new (DYNO_TYPE_PAD_WINDOW, NULL);

  self->owner = owner;
  g_object_bind_property (case_label, "label", self->case_label, "label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (case_label, "label", self->case_label, "tooltip-text", G_BINDING_SYNC_CREATE);
  g_object_bind_property (left_label, "label", self->left_label, "label", G_BINDING_SYNC_CREATE);
  return GTK_WIDGET (self);
}

void
dyno_pad_window_show_latency (DynoPadWindow *self, DynoTrace *latency)
{
  g_return_if_fail (DYNO_IS_PAD_WINDOW (self));
  dyno_sparkline_set_trace (self->line, latency);
}
