/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-cases.h"
#include "dyno-unit.h"
#include "suite.h"

static DynoResult *
add (GListStore *results, const char *architecture)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("model", "cpu");
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);

  g_object_set (result, "architecture", architecture, NULL);
  g_list_store_append (results, result);
  return result;
}

static void
test_word (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);
  DynoResult *images = add (results, "resnet");
  DynoResult *detections = add (results, "detr");
  DynoResult *texts = add (results, "bert");
  DynoResult *audio = add (results, "wav2vec2");
  DynoResult *other = add (results, NULL);
  g_autofree char *rate = dyno_unit_format (12, dyno_item_unit_get (texts, "1/s"));

  g_assert_cmpstr (dyno_item_unit_get (images, "1/s"), ==, "images/s");
  g_assert_cmpstr (dyno_item_unit_get (images, "1/s/W"), ==, "images/J");
  g_assert_cmpstr (dyno_item_unit_get (detections, "1/s"), ==, "images/s");
  g_assert_cmpstr (dyno_item_unit_get (texts, "items/s"), ==, "texts/s");
  g_assert_cmpstr (dyno_item_unit_get (texts, "tokens/s"), ==, "tokens/s");
  g_assert_cmpstr (dyno_item_unit_get (audio, "items/s"), ==, "items/s");
  g_assert_cmpstr (dyno_item_unit_get (other, "1/s"), ==, "1/s");
  g_assert_cmpstr (rate, ==, "12\u00a0texts/s");
}

/* Beside each other, different items have one word. */
static void
test_common (void)
{
  g_autoptr (GListStore) results = g_list_store_new (DYNO_TYPE_RESULT);

  g_assert_cmpstr (dyno_item_unit_find_common (G_LIST_MODEL (results), "1/s"), ==, "1/s");
  add (results, "bert");
  add (results, "bert");
  g_assert_cmpstr (dyno_item_unit_find_common (G_LIST_MODEL (results), "1/s"), ==, "texts/s");
  add (results, "resnet");
  g_assert_cmpstr (dyno_item_unit_find_common (G_LIST_MODEL (results), "1/s"), ==, "1/s");
}

static const SuiteTest tests[] = {
  { "/item-unit/word", test_word },
  { "/item-unit/common", test_common },
};

SUITE_TESTS (tests)
