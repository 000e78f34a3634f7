/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-widgets-private.h"

void
dyno_menu_append_plain (GMenu *menu, const char *text, const char *action, const char *target)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", target);
  g_menu_append_item (menu, item);
}
