/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

char *dyno_debug_info_collect (DynoStore *store);

G_END_DECLS
