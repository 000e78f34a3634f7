/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-server-kind.h"

G_BEGIN_DECLS

/* Returns ordinary words, whose tokens prompts are made of. */
const char *dyno_server_question_get_words (void);
/* Returns where to ask. @vocabulary may be NULL. */
const char *dyno_server_question_get_path (const DynoServerKind *kind, const GArray *vocabulary);
/* The prompt is random from its first token on, so that no two share what a cache of prefixes could keep.
 * Returns JSON to post. @vocabulary (nullable): tokens to make the prompt of, where the server takes
 * tokens; else it is made of words. @prompt_tokens: how many tokens the prompt has; of words, about how
 * many. @max_tokens: how many to write at most. */
char *dyno_server_question_create (const DynoServerKind *kind,
                                   const char *model,
                                   const GArray *vocabulary,
                                   guint prompt_tokens,
                                   guint max_tokens);

G_END_DECLS
