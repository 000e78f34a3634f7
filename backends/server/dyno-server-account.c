/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dyno-server-private.h"

/* The first rows are needed, the others are there with speculative decoding only. */
#define N_NEEDED 5

/* vLLM's histograms of finished requests (vllm/v1/metrics/loggers.py). The phases of a request are bounded by its
 * arrival, its scheduling, its first and its last token. */
static const struct
{
  const char *name;
  double factor;
  gsize offset;
} sums[] = {
  { "vllm:request_prefill_time_seconds_count", 1, offsetof (DynoServerAccount, n_requests) },
  { "vllm:request_prefill_time_seconds_sum", 1e3, offsetof (DynoServerAccount, prompt_ms) },
  { "vllm:request_decode_time_seconds_sum", 1e3, offsetof (DynoServerAccount, decode_ms) },
  { "vllm:request_queue_time_seconds_sum", 1e3, offsetof (DynoServerAccount, queue_ms) },
  { "vllm:request_generation_tokens_sum", 1, offsetof (DynoServerAccount, n_tokens) },
  { "vllm:spec_decode_num_draft_tokens_total", 1, offsetof (DynoServerAccount, n_drafted) },
  { "vllm:spec_decode_num_accepted_tokens_total", 1, offsetof (DynoServerAccount, n_accepted) },
};

/* Parses lines `NAME{LABELS} NUMBER`; a label may contain anything, and is not part of the number. */
gboolean
dyno_server_account_parse (DynoServerAccount *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint seen = 0; /* with a bit for each reported sum */

  *self = (DynoServerAccount){ 0 };
  for (guint k = 0; lines[k] != NULL; k++)
    {
      const char *line = lines[k], *end = NULL;
      gsize length = strcspn (line, "{ ");

      if (length > 0)
        end = line[length] == '{' ? strrchr (line, '}') : line + length - 1;
      for (guint i = 0; end != NULL && i < G_N_ELEMENTS (sums); i++)
        if (strlen (sums[i].name) == length && strncmp (line, sums[i].name, length) == 0)
          {
            double number = g_ascii_strtod (end + 1, NULL);

            if (!isfinite (number))
              break;
            *(double *)(gpointer)((char *)self + sums[i].offset) += sums[i].factor * number;
            seen |= 1u << i;
          }
    }
  self->is_known = (~seen & ((1u << N_NEEDED) - 1)) == 0;
  return self->is_known;
}
