/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-file.h"

void
dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void))
{
  if (g_once_init_enter (is_registered))
    {
      register_resource ();
      g_once_init_leave (is_registered, 1);
    }
}
