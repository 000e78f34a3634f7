/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-container.h"
#include "dyno-topology.h"

G_BEGIN_DECLS

JsonObject *dyno_machine_facts_read (DynoTopology *topology, const DynoContainer *container);

G_END_DECLS
