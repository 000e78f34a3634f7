#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What bash offers after the beginning of a command: test-completion.sh COMPLETION DYNO-CLI
set -euo pipefail
source "$1"
PATH=$(dirname "$2"):$PATH
compopt() { :; } # there is no line to complete here

expect() { # WORD-IT-MUST-OFFER WORDS-TYPED…
  local wanted=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _dyno_cli
  if ! printf '%s\n' "${COMPREPLY[@]}" | grep -xF -- "$wanted" >/dev/null; then
    echo "not ok: “$*” offers “${COMPREPLY[*]}”, not “$wanted”" >&2
    exit 1
  fi
}

expect export dyno-cli ex
expect --suite dyno-cli run --su
expect quick dyno-cli run --suite ''
expect all-families dyno-cli run --suite al
expect bert-tiny dyno-cli run -m bert-t
expect bert-tiny dyno-cli models info bert-t
expect bert-tiny dyno-cli hardware --model bert-t
expect --try dyno-cli hardware --tr
expect operators dyno-cli export --chart op
expect last dyno-cli show la
expect last dyno-cli compare la
expect precision dyno-cli compare --by ''
expect last dyno-cli compare --baseline ''
expect check dyno-cli store ch
expect list dyno-cli models li
expect install dyno-cli engines ins
expect onnxruntime@1.30.0 dyno-cli engines install onnx
expect --wide dyno-cli list --wi
expect throughput dyno-cli recommend --goal ''
expect bert-tiny dyno-cli tune bert-t
expect energy dyno-cli tune --goal ''
expect fp16 dyno-cli run -p ''
expect cpu dyno-cli run -b ''
expect markdown dyno-cli report --format ''
expect compact dyno-cli ceilings --pinning ''
