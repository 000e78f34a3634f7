/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

typedef struct
{
  DynoAfterFrame callback;
  gint64 first_frame;
} Waiting;

/* Ticks precede the layout and drawing of their frame, so the second tick means that the first frame is
 * finished. */
static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  Waiting *waiting = user_data;
  gint64 frame = gdk_frame_clock_get_frame_counter (clock);

  if (waiting->first_frame < 0)
    waiting->first_frame = frame;
  if (frame == waiting->first_frame)
    return G_SOURCE_CONTINUE;
  waiting->callback (widget);
  return G_SOURCE_REMOVE;
}

void
dyno_after_frame (GtkWidget *widget, DynoAfterFrame callback)
{
  Waiting *waiting = g_new (Waiting, 1);

  g_return_if_fail (GTK_IS_WIDGET (widget));

  waiting->callback = callback;
  waiting->first_frame = -1;
  gtk_widget_add_tick_callback (widget, tick_cb, waiting, g_free);
}
