/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-machine.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MACHINE_FACTS_LIST (dyno_machine_facts_list_get_type ())

/**
 * DynoMachineFactsList:
 *
 * Describes a machine: a row each for processor, caches, memory, system and the limits of the container.
 */
G_DECLARE_FINAL_TYPE (DynoMachineFactsList, dyno_machine_facts_list, DYNO, MACHINE_FACTS_LIST, AdwBin)

/* @machine: the machine to describe; unknown facts get no row. */
void dyno_machine_facts_list_set_machine (DynoMachineFactsList *self, DynoMachine *machine);

G_END_DECLS
