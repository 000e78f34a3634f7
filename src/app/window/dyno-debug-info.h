/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

/* Returns the facts for a bug report, in English. The caller owns it. @store may be NULL. */
char *dyno_debug_info_collect (DynoStore *store);

G_END_DECLS
