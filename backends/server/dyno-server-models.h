/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-served.h"
#include "dyno-server-http.h"
#include "dyno-server-kind.h"

G_BEGIN_DECLS

/* Returns the models that it holds. @kind: the kind of the server; set if there is an answer. */
char **dyno_server_models_list (DynoServerHttp *http, const DynoServerKind **kind, GError **error);
/* @server: gets the server's facts about itself and the model. */
void dyno_server_models_describe (DynoServerHttp *http,
                                  const DynoServerKind *kind,
                                  const char *model,
                                  DynoServer *server);

G_END_DECLS
