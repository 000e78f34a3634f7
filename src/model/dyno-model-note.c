/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-head.h"
#include "dyno-model-private.h"
#include "dyno-text.h"

/* A head that was only used in training is not missed. */
static void
add_head (DynoModel *self, GPtrArray *sentences)
{
  g_autoptr (DynoConfig) config =
      self->config != NULL ? dyno_config_new (json_node_get_object (self->config)) : NULL;
  DynoHeadKind kind = config != NULL ? dyno_head_read (config).kind : DYNO_HEAD_USUAL;
  const char *class_name = config != NULL ? dyno_config_get_class (config) : NULL;
  g_autofree char *name = dyno_plain_text_quote (class_name, DYNO_PLAIN_TEXT_NAME);
  const char *architecture = dyno_model_get_architecture (self);

  if (kind == DYNO_HEAD_UNKNOWN)
    g_ptr_array_add (
        sentences,
        g_strdup_printf (
            _ ("The config of “%s” names the class “%s”, whose head Dyno does not build. What is measured is "
               "“%s” as it usually is: parameters, time and memory are not those of this class."),
            self->name, name, architecture));
  if (kind == DYNO_HEAD_SPARE)
    g_ptr_array_add (sentences, g_strdup_printf (_ ("The config of “%s” names the class “%s”, which has no "
                                                    "head. What is measured is “%s” with its usual head."),
                                                 self->name, name, architecture));

  if (kind != DYNO_HEAD_TRAINING)
    {
      GPtrArray *unused = dyno_model_get_description (self)->unused;
      g_autofree char *first =
          dyno_plain_text_quote (unused->len > 0 ? unused->pdata[0] : NULL, DYNO_PLAIN_TEXT_NAME);

      if (unused->len > 0)
        g_ptr_array_add (
            sentences,
            g_strdup_printf (ngettext ("%u tensor in the files of “%s” is not part of what is built: “%s”.",
                                       "%u tensors in the files of “%s” are not part of "
                                       "what is built, such as “%s”.",
                                       unused->len),
                             unused->len, self->name, first));
    }
}

char *
dyno_model_dup_note (DynoModel *self)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *asked = NULL;
  g_autofree char *quantisation = NULL;

  g_return_val_if_fail (DYNO_IS_MODEL (self), NULL);

  asked = dyno_model_dup_quantisation (self);
  quantisation = dyno_plain_text_quote (asked, DYNO_PLAIN_TEXT_NAME);

  if (asked != NULL && self->weights_folder != NULL)
    {
      const char *kept = dyno_model_quantisation_get_kept (self);

      g_ptr_array_add (sentences, g_strdup_printf (_ ("The weights of “%s” are stored quantised (%s). Dyno "
                                                      "unpacks them into the precision that is chosen."),
                                                   self->name, quantisation));
      if (kept != NULL)
        g_ptr_array_add (sentences,
                         g_strdup_printf (
                             /* Translators: a precision, such as int4-128 */
                             _ ("In %s, products use the quantised weights as they are stored."), kept));
    }
  else if (asked != NULL)
    g_ptr_array_add (
        sentences,
        g_strdup_printf (
            _ ("The config of “%s” asks for quantised weights (%s). Dyno builds its architecture in the "
               "precision that is chosen, and not with those weights: time and memory are not theirs."),
            self->name, quantisation));

  add_head (self, sentences);
  if (sentences->len == 0)
    return NULL;
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **)sentences->pdata);
}
