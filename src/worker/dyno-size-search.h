/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

char **dyno_size_search_list (DynoModel *model, const char *given);

G_END_DECLS
