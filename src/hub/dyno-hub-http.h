/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-http.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/**
 * DynoHubHttp:
 * @http: the client of the hub
 *
 * A client of a Hugging Face Hub, with the endpoint and the token that the hub's own programs take from the
 * environment. Belongs to one thread.
 */
typedef struct
{
  DynoHttp *http;
  /*< private >*/
  char *endpoint;
  char *id;
  gboolean has_token;
  DynoProgressReporter *reporter;
} DynoHubHttp;

/* Returns a client of the hub; NULL if there is none. @id: the model to ask for, for error messages.
 * @reporter: reports how long the hub asks to wait. */
DynoHubHttp *dyno_hub_http_new (const char *id, DynoProgressReporter *reporter, GError **error);
void dyno_hub_http_free (DynoHubHttp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubHttp, dyno_hub_http_free)

G_END_DECLS
