/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-engine-name.h"
#include "dyno-json.h"
#include "dyno-run-summary.h"

const char *
dyno_run_engines_find (JsonObject *machine, const char *backend)
{
  JsonArray *backends = dyno_json_member_get_array (machine, "backends");

  for (guint i = 0; backends != NULL && i < json_array_get_length (backends); i++)
    {
      JsonObject *object = dyno_json_member_get_element (backends, i);

      if (g_strcmp0 (dyno_json_member_get_string (object, "id"), backend) == 0)
        return dyno_json_member_get_string (object, "runtime");
    }
  return NULL;
}

char *
dyno_run_engines_dup (DynoRun *run)
{
  const char *text = dyno_run_get_machine (run);
  g_autoptr (JsonObject) machine = dyno_json_try_object (text, -1);
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GPtrArray) engines = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  if (machine == NULL)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      DynoCase *kase = dyno_result_get_case (result);
      const char *backend = dyno_case_get_backend (kase);
      const char *runtime = dyno_run_engines_find (machine, backend);
      g_autofree char *name = dyno_engine_name_dup (backend, dyno_case_get_device (kase));
      const char *part = strstr (name, " (");
      g_autofree char *engine = g_strconcat (runtime != NULL ? runtime : "", part, NULL);

      if (runtime != NULL && *runtime != '\0' &&
          !g_ptr_array_find_with_equal_func (engines, engine, g_str_equal, NULL))
        g_ptr_array_add (engines, g_steal_pointer (&engine));
    }
  return engines->len > 0 ? g_strjoinv (", ", (char **)engines->pdata) : NULL;
}
