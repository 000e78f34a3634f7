/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-container.h"

G_BEGIN_DECLS

JsonObject *dyno_machine_state_read (const DynoContainer *container);

G_END_DECLS
