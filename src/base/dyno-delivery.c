/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-task.h"

/* g_main_context_invoke() would call it in the sending thread while no loop runs. */
void
dyno_delivery_send (GMainContext *context, GSourceFunc func, gpointer data, GDestroyNotify free_data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, free_data);
  g_source_attach (source, context);
}
