/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/**
 * DynoOutputDeclaration:
 * @outputs: (element-type DynoTensorInfo): the outputs as the model declares them
 * @binding: (nullable): the sizes of the free dimensions of the last run, NULL if they changed from run to
 * run
 * @notes: (nullable) (element-type utf8): gets a sentence for each declared shape that a result
 * contradicts; NULL if that is an error
 * @empty: (element-type utf8): gets the names of outputs without elements
 * @is_covered: whether a test vector has the right numbers, even if they are not finite
 *
 * The declaration that outputs are checked against. The shapes in a file are a claim of its exporter, but
 * those of a graph that Dyno built are true.
 */
typedef struct
{
  GPtrArray *outputs;
  DynoBinding *binding;
  GPtrArray *notes;
  GPtrArray *empty;
  gboolean is_covered;
} DynoOutputDeclaration;

/* All numbers of every output must be finite, unless a test vector covers it. Its shape must be the
 * declared one, as far as that is known, unless the declaration is only the claim of an exporter. Returns
 * whether the outputs of the last run, those of all its requests, can be used. @declaration: the outputs as
 * the model declares them; gets the notes. Fails with DYNO_ERROR_WRONG_OUTPUT naming the output and its
 * fault. */
gboolean dyno_output_check (DynoSession *session, const DynoOutputDeclaration *declaration, GError **error);

G_END_DECLS
