/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-input-values.h"
#include "dyno-model-description.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* The largest number in the fourth column of an input `noise_levels`: see dyno-schedule.h. */
#define DYNO_INPUTS_LAST_KIND 4

/**
 * DynoInputChoice:
 * @DYNO_INPUTS_ALL: those of a first step
 * @DYNO_INPUTS_DECODE: those of a step that decodes one more token, without the cache
 * @DYNO_INPUTS_CACHE: the cache
 *
 * Which inputs of a model get values.
 */
typedef enum
{
  DYNO_INPUTS_ALL,
  DYNO_INPUTS_DECODE,
  DYNO_INPUTS_CACHE,
} DynoInputChoice;

gboolean dyno_inputs_check (GPtrArray *infos, DynoInputValues *given, GError **error);
GPtrArray *dyno_inputs_create (const DynoModelDescription *description,
                               DynoBinding *binding,
                               DynoInputChoice choice,
                               DynoInputValues *given,
                               guint64 seed,
                               GError **error);
char *dyno_inputs_dup_choices (const DynoModelDescription *description,
                               DynoBinding *binding,
                               DynoInputValues *given,
                               guint64 seed);

G_END_DECLS
