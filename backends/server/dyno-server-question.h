/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-server-kind.h"

G_BEGIN_DECLS

/* Returns ordinary words, whose tokens are used for prompts. */
const char *dyno_server_question_get_words (void);
/* Returns the path of the question. @vocabulary may be NULL. */
const char *dyno_server_question_get_path (const DynoServerKind *kind, const GArray *vocabulary);
/* The prompt is random from its first token on, so that no two share a prefix that a cache could keep. Returns JSON
 * to post. @vocabulary (nullable): tokens for the prompt, if the server takes tokens; else it consists of words.
 * @prompt_tokens: how many tokens the prompt has; approximate for words. @max_tokens: the largest number of tokens to
 * write. */
char *dyno_server_question_create (const DynoServerKind *kind,
                                   const char *model,
                                   const GArray *vocabulary,
                                   guint prompt_tokens,
                                   guint max_tokens);

G_END_DECLS
