/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-architecture.h"
#include "dyno-cases.h"

/* The word for an item of a model, by its task. */
static const struct
{
  const char *task;
  const char *rate;
  const char *efficiency;
} items[] = {
  { "depth-estimation", "images/s", "images/J" },         { "image-classification", "images/s", "images/J" },
  { "image-feature-extraction", "images/s", "images/J" }, { "image-segmentation", "images/s", "images/J" },
  { "mask-generation", "images/s", "images/J" },          { "object-detection", "images/s", "images/J" },
  { "text-generation", "prompts/s", "prompts/J" },        { "feature-extraction", "texts/s", "texts/J" },
};

const char *
dyno_item_unit_get (DynoResult *result, const char *unit)
{
  const char *model_type, *task;
  gboolean is_rate = g_strcmp0 (unit, "1/s") == 0 || g_strcmp0 (unit, "items/s") == 0;

  g_return_val_if_fail (DYNO_IS_RESULT (result), unit);

  if (!is_rate && g_strcmp0 (unit, "1/s/W") != 0)
    return unit;
  model_type = dyno_result_get_architecture (result);
  if (dyno_architecture_get_family (model_type) == &dyno_speech_family)
    return unit;
  task = dyno_architecture_get_task (model_type);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    if (g_strcmp0 (items[i].task, task) == 0)
      return is_rate ? items[i].rate : items[i].efficiency;
  return unit;
}

const char *
dyno_item_unit_find_common (GListModel *results, const char *unit)
{
  const char *common = NULL;

  g_return_val_if_fail (G_IS_LIST_MODEL (results), unit);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      const char *own = dyno_item_unit_get (result, unit);

      if (common != NULL && g_strcmp0 (own, common) != 0)
        return unit;
      common = own;
    }
  return common != NULL ? common : unit;
}
