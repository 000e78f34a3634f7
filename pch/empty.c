/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library has to have a file. */
typedef int DynoPchHolder;
