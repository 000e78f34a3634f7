/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-inputs.h"
#include "dyno-json.h"
#include "dyno-model-families-private.h"
#include "dyno-model-private.h"

/* The published feature extractors begin a window each 160 samples at 16 kHz, that of CLAP each 480 at 48 kHz; that of
 * Wav2Vec2-BERT joins two frames into one, and is the only one that does not fill sounds up to a fixed length. */
typedef struct
{
  const char *model_type;
  const char *input;
  guint axis;
  double frames_per_second;
  gboolean is_free;
} Spectrogram;

static const Spectrogram spectrograms[] = {
  { "audio-spectrogram-transformer", "input_values", 1, 100, FALSE },
  { "clap", "input_features", 2, 100, FALSE },
  { "qwen2_audio", "input_features", 2, 100, FALSE },
  { "voxtral", "input_features", 2, 100, FALSE },
  { "wav2vec2-bert", "input_features", 1, 50, TRUE },
  { "whisper", "input_features", 2, 100, FALSE },
};

static const Spectrogram *
find_spectrogram (DynoModel *self, DynoTensorInfo *info)
{
  for (guint i = 0; i < G_N_ELEMENTS (spectrograms); i++)
    if (g_str_equal (spectrograms[i].model_type, dyno_model_get_architecture (self)) &&
        g_str_equal (spectrograms[i].input, dyno_tensor_info_get_name (info)))
      return &spectrograms[i];
  return NULL;
}

/* Returns the seconds of all that a step computes. */
static double
get_computed (DynoModel *self, DynoBinding *binding, char **source)
{
  gint64 rate, usual = DYNO_SPEECH_RATE;
  gint64 n_samples = dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_SAMPLES, 0);
  JsonObject *config, *published;
  DynoShape shape;

  for (guint i = 0; i < dyno_model_get_inputs (self)->len; i++)
    {
      DynoTensorInfo *info = dyno_model_get_inputs (self)->pdata[i];
      const Spectrogram *found = find_spectrogram (self, info);

      if (found != NULL && dyno_binding_get_shape (binding, info, &shape))
        {
          *source = g_strdup_printf ("%" PRId64 " frames of %s at %.0f in a second", shape.dims[found->axis],
                                     found->input, found->frames_per_second);
          return (double)shape.dims[found->axis] / found->frames_per_second;
        }
      if (self->architecture != NULL && self->architecture->sound_rate > 0 &&
          g_str_equal (dyno_tensor_info_get_name (info), DYNO_LOG_MEL_INPUT) &&
          dyno_binding_get_shape (binding, info, &shape))
        {
          n_samples = shape.dims[1];
          usual = self->architecture->sound_rate;
        }
    }
  if (n_samples <= 0)
    return 0;
  config = self->config != NULL ? json_node_get_object (self->config) : NULL;
  published = dyno_json_member_get_object (config, DYNO_LOG_MEL_CONFIG);
  rate = dyno_json_member_get_int64 (config, "sampling_rate", 0);
  rate = dyno_json_member_get_int64 (published, "sampling_rate", rate);
  *source = g_strdup_printf ("%" PRId64 " samples at %" PRId64 " Hz, %s", n_samples, rate > 0 ? rate : usual,
                             rate > 0                    ? "the rate of its config"
                             : usual == DYNO_SPEECH_RATE ? "the usual rate of speech models"
                                                         : "the usual rate of such models");
  return (double)n_samples / (double)(rate > 0 ? rate : usual);
}

/* Returns the seconds that a step usually computes. */
static double
get_window (DynoModel *self)
{
  g_autofree char *source = NULL;
  g_autoptr (GHashTable) usual = dyno_binding_new (dyno_model_get_inputs (self), 1, 1, NULL, NULL);

  return usual != NULL ? get_computed (self, usual, &source) : 0;
}

gboolean
dyno_sound_is_heard (DynoModel *self)
{
  g_return_val_if_fail (DYNO_IS_MODEL (self), FALSE);

  return dyno_binding_has_kind (dyno_model_get_inputs (self), DYNO_DIMENSION_KIND_SAMPLES) ||
         get_window (self) > 0;
}

/* Returns the dimension that is a number of frames, and @rate, how many are in a second; NULL if there is none. */
static const char *
find_frames (DynoModel *self, double *rate)
{
  for (guint i = 0; i < dyno_model_get_inputs (self)->len; i++)
    {
      DynoTensorInfo *info = dyno_model_get_inputs (self)->pdata[i];
      const Spectrogram *found = find_spectrogram (self, info);

      *rate = found != NULL ? found->frames_per_second : 0;
      if (found != NULL && found->is_free)
        return dyno_tensor_info_get_symbol (info, found->axis);
    }
  return NULL;
}

char *
dyno_sound_bind_seconds (DynoModel *self, const char *overrides, double *chunk, GError **error)
{
  g_auto (GStrv) texts = g_strsplit (overrides != NULL ? overrides : "", ",", -1);
  g_autoptr (GString) rest = g_string_new (NULL);
  const char *given = NULL;
  const char *frames;
  double window, rate = 0, seconds;
  char *end;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  *chunk = 0;
  for (char **text = texts; *text != NULL; text++)
    if (g_str_has_prefix (g_strstrip (*text), DYNO_BINDING_SECONDS "="))
      given = *text + strlen (DYNO_BINDING_SECONDS "=");
    else
      g_string_append_printf (rest, "%s%s", rest->len > 0 ? "," : "", *text);
  if (given == NULL || dyno_binding_has_kind (dyno_model_get_inputs (self), DYNO_DIMENSION_KIND_SAMPLES))
    return g_strdup (overrides);

  /* The binding refuses it where nothing is heard. */
  window = get_window (self);
  if (window <= 0)
    return g_strdup (overrides);
  frames = find_frames (self, &rate);
  seconds = g_ascii_strtod (given, &end);
  if (*given == '\0' || *end != '\0' || !(seconds > 0) || seconds > (frames != NULL ? G_MAXINT32 : window))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          frames != NULL
              ? _ ("“%s” cannot hear a chunk of “%s” seconds: give a number above 0.")
              : _ ("“%s” cannot hear a chunk of “%s” seconds: give a number above 0, of at most %g."),
          self->name, given, window);
      return NULL;
    }
  if (frames != NULL)
    g_string_append_printf (rest, "%s%s=%.0f", rest->len > 0 ? "," : "", frames, round (seconds * rate));
  else if (seconds < window)
    *chunk = seconds;
  return g_strdup (rest->str);
}

double
dyno_sound_get_seconds (DynoModel *self, DynoBinding *binding, const char *overrides, char **source)
{
  g_autofree char *computed = NULL;
  g_autofree char *bound = NULL;
  double seconds, chunk = 0;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  seconds = get_computed (self, binding, &computed);
  bound = dyno_sound_bind_seconds (self, overrides, &chunk, NULL);
  *source = chunk > 0 ? g_strdup_printf ("a chunk of %g s, padded to %s", chunk, computed)
                      : g_steal_pointer (&computed);
  return chunk > 0 ? chunk : seconds;
}
