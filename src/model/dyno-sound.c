/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-binding.h"
#include "dyno-inputs.h"
#include "dyno-json.h"
#include "dyno-model-families-private.h"
#include "dyno-model-private.h"

/* The published feature extractors begin a window each 160 samples at 16 kHz, that of CLAP each 480 at 48 kHz; that of
 * Wav2Vec2-BERT joins two frames into one. */
static const struct
{
  const char *model_type;
  const char *input;
  guint axis;
  double frames_per_second;
} spectrograms[] = {
  { "audio-spectrogram-transformer", "input_values", 1, 100 },
  { "clap", "input_features", 2, 100 },
  { "qwen2_audio", "input_features", 2, 100 },
  { "voxtral", "input_features", 2, 100 },
  { "wav2vec2-bert", "input_features", 1, 50 },
  { "whisper", "input_features", 2, 100 },
};

static double
find_frames (DynoModel *self, DynoBinding *binding, DynoTensorInfo *info, char **source)
{
  DynoShape shape;

  for (guint i = 0; i < G_N_ELEMENTS (spectrograms); i++)
    {
      if (!g_str_equal (spectrograms[i].model_type, dyno_model_get_architecture (self)) ||
          !g_str_equal (spectrograms[i].input, dyno_tensor_info_get_name (info)) ||
          !dyno_binding_get_shape (binding, info, &shape))
        continue;
      *source = g_strdup_printf ("%" G_GINT64_FORMAT " frames of %s at %.0f in a second",
                                 shape.dims[spectrograms[i].axis], spectrograms[i].input,
                                 spectrograms[i].frames_per_second);
      return (double)shape.dims[spectrograms[i].axis] / spectrograms[i].frames_per_second;
    }
  return 0;
}

double
dyno_sound_get_seconds (DynoModel *self, DynoBinding *binding, char **source)
{
  JsonObject *config, *published;
  gint64 rate, usual = DYNO_SPEECH_RATE, n_samples;
  DynoShape shape;

  g_return_val_if_fail (DYNO_IS_MODEL (self), 0);
  g_return_val_if_fail (binding != NULL, 0);

  n_samples = dyno_binding_get_kind (binding, DYNO_DIMENSION_KIND_SAMPLES, 0);
  for (guint i = 0; i < dyno_model_get_inputs (self)->len; i++)
    {
      DynoTensorInfo *info = dyno_model_get_inputs (self)->pdata[i];
      double seconds = find_frames (self, binding, info, source);

      if (seconds > 0)
        return seconds;
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
  *source = g_strdup_printf ("%" G_GINT64_FORMAT " samples at %" G_GINT64_FORMAT " Hz, %s", n_samples,
                             rate > 0 ? rate : usual,
                             rate > 0                    ? "the rate of its config"
                             : usual == DYNO_SPEECH_RATE ? "the usual rate of speech models"
                                                         : "the usual rate of such models");
  return (double)n_samples / (double)(rate > 0 ? rate : usual);
}
