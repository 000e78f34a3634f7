/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-manifest.h"

G_BEGIN_DECLS

/* Returns their inputs, outputs and links, without files. The caller owns it. @stages: the stages of an
 * architecture, terminated by one without a name. @graphs holds DynoGraph. */
DynoManifest *dyno_stages_link (const DynoStage *stages, GPtrArray *graphs, GError **error);
/* Returns the signature and the size of the whole model. The caller owns it. @stages: the stages of an
 * architecture, terminated by one without a name. @graphs holds DynoGraph. */
DynoModelDescription *dyno_stages_describe (const DynoStage *stages, GPtrArray *graphs, GError **error);

G_END_DECLS
