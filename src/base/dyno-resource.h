/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Registers a resource for `g_resources_lookup_data()` and its like, and waits for another thread that is
 * registering it. The compiler's `…_get_resource()` does not wait, and may return NULL. The resource is never
 * unregistered, as a destructor would do: a thread may still read it while the process ends. @is_registered:
 * a static variable, 0 at first. */
void dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void));

G_END_DECLS
