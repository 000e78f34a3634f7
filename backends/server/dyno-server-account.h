/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"

G_BEGIN_DECLS

gboolean dyno_server_account_parse (DynoServerAccount *self, const char *text);

G_END_DECLS
