/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * DynoBrowserMessage:
 * @header: the message itself
 * @payload: the bytes of its tensors
 *
 * A message between Dyno and a page: the length of a JSON text in four bytes, that text padded with spaces so that
 * the payload is aligned to eight bytes, and the payload.
 */
typedef struct
{
  JsonObject *header;
  GBytes *payload;
} DynoBrowserMessage;

/* Returns the message. The caller owns it. @payload may be NULL. */
GBytes *dyno_browser_message_pack (JsonNode *header, GByteArray *payload);
/* Returns the message; NULL on error. @error: set if the bytes are no message. */
DynoBrowserMessage *dyno_browser_message_parse (GBytes *bytes, GError **error);
/* Takes @self. */
void dyno_browser_message_free (DynoBrowserMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoBrowserMessage, dyno_browser_message_free)

G_END_DECLS
