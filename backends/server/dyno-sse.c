/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-server-private.h"

/* A server that never ends its line must not fill the memory. */
#define MAX_EVENT_BYTES (4 * 1024 * 1024)

DynoSse *
dyno_sse_new (gboolean is_by_line)
{
  DynoSse *self = g_new0 (DynoSse, 1);

  self->line = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->is_by_line = is_by_line;
  return self;
}

void
dyno_sse_free (DynoSse *self)
{
  g_string_free (self->line, TRUE);
  g_string_free (self->data, TRUE);
  g_free (self);
}

/* Comments (":") and fields other than data are ignored. */
static gboolean
end_line (DynoSse *self, DynoSseFunc function, gpointer user_data)
{
  const char *line = self->line->str;
  gboolean goes_on = TRUE;

  if (self->is_by_line && self->line->len > 0)
    goes_on = function (line, user_data);
  else if (g_str_has_prefix (line, "data:"))
    {
      line += strlen ("data:");
      if (*line == ' ')
        line++;
      if (self->has_data)
        g_string_append_c (self->data, '\n');
      g_string_append (self->data, line);
      self->has_data = TRUE;
    }
  else if (self->line->len == 0 && self->has_data)
    {
      goes_on = function (self->data->str, user_data);
      g_string_truncate (self->data, 0);
      self->has_data = FALSE;
    }
  g_string_truncate (self->line, 0);
  return goes_on && self->data->len <= MAX_EVENT_BYTES;
}

gboolean
dyno_sse_feed (DynoSse *self, const char *bytes, gsize size, DynoSseFunc function, gpointer user_data)
{
  for (gsize i = 0; i < size; i++)
    {
      gboolean is_second = self->after_return && bytes[i] == '\n';

      self->after_return = bytes[i] == '\r';
      if (is_second)
        continue;
      if (bytes[i] != '\n' && bytes[i] != '\r')
        g_string_append_c (self->line, bytes[i]);
      else if (!end_line (self, function, user_data))
        return FALSE;
      if (self->line->len > MAX_EVENT_BYTES)
        return FALSE;
    }
  return TRUE;
}
