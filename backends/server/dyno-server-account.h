/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"

G_BEGIN_DECLS

/* Returns whether it has all histograms of requests, because a missing time must not count as 0. @self: gets the
 * totals of all requests so far, over all engines. */
gboolean dyno_server_account_parse (DynoServerAccount *self, const char *text);

G_END_DECLS
