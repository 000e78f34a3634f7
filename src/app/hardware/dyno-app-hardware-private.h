/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gio/gio.h>
#include <glib-object.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-backend.h"
#include "dyno-ceiling.h"
#include "dyno-ceilings.h"
#include "dyno-machine.h"
#include "dyno-runner.h"
#include "dyno-sensor-monitor.h"
#include "dyno-sensor-reading.h"
#include "dyno-store.h"
#include "dyno-topology.h"

G_BEGIN_DECLS

/* dyno-ceiling-row */

#define DYNO_TYPE_CEILING_ROW (dyno_ceiling_row_get_type ())

/**
 * DynoCeilingRow:
 *
 * One ceiling of the machine: its median, its spread and its theoretical value; the expander shows how it was
 * measured.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingRow, dyno_ceiling_row, DYNO, CEILING_ROW, AdwExpanderRow)

/* Returns a new row. */
GtkWidget *dyno_ceiling_row_new (DynoCeiling *ceiling);

/* dyno-ceilings-subject */

#define DYNO_TYPE_CEILINGS_SUBJECT (dyno_ceilings_subject_get_type ())

/**
 * DynoCeilingsSubject:
 *
 * A part of the machine with its own ceilings: the processor, the processor with another thread placement, or
 * a device of a runtime. Immutable. Property `name` (string, read-only), for people.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubject, dyno_ceilings_subject, DYNO, CEILINGS_SUBJECT, GObject)

/* Returns the processor with the default thread placement. */
DynoCeilingsSubject *dyno_ceilings_subject_new_processor (void);
/* Returns the device. */
DynoCeilingsSubject *dyno_ceilings_subject_new_device (DynoBackend *backend, DynoDevice *device);
/* Returns the subject of @ceiling: maybe a placement that the command line measured, or a device that is
 * absent now. */
DynoCeilingsSubject *dyno_ceilings_subject_new_for_ceiling (DynoCeiling *ceiling);

const char *dyno_ceilings_subject_get_name (DynoCeilingsSubject *self);
/* Returns its name in ceilings: `cpu`, or `BACKEND:DEVICE`. */
const char *dyno_ceilings_subject_get_device (DynoCeilingsSubject *self);
/* Returns its thread placement, empty for the default. */
const char *dyno_ceilings_subject_get_pinning (DynoCeilingsSubject *self);
gboolean dyno_ceilings_subject_is_processor (DynoCeilingsSubject *self);
/* Returns whether the window can measure it: it is present and has the default thread placement. */
gboolean dyno_ceilings_subject_can_measure (DynoCeilingsSubject *self);

/* Returns whether the ceiling belongs to this subject. */
gboolean dyno_ceilings_subject_has (DynoCeilingsSubject *self, DynoCeiling *ceiling);
/* Returns whether both have the same ceilings. */
gboolean dyno_ceilings_subject_is_same (DynoCeilingsSubject *self, DynoCeilingsSubject *other);

/* dyno-ceilings-subjects */

#define DYNO_TYPE_CEILINGS_SUBJECTS (dyno_ceilings_subjects_get_type ())

/**
 * DynoCeilingsSubjects:
 *
 * All subjects with ceilings, measured or not: the processor, the devices that backends find here, and those
 * measured earlier.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubjects, dyno_ceilings_subjects, DYNO, CEILINGS_SUBJECTS, GObject)

DynoCeilingsSubjects *dyno_ceilings_subjects_new (void);

/* Returns a list of DynoCeilingsSubject, the processor first. */
GListModel *dyno_ceilings_subjects_get_list (DynoCeilingsSubjects *self);
/* @ceilings may be NULL. */
void dyno_ceilings_subjects_set_ceilings (DynoCeilingsSubjects *self, GListModel *ceilings);
/* Probes all backends; earlier probes will do as long as they are valid. Devices appear as answers arrive. */
void dyno_ceilings_subjects_find_devices (DynoCeilingsSubjects *self);

/* dyno-ceilings-view */

#define DYNO_TYPE_CEILINGS_VIEW (dyno_ceilings_view_get_type ())

/**
 * DynoCeilingsView:
 *
 * Shows the ceilings of the processor or of a device, and measures them on request. Property `model`
 * (DynoCeilingsModel, read-write). Actions: `ceilings.measure`, `ceilings.cancel`.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsView, dyno_ceilings_view, DYNO, CEILINGS_VIEW, AdwBin)

/* @model may be NULL. */
void dyno_ceilings_view_set_model (DynoCeilingsView *self, DynoCeilingsModel *model);
/* Shows the ceilings of the session, and measures none during one of its runs. */
void dyno_ceilings_view_set_session (DynoCeilingsView *self, DynoAppSession *session);

/* dyno-compatibility-window */

#define DYNO_TYPE_COMPATIBILITY_WINDOW (dyno_compatibility_window_get_type ())

/**
 * DynoCompatibilityWindow:
 *
 * Shows which bundled models can run on which device of which backend: a matrix, and the reasons for the
 * selected model. Read-only property `loading` (boolean).
 */
G_DECLARE_FINAL_TYPE (
    DynoCompatibilityWindow, dyno_compatibility_window, DYNO, COMPATIBILITY_WINDOW, AdwWindow)

/* Starts to load without waiting for the result. Returns a new window. */
GtkWidget *dyno_compatibility_window_new (DynoAppSession *session);

gboolean dyno_compatibility_window_get_loading (DynoCompatibilityWindow *self);

/* dyno-hardware-page */

#define DYNO_TYPE_HARDWARE_PAGE (dyno_hardware_page_get_type ())

/**
 * DynoHardwarePage:
 *
 * Describes the hardware and its software: the machine, its topology and state, the backends, and the
 * runtimes found. Threads collect everything when the page is first shown, and again on `hardware.refresh`.
 * Read-only property `loading` (boolean).
 */
G_DECLARE_FINAL_TYPE (DynoHardwarePage, dyno_hardware_page, DYNO, HARDWARE_PAGE, DynoPage)

gboolean dyno_hardware_page_get_loading (DynoHardwarePage *self);

/* dyno-machine-facts-list */

#define DYNO_TYPE_MACHINE_FACTS_LIST (dyno_machine_facts_list_get_type ())

/**
 * DynoMachineFactsList:
 *
 * Describes a machine: a row each for processor, caches, memory, system and the limits of the container.
 */
G_DECLARE_FINAL_TYPE (DynoMachineFactsList, dyno_machine_facts_list, DYNO, MACHINE_FACTS_LIST, AdwBin)

/* @machine: the machine to describe; unknown facts get no row. */
void dyno_machine_facts_list_set_machine (DynoMachineFactsList *self, DynoMachine *machine);

/* dyno-noise-floor-row */

#define DYNO_TYPE_NOISE_FLOOR_ROW (dyno_noise_floor_row_get_type ())

/**
 * DynoNoiseFloorRow:
 *
 * Shows the noise floor of this machine and starts the self-test that measures it, a run like any other.
 */
G_DECLARE_FINAL_TYPE (DynoNoiseFloorRow, dyno_noise_floor_row, DYNO, NOISE_FLOOR_ROW, AdwActionRow)

/* @self_test may be NULL. */
void dyno_noise_floor_row_set_self_test (DynoNoiseFloorRow *self, DynoSelfTest *self_test);
/* Follows the store and the current run of the session. */
void dyno_noise_floor_row_set_session (DynoNoiseFloorRow *self, DynoAppSession *session);
/* @runner may be NULL. */
void dyno_noise_floor_row_set_runner (DynoNoiseFloorRow *self, DynoRunner *runner);

/* dyno-sensor-row */

#define DYNO_TYPE_SENSOR_ROW (dyno_sensor_row_get_type ())

/**
 * DynoSensorRow:
 *
 * The current and recent values of a sensor.
 */
G_DECLARE_FINAL_TYPE (DynoSensorRow, dyno_sensor_row, DYNO, SENSOR_ROW, AdwActionRow)

/* Returns a new row. */
GtkWidget *dyno_sensor_row_new (DynoSensorReading *reading);

/* Shows the current value of the sensor. */
void dyno_sensor_row_update (DynoSensorRow *self);

/* dyno-sensors-view */

#define DYNO_TYPE_SENSORS_VIEW (dyno_sensors_view_get_type ())

/**
 * DynoSensorsView:
 *
 * The current values of the machine's sensors, and why others have none. It reads them only while it is
 * visible.
 */
G_DECLARE_FINAL_TYPE (DynoSensorsView, dyno_sensors_view, DYNO, SENSORS_VIEW, AdwBin)

/* Returns the monitor that reads the sensors. */
DynoSensorMonitor *dyno_sensors_view_get_monitor (DynoSensorsView *self);

/* dyno-topology-node */

/**
 * DynoTopologyKind:
 * @DYNO_TOPOLOGY_MACHINE: the root
 * @DYNO_TOPOLOGY_PACKAGE: a socket
 * @DYNO_TOPOLOGY_NUMA: a memory node and the objects near it
 * @DYNO_TOPOLOGY_L3: a third-level cache and the cores that share it
 * @DYNO_TOPOLOGY_CORE: a core
 * @DYNO_TOPOLOGY_THREAD: a hardware thread
 * @DYNO_TOPOLOGY_DEVICE: a device that could compute, near its memory
 * @DYNO_N_TOPOLOGY_KINDS: the number of kinds
 *
 * The kind of a box in the picture of the topology.
 */
typedef enum
{
  DYNO_TOPOLOGY_MACHINE,
  DYNO_TOPOLOGY_PACKAGE,
  DYNO_TOPOLOGY_NUMA,
  DYNO_TOPOLOGY_L3,
  DYNO_TOPOLOGY_CORE,
  DYNO_TOPOLOGY_THREAD,
  DYNO_TOPOLOGY_DEVICE,
  DYNO_N_TOPOLOGY_KINDS,
} DynoTopologyKind;

/**
 * DynoTopologyNode:
 * @kind: its kind
 * @label: (nullable): its name and size, for people
 * @usable: whether this process may use any of it
 * @children: (element-type DynoTopologyNode): its parts
 *
 * A part of the machine and its parts; a reference-counted boxed type, immutable once built.
 */
typedef struct
{
  DynoTopologyKind kind;
  char *label;
  gboolean usable;
  GPtrArray *children;
} DynoTopologyNode;

#define DYNO_TYPE_TOPOLOGY_NODE (dyno_topology_node_get_type ())

GType dyno_topology_node_get_type (void);
/* Returns a new node without children. Takes @label. @label may be NULL. @usable: whether this process may
 * use any of it. */
DynoTopologyNode *dyno_topology_node_new (DynoTopologyKind kind, char *label, gboolean usable);
/* Builds a tree of the objects that people look for: packages, memory, third-level caches, cores and threads,
 * and the devices that could compute, if @topology was loaded with them. Returns the root. */
DynoTopologyNode *dyno_topology_node_new_from_topology (DynoTopology *topology);
DynoTopologyNode *dyno_topology_node_ref (DynoTopologyNode *self);
void dyno_topology_node_unref (DynoTopologyNode *self);
/* Returns a description of the picture: the number of objects of each kind. The caller owns it. */
char *dyno_topology_node_describe (const DynoTopologyNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoTopologyNode, dyno_topology_node_unref)

/* dyno-topology-view */

#define DYNO_TYPE_TOPOLOGY_VIEW (dyno_topology_view_get_type ())

/**
 * DynoTopologyView:
 *
 * Draws the parts of the machine as boxes in boxes, wrapped to the available width. Parts that this process
 * may not use are dimmed and struck through. Property `node` (DynoTopologyNode, the root,
 * nullable), read-write.
 *
 * # Accessibility
 *
 * It has the role `IMG` and its label counts the parts of each kind.
 */
G_DECLARE_FINAL_TYPE (DynoTopologyView, dyno_topology_view, DYNO, TOPOLOGY_VIEW, GtkWidget)

DynoTopologyNode *dyno_topology_view_get_node (DynoTopologyView *self);
/* @node may be NULL. */
void dyno_topology_view_set_node (DynoTopologyView *self, DynoTopologyNode *node);

G_END_DECLS
