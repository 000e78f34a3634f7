/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-container.h"

G_BEGIN_DECLS

/* Returns the bytes that a new process could use without swapping, within the limits of the container; -1
 * if unknown. */
gint64 dyno_machine_state_read_available_memory (const DynoContainer *container);
/* Collects the changing state of the machine, as dyno_machine_to_json() documents it under `state`. Returns
 * the state. The caller owns it. */
JsonObject *dyno_machine_state_read (const DynoContainer *container);

G_END_DECLS
