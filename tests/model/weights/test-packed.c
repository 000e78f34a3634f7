/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-float16.h"
#include "dyno-model-weights-private.h"
#include "dyno-model.h"
#include "model-test.h"
#include "suite.h"

#define GROUP 4

typedef enum
{
  AWQ,
  GPTQ,
  GPTQ_WHOLE,
  GPTQ_ORDER,
  FP8_BLOCKS,
  FP8_ROWS,
  N_KINDS
} Kind;

/* A file of weights in the making. */
typedef struct
{
  GString *header;
  GByteArray *data;
} File;

static void
file_init (File *self)
{
  self->header = g_string_new ("{");
  self->data = g_byte_array_new ();
}

static void
add_tensor (File *self,
            const char *name,
            const char *type,
            gint64 n_rows,
            gint64 n_columns,
            gconstpointer data,
            gsize size)
{
  g_string_append_printf (self->header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[",
                          self->data->len > 0 ? "," : "", name, type);
  if (n_columns > 0)
    g_string_append_printf (self->header, "%" G_GINT64_FORMAT ",", n_rows);
  g_string_append_printf (self->header, "%" G_GINT64_FORMAT "],\"data_offsets\":[%u,%u]}",
                          n_columns > 0 ? n_columns : n_rows, self->data->len, self->data->len + (guint)size);
  g_byte_array_append (self->data, data, (guint)size);
}

static void
save (File *self, const char *folder, const char *config)
{
  g_autofree char *weights = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 length;

  g_string_append_c (self->header, '}');
  length = GUINT64_TO_LE (self->header->len);
  g_byte_array_append (bytes, (const guint8 *)&length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *)self->header->str, (guint)self->header->len);
  g_byte_array_append (bytes, self->data->data, self->data->len);
  g_assert_true (g_file_set_contents (weights, (const char *)bytes->data, bytes->len, NULL));
  g_assert_true (g_file_set_contents (path, config, -1, NULL));
  g_string_free (self->header, TRUE);
  g_byte_array_unref (self->data);
}

/* Numbers without a pattern, the same each time. */
static guint
draw (guint64 index, guint below)
{
  index = (index + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  index ^= index >> 29;
  return (guint)((index * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9)) >> 40) % below;
}

static guint
get_quant (gint64 row, gint64 column)
{
  return draw ((guint64)(row * 1000 + column), 16);
}

static guint
get_zero (gint64 row, gint64 group)
{
  return draw ((guint64)(500000 + row * 1000 + group), 14) + 1;
}

static guint16
get_scale (gint64 row, gint64 group)
{
  return dyno_float16_from_float ((float)(draw ((guint64)(900000 + row * 1000 + group), 100) + 1) / 1024);
}

/* In another order, each group has as many columns as it should. */
static gint64
get_group (Kind kind, gint64 column, gint64 n_columns)
{
  return (kind == GPTQ_ORDER ? n_columns - 1 - column : column) / GROUP;
}

static void
put (guint32 *words, gint64 index, guint place, guint number)
{
  words[index] |= GUINT32_TO_LE (number << (4 * place));
}

/* As AutoGPTQ packs: eight inputs of an output in a word, zero points less one unless the format is its second. */
static void
pack_gptq (File *file, Kind kind, const char *stem, gint64 n_rows, gint64 n_columns)
{
  gint64 n_groups = n_columns / GROUP;
  g_autofree guint32 *quants = g_new0 (guint32, n_columns / 8 * n_rows);
  g_autofree guint32 *zeros = g_new0 (guint32, n_groups * n_rows / 8);
  g_autofree gint32 *groups = g_new (gint32, n_columns);
  g_autofree char *name = g_strconcat (stem, ".qweight", NULL);
  g_autofree char *zeros_name = g_strconcat (stem, ".qzeros", NULL);
  g_autofree char *groups_name = g_strconcat (stem, ".g_idx", NULL);

  for (gint64 column = 0; column < n_columns; column++)
    {
      groups[column] = GINT32_TO_LE ((gint32)get_group (kind, column, n_columns));
      for (gint64 row = 0; row < n_rows; row++)
        put (quants, column / 8 * n_rows + row, (guint)(column % 8), get_quant (row, column));
    }
  for (gint64 group = 0; group < n_groups; group++)
    for (gint64 row = 0; row < n_rows; row++)
      put (zeros, group * (n_rows / 8) + row / 8, (guint)(row % 8),
           get_zero (row, group) - (kind == GPTQ_WHOLE ? 0 : 1));
  add_tensor (file, name, "I32", n_columns / 8, n_rows, quants, (gsize)(n_columns / 8 * n_rows) * 4);
  add_tensor (file, zeros_name, "I32", n_groups, n_rows / 8, zeros, (gsize)(n_groups * n_rows / 8) * 4);
  add_tensor (file, groups_name, "I32", n_columns, 0, groups, (gsize)n_columns * 4);
}

/* As AutoAWQ packs: eight outputs of an input in a word, in this order. */
static void
pack_awq (File *file, const char *stem, gint64 n_rows, gint64 n_columns)
{
  static const guint order[] = { 0, 2, 4, 6, 1, 3, 5, 7 };
  gint64 n_groups = n_columns / GROUP;
  g_autofree guint32 *quants = g_new0 (guint32, n_columns * n_rows / 8);
  g_autofree guint32 *zeros = g_new0 (guint32, n_groups * n_rows / 8);
  g_autofree char *name = g_strconcat (stem, ".qweight", NULL);
  g_autofree char *zeros_name = g_strconcat (stem, ".qzeros", NULL);

  for (gint64 word = 0; word < n_rows / 8; word++)
    for (guint place = 0; place < 8; place++)
      {
        for (gint64 column = 0; column < n_columns; column++)
          put (quants, column * (n_rows / 8) + word, place, get_quant (word * 8 + order[place], column));
        for (gint64 group = 0; group < n_groups; group++)
          put (zeros, group * (n_rows / 8) + word, place, get_zero (word * 8 + order[place], group));
      }
  add_tensor (file, name, "I32", n_columns, n_rows / 8, quants, (gsize)(n_columns * n_rows / 8) * 4);
  add_tensor (file, zeros_name, "I32", n_groups, n_rows / 8, zeros, (gsize)(n_groups * n_rows / 8) * 4);
}

static void
pack_scales (File *file, const char *stem, gint64 n_rows, gint64 n_columns)
{
  gint64 n_groups = n_columns / GROUP;
  g_autofree guint16 *scales = g_new (guint16, n_groups * n_rows);
  g_autofree char *name = g_strconcat (stem, ".scales", NULL);

  for (gint64 i = 0; i < n_groups * n_rows; i++)
    scales[i] = GUINT16_TO_LE (get_scale (i % n_rows, i / n_rows));
  add_tensor (file, name, "F16", n_groups, n_rows, scales, (gsize)(n_groups * n_rows) * 2);
}

/* All finite numbers that a byte can be; blocks of 2 rows and 5 columns are as many as there are rows. */
static void
pack_fp8 (File *file, Kind kind, const char *stem, gint64 n_rows, gint64 n_columns)
{
  gint64 n_across = kind == FP8_BLOCKS ? (n_columns + 4) / 5 : 1;
  gint64 n_down = kind == FP8_BLOCKS ? (n_rows + 1) / 2 : n_rows;
  g_autofree guint8 *bytes = g_new (guint8, n_rows * n_columns);
  g_autofree float *scales = g_new (float, n_down *n_across);
  g_autofree char *name = g_strconcat (stem, ".weight", NULL);
  g_autofree char *scales_name =
      g_strconcat (stem, kind == FP8_BLOCKS ? ".weight_scale_inv" : ".weight_scale", NULL);

  for (gint64 i = 0; i < n_rows * n_columns; i++)
    bytes[i] = (guint8)(draw ((guint64)i, 127) | (i % 2 == 0 ? 0x80 : 0));
  for (gint64 i = 0; i < n_down * n_across; i++)
    scales[i] = 1.0f / (float)(i + 1);
  add_tensor (file, name, "F8_E4M3", n_rows, n_columns, bytes, (gsize)(n_rows * n_columns));
  add_tensor (file, scales_name, "F32", n_down, n_across, scales, (gsize)(n_down * n_across) * 4);
}

/* By the value's definition: sign, exponent less 7, and three bits of fraction. */
static double
get_fp8 (guint byte)
{
  double fraction = (byte & 7) / 8.0;
  guint exponent = (byte >> 3) & 15;

  return (byte & 128 ? -1 : 1) *
         (exponent > 0 ? (1 + fraction) * exp2 ((double)exponent - 7) : fraction * exp2 (-6));
}

static float
get_plain (Kind kind, gint64 row, gint64 column, gint64 n_columns)
{
  gint64 index = row * n_columns + column;
  gint64 group = get_group (kind, column, n_columns);
  gint64 place = kind == FP8_BLOCKS ? row / 2 * ((n_columns + 4) / 5) + column / 5 : row;

  if (kind >= FP8_BLOCKS)
    return (float)get_fp8 (draw ((guint64)index, 127) | (index % 2 == 0 ? 0x80 : 0)) *
           (1.0f / (float)(place + 1));
  return (float)((int)get_quant (row, column) - (int)get_zero (row, group)) *
         dyno_float16_to_float (get_scale (row, group));
}

static void
add_matrix (File *packed, File *plain, Kind kind, const char *stem, gint64 n_rows, gint64 n_columns)
{
  g_autofree char *name = g_strconcat (stem, ".weight", NULL);
  g_autofree float *values = g_new (float, n_rows *n_columns);

  for (gint64 i = 0; i < n_rows * n_columns; i++)
    values[i] = get_plain (kind, i / n_columns, i % n_columns, n_columns);
  add_tensor (plain, name, "F32", n_rows, n_columns, values, (gsize)(n_rows * n_columns) * 4);
  if (kind >= FP8_BLOCKS)
    pack_fp8 (packed, kind, stem, n_rows, n_columns);
  else if (kind == AWQ)
    pack_awq (packed, stem, n_rows, n_columns);
  else
    pack_gptq (packed, kind, stem, n_rows, n_columns);
  if (kind < FP8_BLOCKS)
    pack_scales (packed, stem, n_rows, n_columns);
}

/* A Llama of one layer; its embedding and its norms are never packed. */
static void
add_weights (File *packed, File *plain, Kind kind)
{
  static const struct
  {
    const char *stem;
    gint64 n_rows;
    gint64 n_columns;
  } matrices[] = {
    { "self_attn.q_proj", 8, 8 }, { "self_attn.k_proj", 8, 8 }, { "self_attn.v_proj", 8, 8 },
    { "self_attn.o_proj", 8, 8 }, { "mlp.gate_proj", 16, 8 },   { "mlp.up_proj", 16, 8 },
    { "mlp.down_proj", 8, 16 },
  };
  static const char *const norms[] = { "model.norm.weight", "model.layers.0.input_layernorm.weight",
                                       "model.layers.0.post_attention_layernorm.weight" };
  static const float zeros[80];
  File *const files[] = { packed, plain };

  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autofree char *stem = g_strconcat ("model.layers.0.", matrices[i].stem, NULL);

      add_matrix (packed, plain, kind, stem, matrices[i].n_rows, matrices[i].n_columns);
    }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      add_tensor (files[i], "model.embed_tokens.weight", "F32", 10, 8, zeros, sizeof zeros);
      add_tensor (files[i], "lm_head.weight", "F32", 10, 8, zeros, sizeof zeros);
      for (guint k = 0; k < G_N_ELEMENTS (norms); k++)
        add_tensor (files[i], norms[k], "F32", 8, 0, zeros, 8 * sizeof *zeros);
    }
}

static char *export(DynoModel *model, const char *folder, gsize *size)
{
  g_autofree char *path = g_build_filename (folder, "exported.onnx", NULL);
  g_autoptr (GError) error = NULL;
  char *bytes;

  dyno_model_export (model, NULL, 0, path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, size, NULL));
  return bytes;
}

#define LLAMA                                                                                                \
  "{\"model_type\": \"llama\", \"vocab_size\": 10, \"hidden_size\": 8, \"intermediate_size\": 16, "          \
  "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, \"max_position_embeddings\": 16"

static const char *const how[N_KINDS] = {
  [AWQ] = ", \"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 4}",
  [GPTQ] = ", \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32, "
           "\"sym\": false}",
  [GPTQ_WHOLE] = ", \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128, "
                 "\"checkpoint_format\": \"gptq_v2\"}",
  [GPTQ_ORDER] = ", \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128, "
                 "\"desc_act\": true}",
  [FP8_BLOCKS] = ", \"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [2, 5]}",
  [FP8_ROWS] = ", \"quantization_config\": {\"quant_method\": \"compressed-tensors\"}",
};

/* The file that an engine gets is the one that it would get of the unpacked weights. A note says how they are stored. */
static void
test_models (void)
{
  static const char *const kept[N_KINDS] = { [GPTQ] = "In int4-32,", [GPTQ_WHOLE] = "In int4-128," };

  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autofree char *config = g_strconcat (LLAMA, how[kind], "}", NULL);
      char *packed_folder = model_test_make_folder ();
      char *plain_folder = model_test_make_folder ();
      g_autoptr (DynoModel) packed = NULL;
      g_autoptr (DynoModel) plain = NULL;
      g_autofree char *packed_bytes = NULL;
      g_autofree char *plain_bytes = NULL;
      g_autofree char *note = NULL;
      gsize packed_size, plain_size;
      File files[2];

      file_init (&files[0]);
      file_init (&files[1]);
      add_weights (&files[0], &files[1], kind);
      save (&files[0], packed_folder, config);
      save (&files[1], plain_folder, LLAMA "}");
      packed = model_test_load (packed_folder);
      plain = model_test_load (plain_folder);
      packed_bytes = export(packed, packed_folder, &packed_size);
      plain_bytes = export(plain, plain_folder, &plain_size);
      g_test_message ("%s", how[kind]);
      g_assert_cmpmem (packed_bytes, packed_size, plain_bytes, plain_size);
      g_assert_cmpuint (dyno_model_list_unused_tensors (packed)->len, ==, 0);
      note = dyno_model_dup_note (packed);
      g_assert_nonnull (strstr (note, "are stored quantised ("));
      g_assert_true (strstr (note, kept[kind] != NULL ? kept[kind] : "chosen.") != NULL &&
                     (strstr (note, "In int4") != NULL) == (kept[kind] != NULL));
      model_test_remove_folder (packed_folder);
      model_test_remove_folder (plain_folder);
    }
}

/* A tensor in memory, in a table as a checkpoint has it. */
static DynoSafetensor *
add_to_table (GHashTable *tensors,
              const char *name,
              const char *type,
              DynoDataType data_type,
              gconstpointer data,
              gsize size)
{
  DynoSafetensor *tensor = g_new0 (DynoSafetensor, 1);

  tensor->name = name;
  tensor->type_name = type;
  tensor->shape.type = data_type;
  tensor->data = data;
  tensor->size = size;
  g_hash_table_insert (tensors, (gpointer)name, tensor);
  return tensor;
}

static void
set_shape (DynoSafetensor *tensor, guint rank, const gint64 *dims)
{
  tensor->shape.rank = rank;
  memcpy (tensor->shape.dims, dims, rank * sizeof *dims);
}

/* One output of GPTQ, eight inputs in two groups: 0 … 7 less 3 and less 9, times 1 and times 2. The other seven are 0. */
static GHashTable *
create_gptq (void)
{
  static const guint32 quants[8] = { 0x76543210 };
  static const guint32 zeros[2] = { 0x77777772, 0x77777778 };
  static guint16 scales[16] = { [0] = 0x3c00, [8] = 0x4000 };
  static const gint32 groups[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
  GHashTable *tensors = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  set_shape (add_to_table (tensors, "a.qweight", "I32", DYNO_DATA_TYPE_INT32, quants, sizeof quants), 2,
             (const gint64[]){ 1, 8 });
  set_shape (add_to_table (tensors, "a.qzeros", "I32", DYNO_DATA_TYPE_INT32, zeros, sizeof zeros), 2,
             (const gint64[]){ 2, 1 });
  set_shape (add_to_table (tensors, "a.scales", "F16", DYNO_DATA_TYPE_FLOAT16, scales, sizeof scales), 2,
             (const gint64[]){ 2, 8 });
  set_shape (add_to_table (tensors, "a.g_idx", "I32", DYNO_DATA_TYPE_INT32, groups, sizeof groups), 1,
             (const gint64[]){ 8 });
  return tensors;
}

/* Products in blocks of four or two elements get the numbers of the file; in blocks across groups they cannot. */
static void
test_blocks (void)
{
  static const float expected[] = { -3, -2, -1, 0, -10, -8, -6, -4 };
  g_autoptr (GHashTable) tensors = create_gptq ();
  g_autofree DynoPacked *packed = dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ 0 });
  guint8 bytes[4], zeros[2];
  float values[8], scales[4];

  g_assert_nonnull (packed);
  dyno_packed_read (packed, 0, 8, values, 1);
  g_assert_cmpmem (values, sizeof values, expected, sizeof expected);
  g_assert_true (dyno_packed_has_blocks (packed, 4, 4));
  g_assert_true (dyno_packed_has_blocks (packed, 4, 2));
  g_assert_false (dyno_packed_has_blocks (packed, 4, 8));
  g_assert_false (dyno_packed_has_blocks (packed, 8, 4));
  g_assert_false (packed->is_symmetric);
  dyno_packed_copy_row (packed, 0, 2, bytes, zeros, scales);
  g_assert_cmpmem (bytes, 4, ((const guint8[]){ 0x10, 0x32, 0x54, 0x76 }), 4);
  g_assert_cmpmem (zeros, 2, ((const guint8[]){ 0x33, 0x99 }), 2);
  g_assert_cmpfloat (scales[1], ==, 1);
  g_assert_cmpfloat (scales[2], ==, 2);
}

/* A graph without zero points can take only blocks whose zero points are all the middle. */
static void
test_taken_over (void)
{
  const DynoQuantisation blocks = { 4, 4 };
  g_autoptr (GHashTable) tensors = create_gptq ();
  g_autofree DynoPacked *packed = dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ 0 });
  DynoWeight zeros_part = { .name = "z" };
  DynoWeight source = { .name = "w",
                        .shape = { DYNO_DATA_TYPE_FLOAT, 2, { 8, 8 } },
                        .is_turned = TRUE,
                        .tensor = &packed->view,
                        .zeros = &zeros_part };
  const DynoWeight quants = {
    .name = "q", .shape = { DYNO_DATA_TYPE_UINT8, 3, { 8, 2, 2 } }, .quantisation = &blocks, .source = &source
  };
  guint8 bytes[8 * 4], zeros[8];
  float scales[16];

  g_assert_true (dyno_quantiser_fill (&quants, 1, 0, 8, bytes, scales, zeros));
  g_assert_cmphex (bytes[0], ==, 0x10);
  g_assert_cmphex (zeros[0], ==, 0x93);
  g_assert_cmpfloat (scales[1], ==, 2);
  source.zeros = NULL;
  g_assert_true (dyno_quantiser_fill (&quants, 1, 0, 8, bytes, scales, NULL));
  g_assert_cmphex (bytes[0], !=, 0x10);
  ((guint16 *)packed->scales->data)[0] = 0x7c00;
  packed->is_symmetric = TRUE;
  g_assert_false (dyno_quantiser_fill (&quants, 1, 0, 8, bytes, scales, NULL));
  ((guint16 *)packed->scales->data)[0] = 0x3c00;
  g_assert_true (dyno_quantiser_fill (&quants, 1, 0, 8, bytes, scales, NULL));
  g_assert_cmphex (bytes[0], ==, 0x10);
}

/* Parts that do not fit one another are not a weight. */
static void
test_misfits (void)
{
  static const gint32 outside[8] = { 0, 0, 0, 0, 1, 1, 1, 2 };
  static const struct
  {
    const char *name;
    guint rank;
    gint64 dims[2];
  } wrong[] = {
    { "a.qweight", 2, { 2, 4 } }, { "a.qweight", 1, { 8 } },   { "a.qweight", 2, { 0, 8 } },
    { "a.qzeros", 2, { 1, 2 } },  { "a.qzeros", 2, { 2, 3 } }, { "a.scales", 2, { 16, 1 } },
    { "a.scales", 2, { 0, 8 } },  { "a.g_idx", 1, { 7 } },
  };

  for (guint i = 0; i <= G_N_ELEMENTS (wrong) + 1; i++)
    {
      g_autoptr (GHashTable) tensors = create_gptq ();
      DynoSafetensor *tensor =
          g_hash_table_lookup (tensors, i < G_N_ELEMENTS (wrong) ? wrong[i].name : "a.g_idx");

      g_assert_true (dyno_packed_has_parts (tensors, "a.weight"));
      g_assert_false (dyno_packed_has_parts (tensors, "b.weight"));
      if (i < G_N_ELEMENTS (wrong))
        set_shape (tensor, wrong[i].rank, wrong[i].dims);
      else if (i == G_N_ELEMENTS (wrong))
        tensor->data = (const guint8 *)outside;
      else
        tensor->type_name = "I64";
      g_test_message ("%u", i);
      g_assert_null (dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ 0 }));
    }
}

/* Ten inputs in groups of eight are two groups, as the config says; without it nobody knows. */
static void
test_group_size (void)
{
  static const guint32 quants[10], zeros[2];
  static const guint16 scales[16];
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autofree DynoPacked *packed = NULL;

  set_shape (add_to_table (tensors, "a.qweight", "I32", DYNO_DATA_TYPE_INT32, quants, sizeof quants), 2,
             (const gint64[]){ 10, 1 });
  set_shape (add_to_table (tensors, "a.qzeros", "I32", DYNO_DATA_TYPE_INT32, zeros, sizeof zeros), 2,
             (const gint64[]){ 2, 1 });
  set_shape (add_to_table (tensors, "a.scales", "F16", DYNO_DATA_TYPE_FLOAT16, scales, sizeof scales), 2,
             (const gint64[]){ 2, 8 });
  packed = dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ .group = 8 });
  g_assert_cmpuint (packed->group, ==, 8);
  g_free (packed);
  packed = dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ 0 });
  g_assert_cmpuint (packed->group, ==, 5);
  g_free (packed);
  packed = dyno_packed_find (tensors, "a.weight", &(DynoPackedFormat){ .group = 3 });
  g_assert_cmpuint (packed->group, ==, 5);
}

/* Two experts of one output and 32 inputs each: a nibble is ±{0, 0.5, 1, 1.5, 2, 3, 4, 6}, the scale a power of two. */
static void
test_mxfp4 (void)
{
  static const guint8 blocks[32] = { [0] = 0xf1, [15] = 0x20, [16] = 0x07, [31] = 0x80 };
  static const guint8 scales[2] = { 127, 129 };
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autofree DynoPacked *packed = NULL;
  float values[64];

  set_shape (add_to_table (tensors, "a_blocks", "U8", DYNO_DATA_TYPE_UINT8, blocks, sizeof blocks), 4,
             (const gint64[]){ 2, 1, 1, 16 });
  set_shape (add_to_table (tensors, "a_scales", "U8", DYNO_DATA_TYPE_UINT8, scales, sizeof scales), 3,
             (const gint64[]){ 2, 1, 1 });
  packed = dyno_packed_find (tensors, "a", &(DynoPackedFormat){ 0 });
  g_assert_nonnull (packed);
  g_assert_cmpint (packed->view.shape.dims[1], ==, 32);
  dyno_packed_read (packed, 0, 64, values, 1);
  g_assert_cmpfloat (values[0], ==, 0.5f);
  g_assert_cmpfloat (values[1], ==, -6);
  g_assert_cmpfloat (values[31], ==, 1);
  g_assert_cmpfloat (values[32], ==, 24);
  g_assert_cmpfloat (values[63], ==, 0);
}

static const SuiteTest tests[] = {
  { "/packed/models", test_models },         { "/packed/blocks", test_blocks },
  { "/packed/taken-over", test_taken_over }, { "/packed/misfits", test_misfits },
  { "/packed/group-size", test_group_size }, { "/packed/mxfp4", test_mxfp4 },
};

SUITE_TESTS (tests)
