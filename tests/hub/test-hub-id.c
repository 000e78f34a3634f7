/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-hub.h"
#include "suite.h"

static const struct
{
  const char *text;
  const char *id;
} cases[] = {
  { "owner/name", "owner/name" },
  { "  owner/name\n", "owner/name" },
  { "gpt2", "gpt2" },
  { "", "" },
  { "https://huggingface.co/owner/name", "owner/name" },
  { "https://huggingface.co/owner/name/", "owner/name" },
  { "https://huggingface.co/owner/name/tree/main/onnx", "owner/name" },
  { "https://huggingface.co/owner/name?library=transformers#use", "owner/name" },
  { "https://huggingface.co/gpt2", "gpt2" },
  { "https://huggingface.co/gpt2/blob/main/config.json", "gpt2" },
  { "http://127.0.0.1:8080/owner/name", "owner/name" },
  { "huggingface.co/owner/name", "owner/name" },
  { "owner.x/name.y", "owner.x/name.y" },
  /* None of these is a valid id, and none is turned into one. */
  { "a/b/c", "a/b/c" },
  { "../up", "../up" },
  { "https://huggingface.co", "https://huggingface.co" },
  { "https://huggingface.co/", "https://huggingface.co/" },
};

static void
test_text (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *id = dyno_hub_id_from_text (cases[i].text);

  g_assert_cmpstr (id, ==, cases[i].id);
}

static void
add_tests (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/hub-id/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_text);
    }
}

SUITE_ADD (add_tests)
