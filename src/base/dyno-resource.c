/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-resource.h"

/**
 * dyno_resource_ensure:
 * @is_registered: a static variable, 0 at first
 * @register_resource: what registers a compiled resource
 *
 * Makes the files of a resource known to `g_resources_lookup_data()` and its like, which wait for another thread that
 * registers some at the same time. What its compiler calls `…_get_resource()` does not wait, and may return %NULL. The
 * resource is never taken back, unlike what a destructor does: a thread may read it while the process ends.
 */
void
dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void))
{
  if (g_once_init_enter (is_registered))
    {
      register_resource ();
      g_once_init_leave (is_registered, 1);
    }
}
