/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes the files of a resource known to `g_resources_lookup_data()` and its like, which wait for another
 * thread that registers some at the same time. What its compiler calls `…_get_resource()` does not wait,
 * and may return NULL. The resource is never taken back, unlike what a destructor does: a thread may read
 * it while the process ends. @is_registered: a static variable, 0 at first. */
void dyno_resource_ensure (gsize *is_registered, void (*register_resource) (void));

G_END_DECLS
