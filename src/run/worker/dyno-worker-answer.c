/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-system.h"
#include "dyno-worker-client.h"

#define TRACE_TYPE "(ssxt)"

DynoWorkerAnswer *
dyno_worker_answer_new (int fd, guint64 result_size, GVariant *traces)
{
  DynoWorkerAnswer *self = g_new (DynoWorkerAnswer, 1);

  *self = (DynoWorkerAnswer){ fd, result_size, g_variant_ref_sink (traces) };
  return self;
}

void
dyno_worker_answer_free (DynoWorkerAnswer *self)
{
  close (self->fd);
  g_variant_unref (self->traces);
  g_free (self);
}

static gboolean
write_all (int fd, const char *bytes, gsize size, GError **error)
{
  while (size > 0)
    {
      ssize_t written = write (fd, bytes, size);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_OUT_OF_MEMORY,
                       _ ("There is no room to hand over the result of the case: %s. Free some memory, or "
                          "choose a shorter measurement."),
                       g_strerror (errno));
          return FALSE;
        }
      bytes += written;
      size -= (gsize)written;
    }
  return TRUE;
}

static gboolean
write_traces (int fd, DynoResult *result, GVariantBuilder *contents, GError **error)
{
  GPtrArray *traces = dyno_result_get_traces (result);

  for (guint i = 0; i < traces->len; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      g_autoptr (GBytes) bytes = dyno_trace_to_bytes (trace);

      g_variant_builder_add (contents, TRACE_TYPE, dyno_trace_get_name (trace), dyno_trace_get_unit (trace),
                             dyno_trace_get_origin (trace), (guint64)g_bytes_get_size (bytes));
      if (!write_all (fd, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
        return FALSE;
    }
  return TRUE;
}

DynoWorkerAnswer *
dyno_worker_answer_write (DynoResult *result, GError **error)
{
  g_auto (GVariantBuilder) contents = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a" TRACE_TYPE));
  g_autoptr (JsonNode) node = dyno_result_to_json (result, FALSE);
  g_autofree char *json = dyno_json_text_write (node, FALSE);
  gsize result_size = strlen (json);
  int fd = dyno_system_open_nameless_file ();

  if (fd < 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("Cannot create a file for the result of the case: %s"), g_strerror (errno));
      return NULL;
    }
  if (write_all (fd, json, result_size, error) && write_traces (fd, result, &contents, error))
    return dyno_worker_answer_new (fd, result_size, g_variant_builder_end (&contents));
  close (fd);
  return NULL;
}

static gboolean
fail_short (GError **error)
{
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The measuring process returned a truncated result."));
  return FALSE;
}

static gboolean
read_traces (DynoWorkerAnswer *self, GBytes *file, DynoResult *result, GError **error)
{
  gsize position = self->result_size;
  const char *name, *unit;
  gint64 origin;
  guint64 size;
  GVariantIter iter;

  g_variant_iter_init (&iter, self->traces);
  while (g_variant_iter_next (&iter, "(&s&sxt)", &name, &unit, &origin, &size))
    {
      g_autoptr (GBytes) bytes = NULL;
      DynoTrace *trace;

      if (size > g_bytes_get_size (file) - position)
        return fail_short (error);
      bytes = g_bytes_new_from_bytes (file, position, size);
      trace = dyno_trace_new_from_bytes (name, unit, origin, bytes, error);
      if (trace == NULL)
        return FALSE;
      dyno_result_take_trace (result, trace);
      position += size;
    }
  return TRUE;
}

DynoResult *
dyno_worker_answer_read (DynoWorkerAnswer *self, GError **error)
{
  g_autoptr (GMappedFile) mapped = g_mapped_file_new_from_fd (self->fd, FALSE, error);
  g_autoptr (GBytes) file = mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
  g_autoptr (DynoResult) result = NULL;

  if (file == NULL)
    return NULL;
  if (self->result_size > g_bytes_get_size (file))
    {
      fail_short (error);
      return NULL;
    }

  const char *json = g_bytes_get_data (file, NULL);
  g_autoptr (JsonObject) object =
      dyno_json_parse_object (json, (gssize)self->result_size, _ ("the worker’s answer"), error);

  result = object != NULL ? dyno_result_new_from_json (object, error) : NULL;
  if (result == NULL || !read_traces (self, file, result, error))
    return NULL;
  return g_steal_pointer (&result);
}
