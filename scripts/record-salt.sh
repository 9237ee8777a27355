#!/bin/sh
# What Salt 3008.2 does with templates, YAML and state files, as data.
#
#   scripts/record-salt.sh                  writes test/fixtures/{jinja,yaml,salt-states,salt-grains,salt-settings} again; commit what changed
#   scripts/record-salt.sh --fresh SEED N   makes N new cases of each kind from SEED and compares ours with Salt's at once
#   scripts/record-salt.sh --states DIR [MACHINE]   compiles each state file of a directory with both; MACHINE is YAML with
#                                           grains and pillar
#
# Salt comes from PyPI, into a virtual environment in the cache, unless ZESTER_SALT_PYTHON names a Python that has it.
# Needs Debian's python3-venv, and for --fresh and --states this project's npm packages. Tests read only the recorded files, so nobody
# else needs Python. The same seed gives the same files.
set -eu
cd "$(dirname "$0")/.."

SALT=3008.2
if [ -z "${ZESTER_SALT_PYTHON:-}" ]; then
  venv="${XDG_CACHE_HOME:-$HOME/.cache}/zester/salt-$SALT"
  ZESTER_SALT_PYTHON="$venv/bin/python"
  "$ZESTER_SALT_PYTHON" -c 'import salt' 2>/dev/null || {
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet "salt==$SALT" jinja2==3.1.6 pyyaml==6.0.3
  }
fi
python="$ZESTER_SALT_PYTHON"
found=$("$python" -c 'import salt.version; print(salt.version.__version__)') || exit 1
[ "$found" = "$SALT" ] || { echo "$python has Salt $found; the recordings are of $SALT" >&2; exit 1; }
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 TZ=UTC

if [ "${1:-}" = --fresh ]; then
  [ $# -eq 3 ] || { echo "usage: $0 --fresh SEED N" >&2; exit 1; }
  cases=$(mktemp)
  folder=$(mktemp -d)
  trap 'rm -rf "$cases" "$folder"' EXIT
  status=0
  "$python" scripts/record-salt/record.py --fresh "$2" "$3" >"$cases"
  node scripts/record-salt/compare.mjs "$cases" || status=1
  "$python" scripts/record-salt/record_yaml.py --fresh "$2" "$3" >"$cases"
  node scripts/record-salt/compare-yaml.mjs "$cases" || status=1
  "$python" scripts/record-salt/record_filters.py --fresh "$2" "$3" "$folder"
  "$python" scripts/record-salt/record_settings.py --fresh "$2" "$3" "$folder"
  ZESTER_SALT_CASES="$folder" npx vitest run test/jinja/salt-filters.test.ts test/jinja/salt-regex.test.ts test/salt-settings/merges.test.ts || status=1
  exit "$status"
elif [ "${1:-}" = --states ]; then
  [ $# -ge 2 ] || { echo "usage: $0 --states DIR [MACHINE]" >&2; exit 1; }
  shift
  low=$(mktemp)
  trap 'rm -f "$low"' EXIT
  "$python" scripts/record-salt/record_low_states.py --tree "$@" >"$low"
  node scripts/record-salt/compare-states.mjs "$1" "$low"
else
  "$python" scripts/record-salt/record.py
  "$python" scripts/record-salt/record_yaml.py
  "$python" scripts/record-salt/record_low_states.py
  "$python" scripts/record-salt/record_grains.py
  "$python" scripts/record-salt/record_settings.py
  "$python" scripts/record-salt/record_filters.py
fi
