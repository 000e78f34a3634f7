/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdatomic.h>

#include "dyno-load-summary.h"
#include "dyno-measurement.h"

G_BEGIN_DECLS

G_END_DECLS
