/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-metrics-sources-private.h"
#include "dyno-system-file.h"

/* NVIDIA's management library, declared as in its documentation, as far as Dyno asks it how busy a board is. */
#define NVML_SUCCESS             0
#define NVML_NOT_FOUND           6
#define NVML_CLOCK_MEMORY        2
#define NVML_GPM_VERSION         1
#define NVML_GPM_MOST_METRICS    333
#define NVML_GPM_SM              2
#define NVML_GPM_OCCUPANCY       3
#define NVML_GPM_TENSOR          5
#define NVML_GPM_DRAM            10
#define NVML_GPM_PCIE_SENT       20
#define NVML_GPM_PCIE_RECEIVED   21
#define NVML_GPM_NVLINK_RECEIVED 60
#define NVML_GPM_NVLINK_SENT     61

/* The library's shares are means of its own sample period: from 1/6 s to 1 s, by its documentation. */
#define PERIOD_SECONDS 1

/* The counters of a board are read together, and not again within this time. */
#define FRESH_NS (2 * 1000 * 1000)

#define GB_PER_MIB    (1048576 / 1e9)
#define MAX_PROCESSES 256

typedef struct NvmlDevice *NvmlHandle;
typedef struct NvmlGpmSample *NvmlSample;

typedef struct
{
  unsigned int gpu;
  unsigned int memory;
} NvmlRates;

typedef struct
{
  unsigned int pid;
  unsigned long long timestamp_us;
  unsigned int sm;
  unsigned int memory;
  unsigned int encoder;
  unsigned int decoder;
} NvmlProcessUsage;

typedef struct
{
  unsigned int version;
  unsigned int is_supported;
} NvmlGpmSupport;

typedef struct
{
  unsigned int id;
  int result;
  double value;
  struct
  {
    char *short_name;
    char *long_name;
    char *unit;
  } info;
} NvmlGpmMetric;

typedef struct
{
  unsigned int version;
  unsigned int n_metrics;
  NvmlSample first;
  NvmlSample second;
  NvmlGpmMetric metrics[NVML_GPM_MOST_METRICS];
} NvmlGpmQuery;

static struct
{
  int (*get_rates) (NvmlHandle handle, NvmlRates *rates);
  int (*list_processes) (NvmlHandle handle,
                         NvmlProcessUsage *processes,
                         unsigned int *n,
                         unsigned long long last_us);
  int (*get_bus_width) (NvmlHandle handle, unsigned int *bits);
  int (*get_highest_clock) (NvmlHandle handle, int type, unsigned int *megahertz);
  int (*gpm_ask) (NvmlHandle handle, NvmlGpmSupport *support);
  int (*gpm_allocate) (NvmlSample *sample);
  int (*gpm_free) (NvmlSample sample);
  int (*gpm_take) (NvmlHandle handle, NvmlSample sample);
  int (*gpm_compute) (NvmlGpmQuery *query);
} nvml;

static const DynoVendorFunction functions[] = {
  { (gpointer *)&nvml.get_rates, { "nvmlDeviceGetUtilizationRates" } },
  { (gpointer *)&nvml.list_processes, { "nvmlDeviceGetProcessUtilization" } },
  { (gpointer *)&nvml.get_bus_width, { "nvmlDeviceGetMemoryBusWidth" } },
  { (gpointer *)&nvml.get_highest_clock, { "nvmlDeviceGetMaxClockInfo" } },
  { (gpointer *)&nvml.gpm_ask, { "nvmlGpmQueryDeviceSupport" } },
  { (gpointer *)&nvml.gpm_allocate, { "nvmlGpmSampleAlloc" } },
  { (gpointer *)&nvml.gpm_free, { "nvmlGpmSampleFree" } },
  { (gpointer *)&nvml.gpm_take, { "nvmlGpmSampleGet" } },
  { (gpointer *)&nvml.gpm_compute, { "nvmlGpmMetricsGet" } },
};

/* The kinds of numbers of GPM, the library's counters of boards from the generation Hopper on. @limit: the highest
 * possible value, 0 for none. @scale: from the library's rate to that of the sensor's kind; 0 for the share of the
 * memory's highest rate. */
static const struct
{
  unsigned int id;
  DynoSensorKind kind;
  const char *facet;
  double limit;
  double scale;
  const char *words;
} parts[] = {
  { NVML_GPM_SM, DYNO_SENSOR_BUSY, "sm", 100, 1, N_ ("share of its multiprocessors that are at work") },
  { NVML_GPM_OCCUPANCY, DYNO_SENSOR_BUSY, "occupancy", 100, 1,
    N_ ("warps at work, as a share of those that its multiprocessors can hold") },
  { NVML_GPM_TENSOR, DYNO_SENSOR_BUSY, "tensor", 100, 1,
    N_ ("share of the time in which its tensor cores work") },
  { NVML_GPM_DRAM, DYNO_SENSOR_BUSY, "bandwidth", 100, 1, N_ ("share of its memory’s highest rate") },
  { NVML_GPM_DRAM, DYNO_SENSOR_TRAFFIC, "memory", 100, 0, N_ ("traffic of its memory") },
  { NVML_GPM_PCIE_SENT, DYNO_SENSOR_TRAFFIC, "pcie_sent", 0, GB_PER_MIB, N_ ("sent over PCI Express") },
  { NVML_GPM_PCIE_RECEIVED, DYNO_SENSOR_TRAFFIC, "pcie_received", 0, GB_PER_MIB,
    N_ ("received over PCI Express") },
  { NVML_GPM_NVLINK_SENT, DYNO_SENSOR_TRAFFIC, "nvlink_sent", 0, GB_PER_MIB, N_ ("sent over NVLink") },
  { NVML_GPM_NVLINK_RECEIVED, DYNO_SENSOR_TRAFFIC, "nvlink_received", 0, GB_PER_MIB,
    N_ ("received over NVLink") },
};

/* The counters of a board, which its sensors share. */
typedef struct
{
  NvmlHandle handle;
  NvmlSample before;
  NvmlSample after;
  gint64 last_ns;
  double highest_gbps; /* of its memory, 0 if unknown */
  double totals[G_N_ELEMENTS (parts)];
  gboolean is_known[G_N_ELEMENTS (parts)];
} Gpm;

typedef struct
{
  NvmlHandle handle;
  gboolean of_memory;
  DynoBusyTime busy;
  unsigned long long last_us; /* of the processes */
  gint64 listed_ns;           /* when they were listed last, 0 for never */
  double percent;             /* their share then */
  Gpm *gpm;
  guint part;
} UsageData;

static void
gpm_clear (gpointer data)
{
  Gpm *self = data;

  if (self->before != NULL)
    nvml.gpm_free (self->before);
  if (self->after != NULL)
    nvml.gpm_free (self->after);
}

static void
usage_data_free (gpointer data)
{
  UsageData *self = data;

  if (self->gpm != NULL)
    g_atomic_rc_box_release_full (self->gpm, gpm_clear);
  g_free (self);
}

static gboolean
read_rate (gpointer data, gint64 now_ns, double *value)
{
  UsageData *self = data;
  NvmlRates rates = { 0 };
  gboolean is_read = nvml.get_rates (self->handle, &rates) == NVML_SUCCESS;
  unsigned int percent = self->of_memory ? rates.memory : rates.gpu;

  return dyno_busy_time_advance (&self->busy, is_read ? (double)percent : NAN, now_ns, value);
}

/* The library lists the processes that worked since its last list, once in a sample period. In between, the share of the
 * last list holds; a process that is on none for a whole period did not work. */
static gboolean
read_processes (gpointer data, GArray *pids, gint64 now_ns, double *value)
{
  UsageData *self = data;
  NvmlProcessUsage processes[MAX_PROCESSES] = { 0 };
  unsigned int n = MAX_PROCESSES;
  int code = nvml.list_processes (self->handle, processes, &n, self->last_us);
  unsigned long long newest = self->last_us;
  gboolean is_listed = FALSE, is_possible = code == NVML_SUCCESS || code == NVML_NOT_FOUND;
  double percent = 0;

  for (unsigned int i = 0; code == NVML_SUCCESS && i < MIN (n, MAX_PROCESSES); i++)
    for (guint k = 0; k < pids->len; k++)
      {
        if (processes[i].pid != (unsigned int)g_array_index (pids, GPid, k))
          continue;
        is_possible = is_possible && processes[i].sm <= 100;
        percent += processes[i].sm;
        newest = MAX (newest, processes[i].timestamp_us);
        is_listed = TRUE;
      }
  if (is_listed || now_ns - self->listed_ns > PERIOD_SECONDS * G_GINT64_CONSTANT (1000000000))
    self->percent = MIN (percent, 100);
  self->listed_ns = is_listed ? now_ns : self->listed_ns;
  self->last_us = newest;
  return dyno_busy_time_advance (&self->busy, is_possible ? self->percent : NAN, now_ns, value) &&
         self->listed_ns > 0;
}

/* GPM */

/* Data moves twice in a cycle of the memory's clock. */
static Gpm *
gpm_new (NvmlHandle handle)
{
  NvmlGpmSupport support = { .version = NVML_GPM_VERSION };
  unsigned int bits, megahertz;
  Gpm *self;

  if (nvml.gpm_ask == NULL || nvml.gpm_allocate == NULL || nvml.gpm_free == NULL || nvml.gpm_take == NULL ||
      nvml.gpm_compute == NULL || nvml.gpm_ask (handle, &support) != NVML_SUCCESS ||
      support.is_supported == 0)
    return NULL;
  self = g_atomic_rc_box_new0 (Gpm);
  self->handle = handle;
  if (nvml.get_bus_width != NULL && nvml.get_highest_clock != NULL &&
      nvml.get_bus_width (handle, &bits) == NVML_SUCCESS &&
      nvml.get_highest_clock (handle, NVML_CLOCK_MEMORY, &megahertz) == NVML_SUCCESS)
    self->highest_gbps = 2e6 * megahertz * bits / 8 / 1e9;
  if (nvml.gpm_allocate (&self->before) == NVML_SUCCESS && nvml.gpm_allocate (&self->after) == NVML_SUCCESS &&
      nvml.gpm_take (handle, self->before) == NVML_SUCCESS)
    return self;
  g_atomic_rc_box_release_full (self, gpm_clear);
  return NULL;
}

/* Returns whether the counters are known. Samples too close to each other have no numbers: the next ones are then
 * compared with the same earlier one. A number that is missing or impossible once is not known later either. */
static gboolean
gpm_refresh (Gpm *self, gint64 now_ns)
{
  g_autofree NvmlGpmQuery *query = NULL;

  if (self->last_ns == 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        self->is_known[i] = parts[i].scale > 0 || self->highest_gbps > 0;
      self->last_ns = now_ns;
      return nvml.gpm_take (self->handle, self->before) == NVML_SUCCESS;
    }
  if (now_ns - self->last_ns < FRESH_NS)
    return TRUE;
  query = g_new0 (NvmlGpmQuery, 1);
  query->version = NVML_GPM_VERSION;
  query->n_metrics = G_N_ELEMENTS (parts);
  query->first = self->before;
  query->second = self->after;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    query->metrics[i].id = parts[i].id;
  if (nvml.gpm_take (self->handle, self->after) != NVML_SUCCESS || nvml.gpm_compute (query) != NVML_SUCCESS)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const NvmlGpmMetric *metric = &query->metrics[i];
      double scale = parts[i].scale > 0 ? parts[i].scale : self->highest_gbps / 100;

      self->is_known[i] = self->is_known[i] && metric->result == NVML_SUCCESS && metric->value >= 0 &&
                          isfinite (metric->value) &&
                          (parts[i].limit == 0 || metric->value <= parts[i].limit);
      if (self->is_known[i])
        self->totals[i] += scale * metric->value * (double)(now_ns - self->last_ns) / 1e9;
    }
  self->after = self->before;
  self->before = query->second;
  self->last_ns = now_ns;
  return TRUE;
}

static gboolean
read_part (gpointer data, gint64 now_ns, double *value)
{
  UsageData *self = data;

  if (!gpm_refresh (self->gpm, now_ns) || !self->gpm->is_known[self->part])
    return FALSE;
  *value = self->gpm->totals[self->part];
  return TRUE;
}

/* Sensors */

/* @read: NULL for the sensor of the processes that do the work. */
static void
add (GPtrArray *sensors,
     const DynoNvmlBoard *board,
     DynoSensorInfo info,
     const char *words,
     DynoSensorRead read,
     const UsageData *usage)
{
  const char *end = read == NULL ? "process" : info.facet;
  g_autofree char *name = g_strconcat (board->name, end != NULL ? "_" : "", end, NULL);
  g_autofree char *source = g_strdup_printf ("NVML, %s, %s", board->description, words);
  UsageData *data = g_memdup2 (usage, sizeof *usage);

  info.domain = DYNO_DOMAIN_DEVICE;
  info.name = name;
  info.source = source;
  info.device = board->address;
  info.uuid = board->uuid;
  data->handle = board->handle;
  g_ptr_array_add (sensors, read != NULL
                                ? dyno_sensor_new (&info, read, data, usage_data_free)
                                : dyno_sensor_new_of_group (&info, read_processes, data, usage_data_free));
}

void
dyno_nvml_usage_add (GPtrArray *sensors, const DynoNvmlBoard *board)
{
  const DynoSensorInfo whole = { .kind = DYNO_SENSOR_BUSY, .period_seconds = PERIOD_SECONDS };
  const DynoSensorInfo memory = { .kind = DYNO_SENSOR_BUSY,
                                  .facet = "memory",
                                  .period_seconds = PERIOD_SECONDS };
  NvmlRates rates;
  Gpm *gpm;

  if (!dyno_vendor_library_load (dyno_vendor_library_nvml, functions, G_N_ELEMENTS (functions)))
    return;
  if (nvml.get_rates != NULL && nvml.get_rates (board->handle, &rates) == NVML_SUCCESS)
    {
      add (sensors, board, whole, _ ("share of the time in which it works"), read_rate, &(UsageData){ 0 });
      add (sensors, board, memory, _ ("share of the time in which its memory is accessed"), read_rate,
           &(UsageData){ .of_memory = TRUE });
    }
  if (nvml.list_processes != NULL)
    add (sensors, board, whole,
         _ ("share of the time in which the processes that do the work use its multiprocessors"), NULL,
         &(UsageData){ 0 });
  gpm = gpm_new (board->handle);
  for (guint i = 0; gpm != NULL && i < G_N_ELEMENTS (parts); i++)
    {
      const DynoSensorInfo info = { .kind = parts[i].kind, .facet = parts[i].facet };
      g_autofree char *words =
          parts[i].scale > 0
              ? g_strdup_printf ("GPM, %s", _ (parts[i].words))
              : g_strdup_printf (_ ("GPM, %s, as a share of %.0f GB/s by its clock and the width of its bus"),
                                 _ (parts[i].words), gpm->highest_gbps);

      if (parts[i].scale > 0 || gpm->highest_gbps > 0)
        add (sensors, board, info, words, read_part,
             &(UsageData){ .gpm = g_atomic_rc_box_acquire (gpm), .part = i });
    }
  if (gpm != NULL)
    g_atomic_rc_box_release_full (gpm, gpm_clear);
}
