/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-clock.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-machine-private.h"
#include "dyno-system-file.h"

#define ID_LENGTH 32

struct _DynoMachine
{
  GObject parent_instance;

  char *id;
  JsonObject *snapshot;
};

G_DEFINE_FINAL_TYPE (DynoMachine, dyno_machine, G_TYPE_OBJECT)

static JsonObject *
get_section (DynoMachine *self, const char *name)
{
  return dyno_json_member_get_object (self->snapshot, name);
}

static void
dyno_machine_finalize (GObject *object)
{
  DynoMachine *self = DYNO_MACHINE (object);

  g_free (self->id);
  g_clear_pointer (&self->snapshot, json_object_unref);

  G_OBJECT_CLASS (dyno_machine_parent_class)->finalize (object);
}

static void
dyno_machine_class_init (DynoMachineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_machine_finalize;
}

static void
dyno_machine_init (DynoMachine *self)
{
}

DynoMachine *
dyno_machine_snapshot (GError **error)
{
  g_autoptr (DynoTopology) topology = dyno_topology_load_with_devices (error);
  DynoContainer container;
  DynoMachine *self;

  if (topology == NULL)
    return NULL;

  dyno_container_read (&container);
  self = g_object_new (DYNO_TYPE_MACHINE, NULL);
  self->snapshot = dyno_machine_facts_read (topology, &container);

  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), self->snapshot);
  g_autofree char *text = dyno_json_text_write (node, FALSE);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  self->id = g_strndup (checksum, ID_LENGTH);

  g_autofree char *source = dyno_system_file_dup_text (
      DYNO_PATH_SYSFS, "devices/system/clocksource/clocksource0/current_clocksource");
  JsonObject *clock = json_object_new ();

  dyno_json_member_set_string (clock, "source", source);
  json_object_set_double_member (clock, "resolution_ns", dyno_clock_measure_resolution_ns ());
  json_object_set_double_member (clock, "read_overhead_ns", dyno_clock_measure_overhead_ns ());
  json_object_set_object_member (self->snapshot, "clock", clock);
  json_object_set_object_member (self->snapshot, "state", dyno_machine_state_read (&container));
  return self;
}

const char *
dyno_machine_get_id (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), NULL);
  return self->id;
}

const char *
dyno_machine_get_cpu_name (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), NULL);
  return dyno_json_member_get_string (get_section (self, "cpu"), "name");
}

guint
dyno_machine_get_n_cores (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), 0);
  return dyno_json_member_get_int64 (get_section (self, "cpu"), "cores", 0);
}

guint
dyno_machine_get_n_threads (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), 0);
  return dyno_json_member_get_int64 (get_section (self, "cpu"), "threads", 0);
}

guint
dyno_machine_get_n_usable_threads (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), 0);
  return dyno_json_member_get_int64 (get_section (self, "cpu"), "usable_threads", 0);
}

gint64
dyno_machine_get_memory (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), -1);
  return dyno_json_member_get_int64 (get_section (self, "memory"), "total_bytes", -1);
}

gint64
dyno_machine_get_available_memory (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), -1);
  return dyno_json_member_get_int64 (get_section (self, "state"), "available_memory_bytes", -1);
}

gint64
dyno_machine_read_available_memory (void)
{
  DynoContainer container;

  dyno_container_read (&container);
  return dyno_machine_state_read_available_memory (&container);
}

/**
 * dyno_machine_to_json:
 * @self: a machine
 *
 * The snapshot that is stored with a run. Unknown values are null. The members:
 *
 * - `cpu`: `name`, `architecture`, `microcode` (strings), `packages`, `cores`, `threads`, `usable_threads`
 * (numbers), `smt` (the kernel's `on`, `off`, `forceoff`, `notsupported` or `notimplemented`), `flags` (the
 * instruction sets that matter to matrix work)
 * - `caches`: each level's `level`, `type` (`data`, `instruction`, `unified`), `size_bytes` and
 * `line_bytes` of one, and `count`, the largest first
 * - `memory`: `total_bytes`, `swap_bytes`
 * - `numa_nodes`: each node's `memory_bytes` and `threads` (such as `0-3,8`)
 * - `core_kinds`: if there are several, from the most efficient to the fastest, each kind's `threads`
 * - `devices`: the devices on the PCI bus that could compute, as dyno_topology_device_list_to_json()
 * gives it
 * - `kernel`: `name`, `release`, `version`; `os`: `name`
 * - `host`: `vendor`, `product` (from the firmware), `virtual` (whether a hypervisor is present)
 * - `container`: `cgroup_version` (0, 1 or 2), `memory_limit_bytes`, `cpu_limit` (processors; null for
 * none)
 * - `clock`: `source`, `resolution_ns`, `read_overhead_ns`
 * - `state`, which changes all the time: `load_1m`, `available_memory_bytes`, `swap_used_bytes`, `governor`
 * (`mixed` where processors differ), `boost`, `on_battery`, `transparent_hugepages`, `throttled_periods`
 * (of the container), `thermal_throttles` (of the hottest core), and in a cloud `cloud`: `provider`, `type`, `region` and
 * `source` (`firmware` or `metadata`)
 *
 * Returns: (transfer full): a node with the object
 */
JsonNode *
dyno_machine_to_json (DynoMachine *self)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), NULL);
  return json_node_init_object (json_node_alloc (), self->snapshot);
}

char *
dyno_machine_dup_summary (const char *snapshot)
{
  g_autoptr (JsonObject) object = dyno_json_try_object (snapshot, -1);
  JsonObject *cpu = dyno_json_member_get_object (object, "cpu");
  const char *name = dyno_json_member_get_string (cpu, "name");
  gint64 n_cores = dyno_json_member_get_int64 (cpu, "cores", 0);
  gint64 memory =
      dyno_json_member_get_int64 (dyno_json_member_get_object (object, "memory"), "total_bytes", -1);
  g_autofree char *cores = g_strdup_printf (ngettext ("%d core", "%d cores", n_cores), (int)n_cores);
  g_autofree char *size = g_format_size ((guint64)MAX (memory, 0));
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  if (name == NULL)
    name = dyno_json_member_get_string (cpu, "architecture");
  g_ptr_array_add (parts, (char *)(name != NULL ? name : _ ("Unknown machine")));
  if (n_cores > 0)
    g_ptr_array_add (parts, cores);
  if (memory >= 0)
    g_ptr_array_add (parts, size);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}

/**
 * dyno_machine_lint:
 * @self: a machine
 * @watches: whether to watch the processors for a tenth of a second, for other programs; then call it on a thread
 *
 * Looks for conditions that make numbers doubtful; changes nothing. Codes: `machine-load`, `governor`, `on-battery`, `swap`,
 * `threads-limited`, `virtual-machine`, `thermal-throttling`.
 *
 * Returns: (transfer full) (element-type DynoDiagnostic): the findings, possibly none
 */
GPtrArray *
dyno_machine_lint (DynoMachine *self, gboolean watches)
{
  g_return_val_if_fail (DYNO_IS_MACHINE (self), NULL);
  return dyno_machine_lint_snapshot (self->snapshot, watches ? dyno_machine_busy_measure () : NAN);
}
