/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "model-test.h"
#include "suite.h"

static GHashTable *
bind_inputs (GPtrArray *inputs, guint batch_size, guint sequence_length, const char *overrides)
{
  g_autoptr (GError) error = NULL;
  GHashTable *binding = dyno_binding_new (inputs, batch_size, sequence_length, overrides, &error);

  g_assert_no_error (error);
  return binding;
}

static void
add_input (GPtrArray *inputs, const char *name, const char *dims)
{
  DynoTensorInfo *info = dyno_tensor_info_new (name, DYNO_DATA_TYPE_INT64);
  g_auto (GStrv) parts = g_strsplit (dims, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_ascii_isdigit (*parts[i]))
      dyno_tensor_info_add_size (info, g_ascii_strtoll (parts[i], NULL, 10));
    else
      dyno_tensor_info_add_symbol (info, parts[i]);
  g_ptr_array_add (inputs, info);
}

static GPtrArray *
decoder_inputs (void)
{
  GPtrArray *inputs = g_ptr_array_new_with_free_func (g_object_unref);

  add_input (inputs, "input_ids", "batch_size, sequence_length");
  add_input (inputs, "attention_mask", "batch_size, past_sequence_length + sequence_length");
  add_input (inputs, "total", "total_sequence_length");
  add_input (inputs, "past_key_values.0.key", "batch_size, 4, past_sequence_length, 32");
  return inputs;
}

static void
assert_size (DynoBinding *binding, const char *symbol, gint64 expected)
{
  const gint64 *size = g_hash_table_lookup (binding, symbol);

  g_assert_nonnull (size);
  g_assert_cmpint (*size, ==, expected);
}

/* The cache of a layer with a window grows with the past, up to the window. */
static void
test_limits (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) few = NULL;
  g_autoptr (GHashTable) many = NULL;
  gint64 size;

  add_input (inputs, "attention_mask", "batch, past + sequence");
  add_input (inputs, "past_key_values.0.key", "batch, 4, min(past,7), 32");
  few = bind_inputs (inputs, 1, 2, "past=5");
  many = bind_inputs (inputs, 1, 2, "past=100");
  assert_size (few, "min(past,7)", 5);
  assert_size (many, "min(past,7)", 7);
  g_assert_true (dyno_binding_get (few, "min(past + sequence,6)", &size));
  g_assert_cmpint (size, ==, 6);
  g_assert_false (dyno_binding_get (few, "min(future,6)", &size));
  g_assert_cmpint (dyno_binding_get_kind (many, DYNO_DIMENSION_KIND_PAST, 0), ==, 100);
}

static void
test_kinds (void)
{
  static const struct
  {
    const char *name;
    DynoDimensionKind kind;
  } cases[] = {
    { "batch", DYNO_DIMENSION_KIND_BATCH },
    { "N", DYNO_DIMENSION_KIND_BATCH },
    { "batch_size", DYNO_DIMENSION_KIND_BATCH },
    { "seq", DYNO_DIMENSION_KIND_SEQUENCE },
    { "seq_len", DYNO_DIMENSION_KIND_SEQUENCE },
    { "sequence_length", DYNO_DIMENSION_KIND_SEQUENCE },
    { "past_sequence_length", DYNO_DIMENSION_KIND_PAST },
    { "total_sequence_length", DYNO_DIMENSION_KIND_TOTAL },
    { "height", DYNO_DIMENSION_KIND_SIDE },
    { "num_channels", DYNO_DIMENSION_KIND_CHANNELS },
    { "samples", DYNO_DIMENSION_KIND_SAMPLES },
    { "input:0", DYNO_DIMENSION_KIND_BATCH },
    { "past_key:0", DYNO_DIMENSION_KIND_BATCH },
    { "input:1", DYNO_DIMENSION_KIND_OTHER },
    { "unk__12", DYNO_DIMENSION_KIND_OTHER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (dyno_dimension_kind (cases[i].name), ==, cases[i].kind);
}

static void
test_defaults (void)
{
  g_autoptr (GPtrArray) inputs = decoder_inputs ();
  g_autoptr (GHashTable) binding = bind_inputs (inputs, 2, 16, NULL);

  assert_size (binding, "batch_size", 2);
  assert_size (binding, "sequence_length", 16);
  assert_size (binding, "past_sequence_length", 0);
  assert_size (binding, "past_sequence_length + sequence_length", 16);
  assert_size (binding, "total_sequence_length", 16);
}

static void
test_images (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) binding = NULL;
  DynoShape shape;

  add_input (inputs, "pixels", "N, channels, height, width");
  binding = bind_inputs (inputs, 4, 0, "height=320");
  g_assert_true (dyno_binding_get_shape (binding, inputs->pdata[0], &shape));
  g_assert_cmpint (shape.dims[0], ==, 4);
  g_assert_cmpint (shape.dims[1], ==, 3);
  g_assert_cmpint (shape.dims[2], ==, 320);
  g_assert_cmpint (shape.dims[3], ==, 224);
}

static void
test_overrides (void)
{
  g_autoptr (GPtrArray) inputs = decoder_inputs ();
  g_autoptr (GHashTable) binding = bind_inputs (inputs, 2, 1, " past_sequence_length = 31 , batch_size=3,");

  assert_size (binding, "batch_size", 3);
  assert_size (binding, "past_sequence_length", 31);
  assert_size (binding, "past_sequence_length + sequence_length", 32);
  assert_size (binding, "total_sequence_length", 32);
}

static void
assert_refused (GPtrArray *inputs, guint batch, guint sequence, const char *overrides, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (dyno_binding_new (inputs, batch, sequence, overrides, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, word);
}

static void
test_refusals (void)
{
  g_autoptr (GPtrArray) inputs = decoder_inputs ();

  assert_refused (inputs, 0, 16, NULL, "batch_size");
  assert_refused (inputs, 1, 0, NULL, "sequence_length");
  assert_refused (inputs, 1, 16, "batch_size=0", "from 1");
  assert_refused (inputs, 1, 16, "sequence_length=-1", "from 0");
  assert_refused (inputs, 1, 16, "batch_size=-3", "-3");
  assert_refused (inputs, 1, 16, "batch_size=many", "many");
  assert_refused (inputs, 1, 16, "batch_size=99999999999999999999", "99999999999999999999");
  assert_refused (inputs, 1, 16, "batch_size", "name=size");
  assert_refused (inputs, 1, 16, "bath=3", "batch_size, sequence_length, past_sequence_length");
  assert_refused (inputs, 65536, 65536, NULL, "input_ids");
}

static void
test_unbound (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) binding = NULL;

  add_input (inputs, "x", "batch, x:1, frames, 80");
  assert_refused (inputs, 1, 1, NULL, "x:1, frames");
  assert_refused (inputs, 1, 1, NULL, "“x:1=64,frames=64”");
  assert_refused (inputs, 1, 1, "frames=3000", "x:1=64");
  binding = bind_inputs (inputs, 1, 1, "frames=3000,x:1=1");
  assert_size (binding, "frames", 3000);
}

/* What has no name and stands first is a batch, and may be bound by the placeholder that the file has. */
static void
test_leading (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) free = NULL;
  g_autoptr (GHashTable) bound = NULL;

  add_input (inputs, "x", "x:0, 3");
  add_input (inputs, "y", "unk__7:0, 3");
  free = dyno_binding_new (inputs, 8, 1, NULL, NULL);
  bound = dyno_binding_new (inputs, 8, 1, "x:0=2,unk__7=4", NULL);
  assert_size (free, "x:0", 8);
  assert_size (free, "unk__7:0", 8);
  assert_size (bound, "x:0", 2);
  assert_size (bound, "unk__7:0", 4);
  assert_refused (inputs, 8, 1, "unk__8=4", "x:0, unk__7:0");
}

/* A message names the first few, however many there are. */
static void
test_many (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GString) overrides = g_string_new (NULL);
  g_autoptr (GHashTable) binding = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *name = g_strdup_printf ("d%05u", i);

      add_input (inputs, name, name);
      g_string_append_printf (overrides, "%s=2,", name);
    }
  assert_refused (inputs, 1, 1, NULL,
                  "are: d00000, d00001, d00002, d00003, d00004, d00005, d00006, d00007 and 19992 more.");
  assert_refused (inputs, 1, 1, NULL, "“d00000=64,d00001=64,d00002=64,d00003=64,d00004=64”.");
  assert_refused (inputs, 1, 1, "x=1", "d00007 and 19992 more.");
  binding = dyno_binding_new (inputs, 1, 1, overrides->str, NULL);
  g_assert_nonnull (binding);
  text = dyno_binding_to_string (binding);
  g_assert_true (g_str_has_suffix (text, "d00007 2 and 19992 more"));
}

/* A model's default size takes precedence over the meaning of a name, and an explicit size over both. */
static void
test_usual (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoTensorInfo *info = dyno_tensor_info_new ("sample", DYNO_DATA_TYPE_FLOAT);
  g_autoptr (GHashTable) binding = NULL;

  dyno_tensor_info_add_symbol (info, "batch");
  dyno_tensor_info_add_usual (info, "frames", 30);
  dyno_tensor_info_add_usual (info, "height", 96);
  dyno_tensor_info_add_usual (info, "width", 128);
  g_ptr_array_add (inputs, info);
  binding = bind_inputs (inputs, 2, 1, "width=64");
  assert_size (binding, "batch", 2);
  assert_size (binding, "frames", 30);
  assert_size (binding, "height", 96);
  assert_size (binding, "width", 64);
}

static void
test_to_string (void)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) binding = NULL;
  g_autoptr (GHashTable) fixed = dyno_binding_new (inputs, 1, 1, NULL, NULL);
  g_autofree char *text = NULL;
  g_autofree char *none = dyno_binding_to_string (fixed);

  add_input (inputs, "ids", "sequence, batch");
  add_input (inputs, "mask", "batch, past + sequence");
  binding = dyno_binding_new (inputs, 2, 16, NULL, NULL);
  text = dyno_binding_to_string (binding);
  g_assert_cmpstr (text, ==, "batch 2, sequence 16");
  g_assert_cmpstr (none, ==, "fixed sizes");
}

static const SuiteTest tests[] = {
  { "/binding/kinds", test_kinds },         { "/binding/to-string", test_to_string },
  { "/binding/defaults", test_defaults },   { "/binding/images", test_images },
  { "/binding/overrides", test_overrides }, { "/binding/refusals", test_refusals },
  { "/binding/unbound", test_unbound },     { "/binding/leading", test_leading },
  { "/binding/many", test_many },           { "/binding/limits", test_limits },
  { "/binding/usual", test_usual },
};

SUITE_TESTS (tests)
