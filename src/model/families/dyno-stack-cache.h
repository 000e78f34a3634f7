/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-stack.h"

G_BEGIN_DECLS

/* The length of the answer: a generation begins with one token, whatever the prompt is. */
#define DYNO_STACK_ANSWER "decoder_sequence"

/**
 * DynoStackCache:
 * @past: (element-type utf8): keys and values of earlier tokens, two for each layer
 * @present: (element-type utf8): the same including this step, for the layers added so far
 * @cross: (element-type utf8): keys and values of the encoder's output
 *
 * The values that a decoder need not compute again for each token, [batch, heads, tokens, width].
 */
struct _DynoStackCache
{
  GPtrArray *past;
  GPtrArray *present;
  GPtrArray *cross;
};

/* Adds the keys and values of earlier tokens and of the encoder as inputs. Returns the cache. @source:
 * number of tokens of the encoder, a size or the name of a dimension. */
DynoStackCache *dyno_stack_cache_new (const DynoStack *stack, DynoGraph *graph, const char *source);
/* Returns the inputs of the keys and values of the encoder alone. The caller owns the list, not its
 * elements. */
GPtrArray *dyno_stack_cache_take_cross (const DynoStack *stack, DynoGraph *graph, const char *source);
void dyno_stack_cache_free (DynoStackCache *self);
/* Returns the keys or values of all tokens. @value: keys or, after them, values of the tokens of this step,
 * layer by layer. */
const char *dyno_stack_cache_join (DynoStackCache *self, DynoGraph *graph, const char *value);
/* Adds the outputs that the next token needs. */
void dyno_stack_cache_add_outputs (DynoStackCache *self, const DynoStack *stack, DynoGraph *graph);
/* Adds the outputs that all steps of the decoder need. @values: keys and values of its output for each
 * layer of the decoder. */
void
dyno_stack_cache_add_cross (const DynoStack *stack, DynoGraph *graph, GPtrArray *values, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStackCache, dyno_stack_cache_free)

G_END_DECLS
