/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoPluginGetType:
 * @index: which one
 *
 * What a plug-in exports as `dyno_plugin_get_type`: the types it brings, one after another.
 *
 * Returns: the type, %G_TYPE_INVALID after the last
 */
typedef GType (*DynoPluginGetType) (guint index);

GType dyno_plugin_get_type (guint index);

GArray *dyno_plugins_list_types (GType parent);

G_END_DECLS
