/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-json.h"

struct _DynoMachineFactsList
{
  AdwBin parent_instance;

  GtkListBox *list_box;
};

G_DEFINE_FINAL_TYPE (DynoMachineFactsList, dyno_machine_facts_list, ADW_TYPE_BIN)

static const char *
get_string (JsonObject *facts, const char *part, const char *name)
{
  return dyno_json_member_get_string (dyno_json_member_get_object (facts, part), name);
}

static gint64
get_int (JsonObject *facts, const char *part, const char *name)
{
  return dyno_json_member_get_int64 (dyno_json_member_get_object (facts, part), name, 0);
}

static char *
join (GPtrArray *parts, const char *separator)
{
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (separator, (char **)parts->pdata);
}

static void
add_row (DynoMachineFactsList *self, const char *title, const char *value)
{
  GtkWidget *row;

  if (value == NULL || *value == '\0')
    return;
  row = g_object_new (ADW_TYPE_ACTION_ROW, "title", title, "subtitle", value, "use-markup", FALSE, NULL);
  gtk_list_box_append (self->list_box, row);
}

static char *
describe_processor (DynoMachine *machine)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const char *name = dyno_machine_get_cpu_name (machine);
  guint n_cores = dyno_machine_get_n_cores (machine);
  guint n_threads = dyno_machine_get_n_threads (machine);
  guint n_usable = dyno_machine_get_n_usable_threads (machine);

  g_ptr_array_add (parts, g_strdup (name != NULL ? name : _ ("Unknown CPU")));
  g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u core", "%u cores", n_cores), n_cores));
  g_ptr_array_add (parts, g_strdup_printf (ngettext ("%u thread", "%u threads", n_threads), n_threads));
  if (n_usable < n_threads)
    g_ptr_array_add (
        parts,
        g_strdup_printf (ngettext ("%u available to Dyno", "%u available to Dyno", n_usable), n_usable));
  return join (parts, " · ");
}

static char *
describe_caches (JsonObject *facts)
{
  JsonArray *caches =
      json_object_has_member (facts, "caches") ? json_object_get_array_member (facts, "caches") : NULL;
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; caches != NULL && i < json_array_get_length (caches); i++)
    {
      JsonObject *cache = json_array_get_object_element (caches, i);
      const char *type = json_object_get_string_member_with_default (cache, "type", "");
      gint64 level = json_object_get_int_member_with_default (cache, "level", 0);
      gint64 count = json_object_get_int_member_with_default (cache, "count", 1);
      guint64 bytes = (guint64)json_object_get_int_member_with_default (cache, "size_bytes", 0);
      g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
      const char *suffix = g_str_equal (type, "data") ? "d" : g_str_equal (type, "instruction") ? "i" : "";

      g_ptr_array_add (parts, g_strdup_printf ("%" G_GINT64_FORMAT " × L%" G_GINT64_FORMAT "%s %s", count,
                                               level, suffix, size));
    }
  return join (parts, " · ");
}

static char *
describe_memory (DynoMachine *machine, JsonObject *facts)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *total = dyno_format_bytes (dyno_machine_get_memory (machine));
  g_autofree char *available = dyno_format_bytes (dyno_machine_get_available_memory (machine));
  gint64 swap = get_int (facts, "memory", "swap_bytes");

  /* Translators: both are sizes, such as “16.4 GB” */
  g_ptr_array_add (parts, g_strdup_printf (_ ("%s, %s free"), total, available));
  if (swap > 0)
    {
      g_autofree char *size = dyno_format_bytes (swap);

      /* Translators: %s is a size, such as “2.1 GB” */
      g_ptr_array_add (parts, g_strdup_printf (_ ("%s swap"), size));
    }
  return join (parts, " · ");
}

static char *
describe_container (JsonObject *facts)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  JsonObject *container = dyno_json_member_get_object (facts, "container");
  double cpu_limit =
      container != NULL ? json_object_get_double_member_with_default (container, "cpu_limit", 0) : 0;
  gint64 memory = get_int (facts, "container", "memory_limit_bytes");

  if (cpu_limit > 0)
    {
      g_autofree char *limit = dyno_format_number (cpu_limit);

      /* Translators: how many processors' worth of time a container may use */
      g_ptr_array_add (parts, g_strdup_printf (_ ("CPU time of %s threads"), limit));
    }
  if (memory > 0)
    {
      g_autofree char *size = dyno_format_bytes (memory);

      /* Translators: how much memory a container may use */
      g_ptr_array_add (parts, g_strdup_printf (_ ("%s of memory"), size));
    }
  return join (parts, " · ");
}

static char *
describe_system (JsonObject *facts)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const char *system = get_string (facts, "os", "name");
  const char *kernel = get_string (facts, "kernel", "name");
  const char *release = get_string (facts, "kernel", "release");
  JsonObject *host = dyno_json_member_get_object (facts, "host");

  if (system != NULL)
    g_ptr_array_add (parts, g_strdup (system));
  if (kernel != NULL)
    g_ptr_array_add (parts, release != NULL ? g_strdup_printf ("%s %s", kernel, release) : g_strdup (kernel));
  if (host != NULL && json_object_get_boolean_member_with_default (host, "virtual", FALSE))
    g_ptr_array_add (parts, g_strdup (_ ("virtual machine")));
  return join (parts, " · ");
}

static char *
describe_host (JsonObject *facts)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  JsonObject *cloud = dyno_json_member_get_object (dyno_json_member_get_object (facts, "state"), "cloud");

  if (get_string (facts, "host", "vendor") != NULL)
    g_ptr_array_add (parts, g_strdup (get_string (facts, "host", "vendor")));
  if (get_string (facts, "host", "product") != NULL)
    g_ptr_array_add (parts, g_strdup (get_string (facts, "host", "product")));
  if (cloud != NULL)
    g_ptr_array_add (parts, g_strdup_printf ("(%s)", dyno_json_member_get_string (cloud, "provider")));
  return join (parts, " ");
}

static void
dyno_machine_facts_list_class_init (DynoMachineFactsListClass *klass)
{
}

static void
dyno_machine_facts_list_init (DynoMachineFactsList *self)
{
  GtkWidget *tab_stop = g_object_new (DYNO_TYPE_TAB_STOP, NULL);

  self->list_box = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list_box, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list_box), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list_box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Machine"), -1);
  adw_bin_set_child (ADW_BIN (tab_stop), GTK_WIDGET (self->list_box));
  adw_bin_set_child (ADW_BIN (self), tab_stop);
}

void
dyno_machine_facts_list_set_machine (DynoMachineFactsList *self, DynoMachine *machine)
{
  g_autoptr (JsonNode) snapshot = NULL;
  g_autofree char *processor = NULL;
  g_autofree char *instructions = NULL;
  g_autofree char *caches = NULL;
  g_autofree char *memory = NULL;
  g_autofree char *container = NULL;
  g_autofree char *system = NULL;
  g_autofree char *host = NULL;
  JsonObject *facts;

  g_return_if_fail (DYNO_IS_MACHINE_FACTS_LIST (self));
  g_return_if_fail (DYNO_IS_MACHINE (machine));

  snapshot = dyno_machine_to_json (machine);
  facts = json_node_get_object (snapshot);
  processor = describe_processor (machine);

  JsonObject *cpu = dyno_json_member_get_object (facts, "cpu");
  JsonArray *flags = cpu != NULL && json_object_has_member (cpu, "flags")
                         ? json_object_get_array_member (cpu, "flags")
                         : NULL;
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; flags != NULL && i < json_array_get_length (flags); i++)
    g_ptr_array_add (parts, g_strdup (json_array_get_string_element (flags, i)));
  instructions = join (parts, " ");

  caches = describe_caches (facts);
  memory = describe_memory (machine, facts);
  container = describe_container (facts);
  system = describe_system (facts);
  host = describe_host (facts);

  dyno_list_box_clear (self->list_box);
  add_row (self, _ ("CPU"), processor);
  add_row (self, _ ("Instruction Sets"), instructions);
  add_row (self, _ ("Caches"), caches);
  add_row (self, _ ("Memory"), memory);
  add_row (self, _ ("Container Limits"), container);
  add_row (self, _ ("System"), system);
  add_row (self, _ ("Computer"), host);
}
