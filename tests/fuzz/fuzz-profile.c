/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-ort-profile.h"
#include "dyno-ort-target.h"
#include "dyno-qnn-profile.h"
#include "dyno-session.h"
#include "dyno-value.h"
#include "fuzz-corpus.h"

/* An engine writes a profile with the names of the model's operators: whatever the file holds, there is a list of operators
 * with possible times, or an error. The same bytes are read as ONNX Runtime's profile and as QNN's. */

static void
add_node (GPtrArray *nodes, const char *provider)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup ("subgraph");
  node->op_type = g_strdup ("subgraph");
  node->provider = g_strdup (provider);
  node->calls = 1;
  node->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  node->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  g_ptr_array_add (nodes, node);
}

static void
check (GPtrArray *nodes)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_assert_true (g_utf8_validate (node->name, -1, NULL) && g_utf8_validate (node->op_type, -1, NULL));
      g_assert_true (node->calls > 0 && node->time_ns >= -1);
    }
}

static void
read_of_qnn (const char *path)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  g_autoptr (GError) error = NULL;

  add_node (nodes, DYNO_ORT_PROVIDER_CPU);
  add_node (nodes, DYNO_ORT_PROVIDER_QNN);
  g_assert_true (dyno_qnn_profile_read (path, nodes, values, &error) == (error == NULL));
  check (nodes);
  for (guint i = 0; i < values->len; i++)
    g_assert_true (dyno_value_get_number (values->pdata[i]) < G_MAXDOUBLE);
}

static void
read_input (const guint8 *data, gsize size)
{
  const char *path = fuzz_file_write ("profile", data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = dyno_ort_profile_parse (path, &error);

  g_assert_true ((nodes != NULL) == (error == NULL));
  if (nodes != NULL)
    check (nodes);
  read_of_qnn (path);
}

FUZZ_TARGET (read_input)
