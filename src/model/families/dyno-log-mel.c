/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Kaldi subtracts this share of the sample before from each sample. */
#define EMPHASIS 0.97

/* The longest window of any published extractor has 1024 samples. */
#define SHORTEST_WINDOW 16
#define LONGEST_WINDOW  4096

void
dyno_log_mel_read (DynoLogMel *self, DynoConfig *config)
{
  DynoConfig *published = dyno_config_get_object (config, DYNO_LOG_MEL_CONFIG) != NULL
                              ? dyno_config_get_child (config, DYNO_LOG_MEL_CONFIG)
                              : NULL;

  if (published != NULL)
    self->rate = dyno_config_get_int_or (published, "sampling_rate", self->rate);
  if (published != NULL && !self->is_kaldi)
    {
      self->hop = dyno_config_get_int_or (published, "hop_length", self->hop);
      self->n_fft = dyno_config_get_int_or (published, "fft_window_size", self->n_fft);
      self->n_fft = dyno_config_get_int_or (published, "n_fft", self->n_fft);
      self->lowest = dyno_config_get_double_or (published, "frequency_min", self->lowest);
      self->highest = dyno_config_get_double_or (published, "frequency_max", self->highest);
    }
  self->window = self->n_fft;
  if (self->is_kaldi)
    {
      /* Windows of 25 milliseconds each 10, filled up to a power of two. */
      self->window = self->rate / 40;
      self->hop = MAX (self->rate / 100, 1);
      self->highest = (double)self->rate / 2;
      for (self->n_fft = SHORTEST_WINDOW; self->n_fft < self->window;)
        self->n_fft *= 2;
    }
  if (self->n_fft < SHORTEST_WINDOW || self->n_fft > LONGEST_WINDOW || self->n_fft % 2 != 0)
    dyno_config_fail (config, _ ("its “%s” is %" PRId64 ", but must be even and from %d to %d"), "n_fft",
                      self->n_fft, SHORTEST_WINDOW, LONGEST_WINDOW);
  else if (self->hop > self->window || self->n_mels > self->n_fft || self->lowest >= self->highest ||
           self->highest > (double)self->rate / 2 ||
           self->n_frames > (G_MAXINT32 - LONGEST_WINDOW) / self->hop ||
           dyno_log_mel_count_samples (self) <= self->n_fft)
    dyno_config_fail (config, _ ("its “%s” describes no features of sound that Dyno can compute"),
                      DYNO_LOG_MEL_CONFIG);
}

gint64
dyno_log_mel_count_samples (const DynoLogMel *self)
{
  return self->is_kaldi ? (self->n_frames - 1) * self->hop + self->window
                        : (self->n_frames - (self->keeps_last ? 1 : 0)) * self->hop;
}

static double
to_mel (const DynoLogMel *self, double frequency)
{
  if (self->is_kaldi)
    return 1127 * log1p (frequency / 700);
  return frequency < 1000 ? frequency * 3 / 200 : 15 + log (frequency / 1000) * 27 / log (6.4);
}

/* Triangles over the frequencies, or with Kaldi over their mel numbers, [mels, bins]. Slaney gives all the same area. */
static float *
make_filters (const DynoLogMel *self)
{
  gint64 n_bins = self->n_fft / 2 + 1;
  float *filters = g_new (float, (gsize)(self->n_mels * n_bins));
  double low = to_mel (self, self->lowest);
  double step = (to_mel (self, self->highest) - low) / (double)(self->n_mels + 1);

  for (gint64 mel = 0; mel < self->n_mels; mel++)
    {
      double corners[3];

      for (guint i = 0; i < 3; i++)
        {
          double number = low + step * (double)(mel + i);

          corners[i] = self->is_kaldi ? number
                       : number < 15  ? number * 200 / 3
                                      : 1000 * exp ((number - 15) * log (6.4) / 27);
        }
      for (gint64 bin = 0; bin < n_bins; bin++)
        {
          double frequency = (double)(bin * self->rate) / (double)self->n_fft;
          double place = self->is_kaldi ? to_mel (self, frequency) : frequency;
          double height = MIN ((place - corners[0]) / (corners[1] - corners[0]),
                               (corners[2] - place) / (corners[2] - corners[1]));

          filters[mel * n_bins + bin] =
              (float)(MAX (height, 0) * (self->is_kaldi ? 1 : 2 / (corners[2] - corners[0])));
        }
    }
  return filters;
}

/* Kaldi takes the mean from a frame and weakens its low frequencies before the transform. All of it is linear, and
 * therefore a change of what the frame is multiplied with. */
static void
add_emphasis (double *row, gint64 length)
{
  double mean = 0;

  for (gint64 i = 0; i < length; i++)
    {
      row[i] = (i == 0 ? 1 - EMPHASIS : 1) * row[i] - (i + 1 < length ? EMPHASIS * row[i + 1] : 0);
      mean += row[i] / (double)length;
    }
  for (gint64 i = 0; i < length; i++)
    row[i] -= mean;
}

/* Cosines, then sines, of each frequency times Hann's window, [2 · bins, window]. */
static float *
make_waves (const DynoLogMel *self)
{
  gint64 n_bins = self->n_fft / 2 + 1, n_rows = 2 * n_bins;
  double period = (double)(self->is_kaldi ? self->window - 1 : self->window);
  float *waves = g_new (float, (gsize)(n_rows * self->window));
  g_autofree double *turn = g_new (double, (gsize)(2 * self->n_fft));
  g_autofree double *hann = g_new (double, (gsize)self->window);
  g_autofree double *row = g_new (double, (gsize)self->window);

  for (gint64 i = 0; i < self->n_fft; i++)
    {
      turn[i] = cos (2 * G_PI * (double)i / (double)self->n_fft);
      turn[self->n_fft + i] = sin (2 * G_PI * (double)i / (double)self->n_fft);
    }
  for (gint64 i = 0; i < self->window; i++)
    hann[i] = 0.5 - 0.5 * cos (2 * G_PI * (double)i / period);
  for (gint64 k = 0; k < n_rows; k++)
    {
      const double *of_row = turn + (k < n_bins ? 0 : self->n_fft);

      for (gint64 i = 0; i < self->window; i++)
        row[i] = hann[i] * of_row[k % n_bins * i % self->n_fft];
      if (self->is_kaldi)
        add_emphasis (row, self->window);
      for (gint64 i = 0; i < self->window; i++)
        waves[k * self->window + i] = (float)row[i];
    }
  return waves;
}

static const char *
add_table (DynoGraph *graph, const float *values, guint rank, const gint64 *dims)
{
  gint64 n_values = 1;

  for (guint i = 0; i < rank; i++)
    n_values *= dims[i];
  return dyno_layers_reshape (graph, dyno_graph_add_floats (graph, (guint)n_values, values), rank, dims);
}

/* The transform is a convolution with waves: every engine has one, on every device, and few have an STFT. */
const char *
dyno_log_mel_add (const DynoLogMel *self, DynoGraph *graph)
{
  gint64 n_bins = self->n_fft / 2 + 1, n_samples = dyno_log_mel_count_samples (self);
  const gint64 of_waves[] = { 2 * n_bins, 1, self->window }, of_filters[] = { self->n_mels, n_bins };
  const gint64 halves[] = { n_bins, n_bins }, channel = 1;
  gint64 before = self->is_kaldi ? 0 : self->window / 2;
  gint64 after = (self->n_frames - 1) * self->hop + self->window - before - n_samples;
  const gint64 pads[] = { 0, before, 0, after };
  const DynoTimeConvolution transform = { of_waves[0], self->window, self->hop, 1, { 0 }, FALSE };
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64, n_samples);
  g_autofree float *waves = make_waves (self);
  g_autofree float *filters = make_filters (self);
  const char *value = dyno_graph_add_input (graph, DYNO_LOG_MEL_INPUT, DYNO_DATA_TYPE_FLOAT, dimensions);
  const char *parts[2];

  if (before > 0)
    value = dyno_graph_add (graph, "Pad", "mode=reflect", value, dyno_graph_add_ints (graph, 4, pads), NULL);
  value = dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &channel), NULL);
  value = dyno_time_convolution_apply (&transform, graph, value, add_table (graph, waves, 3, of_waves));
  dyno_graph_add_split (graph, value, 1, 2, halves, parts);
  for (guint i = 0; i < 2; i++)
    parts[i] = dyno_graph_add (graph, "Mul", NULL, parts[i], parts[i], NULL);
  value = dyno_graph_add (graph, "Add", NULL, parts[0], parts[1], NULL);
  value = dyno_graph_add (graph, "MatMul", NULL, add_table (graph, filters, 2, of_filters), value, NULL);
  value = dyno_graph_add (graph, "Max", NULL, value, dyno_graph_add_float (graph, (float)self->floor), NULL);
  return dyno_graph_add (graph, "Log", NULL, value, NULL);
}

const char *
dyno_log_mel_scale (DynoGraph *graph, const char *value, double offset, double factor)
{
  if (offset != 0)
    value = dyno_graph_add (graph, "Add", NULL, value, dyno_graph_add_float (graph, (float)offset), NULL);
  return dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_float (graph, (float)factor), NULL);
}
