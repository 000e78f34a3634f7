#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The build without a window can be set up, which nobody who builds the whole notices: test-without-gui.sh SOURCE
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
meson setup "$folder/build" "$1" -Dgui=disabled >"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
! ninja -C "$folder/build" -t targets all | grep '^src/app/' || exit 1
