/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoPluginGetType:
 * @index: the index of the type
 *
 * The function `dyno_plugin_get_type` of a plug-in, which returns its types one after another.
 *
 * Returns: the type, G_TYPE_INVALID after the last
 */
typedef GType (*DynoPluginGetType) (guint index);

/**
 * DynoPluginGet:
 * @index: the index of the thing
 *
 * A function of a plug-in for other things than types, such as `dyno_plugin_get_chart` for its kinds of charts
 * (DynoChartInfo).
 *
 * Returns: (nullable): the thing, which lives as long as the process; NULL after the last
 */
typedef gconstpointer (*DynoPluginGet) (guint index);

GType dyno_plugin_get_type (guint index);

/* Returns the plug-ins' classes that derive from @parent. Elements are GType. */
GArray *dyno_plugins_list_types (GType parent);
/* Returns all things of the plug-ins that export @symbol. Elements are gpointer. @symbol: the name of a
 * [callback@Dyno.PluginGet]. */
GPtrArray *dyno_plugins_list (const char *symbol);

G_END_DECLS
