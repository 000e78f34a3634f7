/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-server-http.h"
#include "dyno-server-kind.h"

G_BEGIN_DECLS

/* Returns the numbers of the tokens that the model sees in the text; NULL if the server does not report them.
 * Elements are gint64. */
GArray *dyno_server_tokens_list (DynoServerHttp *http,
                                 const DynoServerKind *kind,
                                 const char *model,
                                 const char *text);

G_END_DECLS
