/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cli.h"
#include "dyno-hub.h"

G_BEGIN_DECLS

DynoCliStatus dyno_cli_fetch (const char *text, DynoHubWish wish, gboolean as_json, GError **error);

G_END_DECLS
