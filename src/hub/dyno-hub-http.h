/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-http.h"
#include "dyno-progress.h"

G_BEGIN_DECLS

/**
 * DynoHubHttp:
 * @http: what asks the hub
 *
 * Asks a Hugging Face Hub: the endpoint and the token are those that the hub's own programs take from the environment.
 * Belongs to one thread.
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

/* Returns what asks the hub; NULL if there is none. @id: the model that will be asked for, for the words
 * of errors. @reporter: what is told how long the hub wants to be waited for. */
DynoHubHttp *dyno_hub_http_new (const char *id, DynoProgressReporter *reporter, GError **error);
void dyno_hub_http_free (DynoHubHttp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHubHttp, dyno_hub_http_free)

G_END_DECLS
