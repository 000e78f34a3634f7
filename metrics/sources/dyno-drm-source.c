/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"
#include "dyno-system-file.h"
#include "dyno-system.h"

#define GRAPHICS     "class/drm"
#define ACCELERATORS "class/accel"

/* The kernel's number of the first namespace of processes, the one with all of them. */
#define ALL_PROCESSES "pid:[4026531836]"

/* The firmware averages its shares, over about this time; the driver does not say. */
#define AVERAGE_SECONDS 1

/* A device of the kernel's direct rendering manager, a graphics processor or an accelerator. */
typedef struct
{
  char *folder; /* of one of its nodes, in sysfs */
  char *device; /* the name of its own folder, its address if it is on the PCI bus */
  char *driver;
  char *name;
  GPtrArray *nodes;
  gboolean is_accelerator;
} Device;

typedef struct
{
  int file;
  DynoBusyTime busy;
} ShareData;

static void
device_free (Device *self)
{
  g_free (self->folder);
  g_free (self->device);
  g_free (self->driver);
  g_free (self->name);
  g_ptr_array_unref (self->nodes);
  g_free (self);
}

static void
share_data_free (gpointer data)
{
  close (((ShareData *)data)->file);
  g_free (data);
}

static gboolean
read_share (gpointer data, gint64 now_ns, double *value)
{
  ShareData *self = data;
  gint64 percent;
  gboolean is_read = dyno_file_sensor_read_number (self->file, &percent);

  return dyno_busy_time_advance (&self->busy, is_read ? (double)percent : NAN, now_ns, value);
}

static gboolean
read_own (gpointer data, GArray *pids, gint64 now_ns, double *value)
{
  return dyno_drm_usage_read (data, pids, now_ns, value);
}

static gboolean
read_all (gpointer data, gint64 now_ns, double *value)
{
  return dyno_drm_usage_read (data, NULL, now_ns, value);
}

static void
usage_free (gpointer data)
{
  dyno_drm_usage_free (data);
}

/* Graphics units on the bus 0 and accelerators are parts of the processor, and so are devices that are on no PCI bus. */
static DynoSensorInfo
describe (const Device *device, const char *name, const char *source)
{
  const char *bus = strchr (device->device, ':');
  gboolean is_within = device->is_accelerator || bus == NULL || g_str_has_prefix (bus, ":00:");

  return (DynoSensorInfo){
    .kind = DYNO_SENSOR_BUSY,
    .domain = is_within ? DYNO_DOMAIN_UNCORE : DYNO_DOMAIN_DEVICE,
    .name = name,
    .source = source,
    .device = device->device,
  };
}

/* Returns whether the driver has such a file. */
static gboolean
add_share (GPtrArray *sensors, const Device *device, const char *file, const char *facet, const char *words)
{
  g_autofree char *path = g_build_filename (device->folder, "device", file, NULL);
  g_autofree char *name = g_strconcat (device->name, facet != NULL ? "_" : "", facet, NULL);
  g_autofree char *source = g_strdup_printf (_ ("kernel driver %s, %s, %s"), device->driver, words, file);
  DynoSensorInfo info = describe (device, name, source);
  ShareData *data;
  double value;

  data = g_new0 (ShareData, 1);
  data->file = dyno_file_sensor_open (path, NULL);
  if (data->file < 0 || !read_share (data, 0, &value))
    {
      if (data->file >= 0)
        close (data->file);
      g_free (data);
      return FALSE;
    }
  data->busy = (DynoBusyTime){ 0 };
  info.facet = facet;
  info.period_seconds = AVERAGE_SECONDS;
  info.period_assumed = TRUE;
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_share, data, share_data_free));
  return TRUE;
}

static void
add_all (GPtrArray *sensors, const Device *device)
{
  g_autofree char *own_name = g_strconcat (device->name, "_process", NULL);
  g_autofree char *own_source =
      g_strdup_printf (_ ("kernel driver %s, busy time of its busiest engine for the processes that do the "
                          "work (fdinfo)"),
                       device->driver);
  g_autofree char *source = g_strdup_printf (
      _ ("kernel driver %s, busy time of its busiest engine for all processes (fdinfo)"), device->driver);
  const DynoSensorInfo own = describe (device, own_name, own_source);
  const DynoSensorInfo all = describe (device, device->name, source);
  const char *const *nodes = (const char *const *)device->nodes->pdata;

  g_ptr_array_add (sensors, dyno_sensor_new_of_group (
                                &own, read_own, dyno_drm_usage_new (device->device, nodes), usage_free));
  add_share (sensors, device, "mem_busy_percent", "memory",
             _ ("share of the time in which memory is accessed"));
  if (add_share (sensors, device, "gpu_busy_percent", NULL, _ ("share of the time in which it works")))
    return;
  /* The driver of Intel's NPUs counts their time itself. All processes are those of the first namespace, and whoever may
   * look at the files of the first one may look at all. */
  g_autofree char *counter = g_build_filename (device->folder, "device", "npu_busy_time_us", NULL);
  g_autofree char *link = dyno_paths_build (DYNO_PATH_PROCFS, "self", "ns", "pid", NULL);
  g_autofree char *files = dyno_paths_build (DYNO_PATH_PROCFS, "1", "fd", NULL);
  g_autofree char *space = g_file_read_link (link, NULL);
  g_autoptr (GDir) folder = g_dir_open (files, 0, NULL);

  if (dyno_system_file_read_int64 (DYNO_PATH_SYSFS, counter, -1) < 0 && folder != NULL &&
      g_strcmp0 (space, ALL_PROCESSES) == 0)
    g_ptr_array_add (
        sensors, dyno_sensor_new (&all, read_all, dyno_drm_usage_new (device->device, nodes), usage_free));
}

static void
take_node (GPtrArray *devices, const char *class_folder, const char *node)
{
  g_autofree char *folder = g_build_filename (class_folder, node, NULL);
  g_autofree char *name = dyno_file_sensor_dup_target (folder, "device");
  g_autofree char *driver = dyno_file_sensor_dup_target (folder, "device/driver");
  Device *device = NULL;

  for (guint i = 0; name != NULL && i < devices->len && device == NULL; i++)
    if (g_str_equal (((Device *)devices->pdata[i])->device, name))
      device = devices->pdata[i];
  if (name != NULL && driver != NULL && device == NULL)
    {
      device = g_new0 (Device, 1);
      device->folder = g_strdup (folder);
      device->device = g_steal_pointer (&name);
      device->driver = g_steal_pointer (&driver);
      device->nodes = g_ptr_array_new_with_free_func (g_free);
      device->is_accelerator = g_str_equal (class_folder, ACCELERATORS);
      g_ptr_array_add (devices, device);
    }
  if (device != NULL)
    g_ptr_array_add (device->nodes, g_strdup (node));
}

static int
compare_devices (gconstpointer a, gconstpointer b)
{
  const Device *const *left = a;
  const Device *const *right = b;

  return dyno_system_compare_versions ((*left)->folder, (*right)->folder);
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  /* Connectors have longer names than nodes. Devices of the same driver are numbered in the kernel's order. */
  static const struct
  {
    const char *folder;
    const char *prefix;
  } classes[] = { { GRAPHICS, "renderD" }, { GRAPHICS, "card" }, { ACCELERATORS, "accel" } };
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify)device_free);
  g_autoptr (GHashTable) n_of_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_auto (GStrv) nodes = dyno_system_file_list (DYNO_PATH_SYSFS, classes[i].folder);
      gsize length = strlen (classes[i].prefix);

      for (guint k = 0; nodes[k] != NULL; k++)
        if (g_str_has_prefix (nodes[k], classes[i].prefix) && strlen (nodes[k]) > length &&
            strspn (nodes[k] + length, "0123456789") == strlen (nodes[k]) - length)
          take_node (devices, classes[i].folder, nodes[k]);
    }
  g_ptr_array_sort (devices, compare_devices);
  for (guint i = 0; i < devices->len; i++)
    {
      Device *device = devices->pdata[i];
      const char *base = device->is_accelerator ? "npu" : device->driver;
      guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (n_of_name, base)) + 1;

      device->name = nth > 1 ? g_strdup_printf ("%s_%u", base, nth) : g_strdup (base);
      g_hash_table_insert (n_of_name, g_strdup (base), GUINT_TO_POINTER (nth));
      g_ptr_array_add (device->nodes, NULL);
    }

  for (guint i = 0; i < devices->len; i++)
    add_all (sensors, devices->pdata[i]);
  if (devices->len > 0)
    return dyno_probe_new_available ("fdinfo");
  return dyno_probe_new_unsupported (
      _ ("The kernel has no driver of a graphics processor or an accelerator (DRM)."),
      _ ("Virtual machines and containers have such a device only if it is passed to them."));
}

const DynoSensorSource dyno_drm_source = { "drm", N_ ("Utilisation of graphics processors and accelerators"),
                                           discover };
