/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-manifest.h"

G_BEGIN_DECLS

DynoManifest *dyno_stages_link (const DynoStage *stages, GPtrArray *graphs, GError **error);
DynoModelDescription *dyno_stages_describe (const DynoStage *stages, GPtrArray *graphs, GError **error);

G_END_DECLS
