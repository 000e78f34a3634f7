/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

GPtrArray *dyno_case_order_sort (DynoRun *run);

G_END_DECLS
