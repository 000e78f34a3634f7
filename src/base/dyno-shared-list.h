/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DYNO_TYPE_SHARED_LIST (dyno_shared_list_get_type ())
G_DECLARE_FINAL_TYPE (DynoSharedList, dyno_shared_list, DYNO, SHARED_LIST, GObject)

/**
 * DynoSharedList:
 *
 * A GioListModel that only grows. Several threads may read it at once while nobody appends, which a
 * GioListStore does not allow: it remembers where it was read last.
 */

/* Returns an empty list of that type. */
GListModel *dyno_shared_list_new (GType item_type);
/* @list: a DynoSharedList that no other thread is reading. */
void dyno_shared_list_append (GListModel *list, gpointer item);

G_END_DECLS
