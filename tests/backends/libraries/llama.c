/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A library that calls itself llama.cpp 0.5 and whose structures are larger, with other numbers in them. */
typedef struct
{
  int numbers[512];
} Large;

const char *llama_version (void);
Large llama_model_default_params (void);
Large llama_context_default_params (void);
Large llama_model_quantize_default_params (void);

const char *
llama_version (void)
{
  return "0.5.99-dev";
}

Large
llama_model_default_params (void)
{
  return (Large){ { 7, 7, 7, 7 } };
}

Large
llama_context_default_params (void)
{
  return (Large){ { 7, 7, 7, 7 } };
}

Large
llama_model_quantize_default_params (void)
{
  return (Large){ { 7, 7, 7, 7 } };
}
