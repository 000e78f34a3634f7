/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-browser-private.h"
#include "dyno-error.h"
#include "dyno-json.h"

#define LENGTH_BYTES sizeof (guint32)
#define ALIGNMENT    8

GBytes *
dyno_browser_message_pack (JsonNode *header, GByteArray *payload)
{
  g_autofree char *text = dyno_json_text_write (header, FALSE);
  GByteArray *bytes = g_byte_array_new ();
  gsize length = strlen (text);
  gsize padding = (ALIGNMENT - (LENGTH_BYTES + length) % ALIGNMENT) % ALIGNMENT;
  guint32 stored = GUINT32_TO_LE ((guint32)(length + padding));

  g_byte_array_append (bytes, (const guint8 *)&stored, LENGTH_BYTES);
  g_byte_array_append (bytes, (const guint8 *)text, (guint)length);
  g_byte_array_append (bytes, (const guint8 *)"        ", (guint)padding);
  if (payload != NULL && payload->len > 0)
    g_byte_array_append (bytes, payload->data, payload->len);
  return g_byte_array_free_to_bytes (bytes);
}

static DynoBrowserMessage *
fail_garbled (GError **error)
{
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                       _ ("The page in the browser sent an invalid message."));
  return NULL;
}

DynoBrowserMessage *
dyno_browser_message_parse (GBytes *bytes, GError **error)
{
  g_autoptr (JsonObject) header = NULL;
  DynoBrowserMessage *self;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint32 length;

  if (size < LENGTH_BYTES)
    return fail_garbled (error);
  memcpy (&length, data, LENGTH_BYTES);
  length = GUINT32_FROM_LE (length);
  if (length <= size - LENGTH_BYTES)
    header = dyno_json_try_object ((const char *)data + LENGTH_BYTES, length);
  if (header == NULL)
    return fail_garbled (error);
  self = g_new0 (DynoBrowserMessage, 1);
  self->header = g_steal_pointer (&header);
  self->payload = g_bytes_new_from_bytes (bytes, LENGTH_BYTES + length, size - LENGTH_BYTES - length);
  return self;
}

void
dyno_browser_message_free (DynoBrowserMessage *self)
{
  json_object_unref (self->header);
  g_bytes_unref (self->payload);
  g_free (self);
}
