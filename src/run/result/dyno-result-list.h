/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

#define DYNO_TYPE_RESULT_LIST (dyno_result_list_get_type ())
G_DECLARE_FINAL_TYPE (DynoResultList, dyno_result_list, DYNO, RESULT_LIST, GObject)

/**
 * DynoResultList:
 *
 * The results of a run, as a [iface@Gio.ListModel] that only grows. Several threads may read it at once while nobody
 * appends, which a [class@Gio.ListStore] does not allow: it remembers where it was read last.
 */

DynoResultList *dyno_result_list_new (void);
void dyno_result_list_append (DynoResultList *self, DynoResult *result);
