/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-head.h"
#include "dyno-model-private.h"
#include "dyno-text.h"
#include "dyno-model-description.h"

/* Far longer than any real name: a config may be a stranger’s. */
#define LONGEST_NAME 64

/* The lengths from which a known name may have one wrong letter, or two. */
#define SHORT_NAME 5
#define LONG_NAME  8

/* Every family that Dyno can build; each list is terminated by an empty entry. */
static const DynoArchitecture *const families[] = {
  dyno_encoder_architectures,     dyno_decoder_architectures,      dyno_seq2seq_architectures,
  dyno_state_space_architectures, dyno_convolution_architectures,  dyno_vit_architectures,
  dyno_convnext_architectures,    dyno_efficientnet_architectures, dyno_modernbert_architectures,
  dyno_swin_architectures,        dyno_clip_architectures,         dyno_segformer_architectures,
  dyno_detr_architectures,        dyno_speech_architectures,       dyno_diffusion_architectures,
  dyno_sam_architectures,         dyno_blip2_architectures,        dyno_llava_architectures,
  dyno_gemma3_architectures,      dyno_imagebind_architectures,    dyno_retrieval_architectures,
  dyno_beit_architectures,        dyno_yolos_architectures,        dyno_spectrogram_architectures,
  dyno_esm_architectures,         dyno_reader_architectures,       dyno_idefics_architectures,
  dyno_timm_architectures,        dyno_depth_architectures,        dyno_layout_architectures,
  dyno_conformer_architectures,   dyno_moonshine_architectures,    dyno_florence_architectures,
  dyno_rt_detr_architectures,     dyno_sam2_architectures,         dyno_mobilevit_architectures,
  dyno_qwen_vl_architectures,     dyno_rwkv_architectures,         dyno_zamba_architectures,
  dyno_clap_architectures,        dyno_listener_architectures,
};

/* The families of files, for which nothing is built. */
const DynoFamily dyno_onnx_family = { "onnx", N_ ("ONNX file"), N_ ("ONNX Files") };
const DynoFamily dyno_gguf_family = { "gguf", N_ ("GGUF file"), N_ ("GGUF Files") };

/* The family of models on a server, which do not even have a file. */
const DynoFamily dyno_served_family = { "served", N_ ("Served model"), N_ ("Served Models") };

GPtrArray *
dyno_family_list (void)
{
  GPtrArray *list = g_ptr_array_new ();

  g_ptr_array_add (list, (gpointer)&dyno_onnx_family);
  g_ptr_array_add (list, (gpointer)&dyno_gguf_family);
  for (guint i = 0; dyno_engine_format_get (i) != NULL; i++)
    g_ptr_array_add (list, (gpointer)&dyno_engine_format_get (i)->family);
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (const DynoArchitecture *entry = families[i]; entry->model_type != NULL; entry++)
      if (!g_ptr_array_find (list, entry->family, NULL))
        g_ptr_array_add (list, (gpointer)entry->family);
  return list;
}

GPtrArray *
dyno_architecture_list (void)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (const DynoArchitecture *entry = families[i]; entry->model_type != NULL; entry++)
      if (entry->text_type == NULL && entry->class_name == NULL)
        g_ptr_array_add (list, (gpointer)entry);
  return list;
}

static char *
dup_digits (const char *name)
{
  GString *digits = g_string_new (NULL);

  for (; *name != '\0'; name++)
    if (g_ascii_isdigit (*name))
      g_string_append_c (digits, *name);
  return g_string_free (digits, FALSE);
}

static gboolean
is_for (const DynoArchitecture *self, DynoConfig *config, const char *model_type)
{
  JsonObject *text;

  if (g_str_has_prefix (self->model_type, DYNO_ARCHITECTURE_TIMM))
    {
      /* The first word of the name decides. */
      const char *word = self->model_type + strlen (DYNO_ARCHITECTURE_TIMM);

      return g_str_equal (dyno_config_get_string_or (config, "architecture", ""), model_type) &&
             g_str_has_prefix (model_type, word) && !g_ascii_isalpha (model_type[strlen (word)]);
    }
  if (!g_str_equal (self->model_type, model_type))
    return FALSE;
  if (self->class_name != NULL)
    return g_str_has_suffix (dyno_config_get_class (config), self->class_name);
  if (self->text_type == NULL)
    return TRUE;
  text = dyno_config_get_object (config, "text_config");
  return text != NULL && g_strcmp0 (json_object_get_string_member_with_default (text, "model_type", NULL),
                                    self->text_type) == 0;
}

const DynoArchitecture *
dyno_architecture_find (DynoConfig *config, GError **error)
{
  const char *name = dyno_config_get_string_or (config, "architecture", "");
  const char *class_name = dyno_config_get_string_or (config, "_class_name", name);
  const char *model_type = dyno_config_get_string_or (config, "model_type", class_name);

  if (*model_type == '\0')
    dyno_config_fail (config, _ ("it names no architecture (“model_type” or “_class_name”)"));
  if (!dyno_config_check (config, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (const DynoArchitecture *entry = families[i]; entry->model_type != NULL; entry++)
      if (is_for (entry, config, model_type))
        return entry;

  g_autofree char *shown = dyno_plain_text_quote (model_type, LONGEST_NAME);
  g_autofree char *written = g_ascii_strdown (shown, -1);
  g_autofree char *version = dup_digits (written);
  g_autoptr (GPtrArray) known = dyno_architecture_list ();
  const char *meant = NULL;
  /* Numbers are versions, and an ending is a variant: both mean other models. So can another first letter:
   * “zamba” is not “mamba”. */
  for (guint i = 0; meant == NULL && i < known->len; i++)
    {
      const char *type = ((const DynoArchitecture *)known->pdata[i])->model_type;
      gsize length = strlen (type);
      guint allowed = length >= LONG_NAME ? 2 : length >= SHORT_NAME ? 1 : 0;
      g_autofree char *known_version = dup_digits (type);

      if (*written == *type && g_str_equal (version, known_version) && !g_str_has_prefix (written, type) &&
          dyno_similar_distance (written, type) <= allowed)
        meant = type;
    }
  g_autofree char *question = meant != NULL
                                  ? g_strdup_printf (
                                        /* Translators: a name of an architecture, such as “llama” */
                                        _ (" Did you mean “%s”?"), meant)
                                  : g_strdup ("");

  g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
               /* Translators: a name, and nothing or a question that begins with a space */
               _ ("Dyno cannot build the architecture “%s”.%s It can measure the model as an ONNX file: "
                  "“dyno-cli models fetch ID --onnx” fetches one if the hub has it. “dyno-cli models types” "
                  "lists the architectures that Dyno builds."),
               shown, question);

  return NULL;
}

/* Finds the entry of a model type that is not for one class alone. */
static const DynoArchitecture *
find_type (const char *model_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (const DynoArchitecture *entry = families[i]; entry->model_type != NULL; entry++)
      if (entry->class_name == NULL && g_strcmp0 (entry->model_type, model_type) == 0)
        return entry;
  return NULL;
}

const char *
dyno_architecture_get_task (const char *model_type)
{
  const DynoArchitecture *self = find_type (model_type);

  return self != NULL ? self->task : NULL;
}

const DynoFamily *
dyno_architecture_get_family (const char *model_type)
{
  const DynoArchitecture *self = find_type (model_type);

  return self != NULL ? self->family : NULL;
}

const char *
dyno_architecture_find_task (const DynoArchitecture *self, DynoConfig *config)
{
  const DynoHead head = dyno_head_read (config);

  return head.task != NULL ? head.task : self->task;
}

/* Returns the part of that modality, or with features in front the whole model if it names no stages; it is made once and
 * lives as long as the process. */
static const DynoArchitecture *
find_part (const DynoArchitecture *self, const DynoModality *modality)
{
  static GMutex mutex;
  static GHashTable *parts; /* by model type and modality */
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  g_autofree char *key = g_strdup_printf ("%s@%s", self->model_type, modality->name);
  const DynoStage alone[] = { { "model", self->build, TRUE }, { NULL } };
  const DynoStage features = { "features", self->build_features, TRUE };
  DynoArchitecture *part;

  if (parts == NULL)
    parts = g_hash_table_new (g_str_hash, g_str_equal);
  part = g_hash_table_lookup (parts, key);
  if (part == NULL)
    {
      part = g_memdup2 (self, sizeof *self);
      part->stages = modality->stages;
      if (modality->stages == NULL)
        {
          GArray *stages = g_array_new (TRUE, FALSE, sizeof (DynoStage));

          g_array_append_val (stages, features);
          for (const DynoStage *stage = self->stages != NULL ? self->stages : alone; stage->name != NULL;
               stage++)
            g_array_append_val (stages, *stage);
          part->stages = (const DynoStage *)(gpointer)g_array_free (stages, FALSE);
        }
      part->modalities = NULL;
      part->takes_images = FALSE;
      g_hash_table_insert (parts, g_steal_pointer (&key), part);
    }
  return part;
}

const DynoArchitecture *
dyno_architecture_find_modality (const DynoArchitecture *self,
                                 const char *modality,
                                 const char *model,
                                 GError **error)
{
  static const DynoModality none = { NULL }, waveform = { DYNO_ARCHITECTURE_WAVEFORM };
  g_auto (GStrv) words = g_strsplit (modality, "+", -1);
  const DynoModality *all = self != NULL && self->modalities != NULL ? self->modalities : &none;
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) whole = g_string_new (NULL);
  gboolean is_whole = TRUE;
  guint n = 0;

  if (self != NULL && self->build_features != NULL && g_str_equal (modality, waveform.name))
    return find_part (self, &waveform);
  for (const DynoModality *entry = all; entry->name != NULL; entry++, n++)
    {
      if (g_str_equal (entry->name, modality))
        return find_part (self, entry);
      is_whole &= g_strv_contains ((const char *const *)words, entry->name);
      g_string_append_printf (names, "“%s”, ", entry->name);
      g_string_append_printf (whole, "%s%s", n > 0 ? "+" : "", entry->name);
    }
  if (n > 0 && is_whole && g_strv_length (words) == n)
    return self;
  if (n == 0)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                 _ ("“%s” has no parts for single modalities. Leave out “%s”."), model, modality);
  else
    {
      g_string_append_printf (names, "“%s”", whole->str);
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
          /* Translators: a model, a word such as “audio”, and a list such as “image”, “text”, “image+text” */
          _ ("“%s” has no part for “%s”. It has: %s."), model, modality, names->str);
    }
  return NULL;
}

GPtrArray *
dyno_architecture_build (const DynoArchitecture *self,
                         DynoConfig *config,
                         DynoBinding *binding,
                         const char *precision,
                         GHashTable *of_stages,
                         gboolean is_fused,
                         guint n_pictures,
                         gboolean is_outline,
                         GError **error)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_graph_free);
  const DynoStage *stage = self->stages;

  /* Without stages, the architecture has one graph. */
  do
    {
      g_autoptr (GHashTable) own = binding != NULL ? g_hash_table_ref (binding) : NULL;
      GHashTableIter iter;
      gpointer name, size;
      gint64 one = 1;
      const char *own_precision =
          of_stages != NULL && stage != NULL ? g_hash_table_lookup (of_stages, stage->name) : NULL;
      DynoGraph *graph;

      if (binding != NULL && stage != NULL && stage->repeats != NULL)
        {
          /* A repeated stage takes one part at a time. */
          g_hash_table_unref (own);
          own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
          g_hash_table_iter_init (&iter, binding);
          while (g_hash_table_iter_next (&iter, &name, &size))
            g_hash_table_insert (own, g_strdup (name), g_memdup2 (size, sizeof (gint64)));
          g_hash_table_replace (own, g_strdup (stage->repeats), g_memdup2 (&one, sizeof one));
        }
      graph = dyno_graph_new (own);
      g_ptr_array_add (graphs, graph);
      dyno_graph_set_precision (graph, own_precision != NULL ? own_precision : precision);
      dyno_graph_set_feeders (graph, of_stages != NULL ? graphs : NULL);
      dyno_graph_set_fused (graph, is_fused);
      dyno_graph_set_pictures (graph, n_pictures);
      dyno_graph_set_outline (graph, is_outline);
      dyno_graph_set_zero_points (graph, dyno_config_has_zero_points (config));
      (stage != NULL ? stage->build : self->build) (graph, config);
      dyno_graph_set_feeders (graph, NULL);
      if (!dyno_config_check (config, error) || !dyno_graph_check (graph, error))
        return NULL;
    }
  while (stage != NULL && (++stage)->name != NULL);
  return g_steal_pointer (&graphs);
}

gint64
dyno_architecture_count_times (const DynoArchitecture *self, guint stage, DynoBinding *binding)
{
  const char *repeats = self->stages != NULL ? self->stages[stage].repeats : NULL;
  gint64 n_times = 1;

  return repeats != NULL && dyno_binding_get (binding, repeats, &n_times) ? n_times : 1;
}
