/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-hub.h"

G_BEGIN_DECLS

/* Fetches a model, and says how to measure it, or why Dyno cannot build it. Returns the exit status. @text: a
 * model on the hub: its id, or the address of its page. */
DynoCliStatus dyno_cli_fetch (const char *text, DynoHubWish wish, gboolean as_json, GError **error);

G_END_DECLS
