/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

#include "dyno-system.h"
#include "dyno-worker-client.h"
#include "fuzz-corpus.h"

/* A worker that opened a hostile model may hand over anything: that is a result which can be written again, or an error.
 *
 * An input has the sizes of the result and of the list of traces, in two bytes each, then the result, the list as D-Bus would
 * carry it, and the bytes of the traces. */
#define HEADER_BYTES 4

static void
check_result (DynoResult *result)
{
  g_autoptr (JsonNode) node = dyno_result_to_json (result, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) again = NULL;

  g_assert_nonnull (node);
  again = dyno_result_new_from_json (json_node_get_object (node), &error);
  g_assert_no_error (error);
  g_assert_nonnull (again);
}

static DynoWorkerAnswer *
create_answer (const guint8 *data, gsize size)
{
  gsize result_size = data[0] | (gsize)data[1] << 8;
  gsize list_size = data[2] | (gsize)data[3] << 8;
  gsize rest = size - HEADER_BYTES;
  gsize n_result = MIN (result_size, rest);
  gsize n_list = MIN (list_size, rest - n_result);
  const guint8 *list = data + HEADER_BYTES + n_result;
  gsize n_traces = rest - n_result - n_list;
  g_autofree guint8 *aligned = g_memdup2 (list, n_list);
  int fd = dyno_system_open_nameless_file ();
  GVariant *traces;

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data + HEADER_BYTES, n_result), ==, (gssize)n_result);
  g_assert_cmpint (write (fd, list + n_list, n_traces), ==, (gssize)n_traces);
  traces = g_variant_new_from_data (G_VARIANT_TYPE ("a(ssxt)"), aligned, n_list, FALSE, g_free, aligned);
  aligned = NULL;
  return dyno_worker_answer_new (fd, result_size, traces);
}

static void
read_input (const guint8 *data, gsize size)
{
  g_autoptr (DynoWorkerAnswer) answer = size >= HEADER_BYTES ? create_answer (data, size) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoResult) result = answer != NULL ? dyno_worker_answer_read (answer, &error) : NULL;

  if (answer == NULL)
    return;
  g_assert_true ((result != NULL) == (error == NULL));
  if (result != NULL)
    check_result (result);
}

FUZZ_TARGET (read_input)
