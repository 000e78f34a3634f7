/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

/* Adds a remedy: an ONNX file does not state its sizes, and those that Dyno chooses by the names of
 * dimensions may be too small for it. Models that Dyno builds take all sizes that it allows. @error: why a
 * step failed in an engine. @sizes may be NULL. @values may be NULL. */
void dyno_step_error_add_remedy (GError *error, DynoModel *model, DynoBinding *sizes, const char *values);

/* @length: a number of tokens with which a step was tried and succeeded. */
void dyno_step_error_add_length (GError *error, DynoBinding *sizes, guint length);

G_END_DECLS
