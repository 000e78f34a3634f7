/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"

G_BEGIN_DECLS

/* Returns whether it has all histograms of requests; what is missing must not be taken for no time. @self:
 * what the text says of all requests so far, those of all engines together. */
gboolean dyno_server_account_parse (DynoServerAccount *self, const char *text);

G_END_DECLS
