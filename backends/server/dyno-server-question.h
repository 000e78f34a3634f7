/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-server-kind.h"

G_BEGIN_DECLS

const char *dyno_server_question_get_words (void);
const char *dyno_server_question_get_path (const DynoServerKind *kind, const GArray *vocabulary);
char *dyno_server_question_create (const DynoServerKind *kind,
                                   const char *model,
                                   const GArray *vocabulary,
                                   guint prompt_tokens,
                                   guint max_tokens);

G_END_DECLS
