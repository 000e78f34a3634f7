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

/**
 * DynoPluginGet:
 * @index: which one
 *
 * What a plug-in exports for other things than types, such as `dyno_plugin_get_chart` for its kinds of charts
 * ([struct@Dyno.ChartInfo]).
 *
 * Returns: (nullable): the thing, which lives as long as the process; %NULL after the last
 */
typedef gconstpointer (*DynoPluginGet) (guint index);

GType dyno_plugin_get_type (guint index);

/* Returns the classes derived from @parent that the plug-ins bring. Elements are GType. */
GArray *dyno_plugins_list_types (GType parent);
/* Returns what the plug-ins that export @symbol bring. Elements are gpointer. @symbol: the name of a
 * [callback@Dyno.PluginGet]. */
GPtrArray *dyno_plugins_list (const char *symbol);

G_END_DECLS
