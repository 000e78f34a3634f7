/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-machine.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MACHINE_FACTS_LIST (dyno_machine_facts_list_get_type ())

/**
 * DynoMachineFactsList:
 *
 * A machine in words: processor, caches, memory, system and what the container allows, a row each.
 */
G_DECLARE_FINAL_TYPE (DynoMachineFactsList, dyno_machine_facts_list, DYNO, MACHINE_FACTS_LIST, AdwBin)

/* @machine: the machine to describe; what it does not know gets no row. */
void dyno_machine_facts_list_set_machine (DynoMachineFactsList *self, DynoMachine *machine);

G_END_DECLS
