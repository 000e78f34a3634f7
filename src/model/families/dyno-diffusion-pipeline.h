/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"

G_BEGIN_DECLS

/* From a text to an image with one and with two text encoders, and from a class. */
extern const DynoStage dyno_diffusion_text_stages[];
extern const DynoStage dyno_diffusion_pair_stages[];
extern const DynoStage dyno_diffusion_class_stages[];

G_END_DECLS
