#!/bin/sh
# What Python's Jinja2 and PyYAML do, as data.
#
#   scripts/record-jinja.sh                  writes test/fixtures/jinja and test/fixtures/yaml again; commit what changed
#   scripts/record-jinja.sh --fresh SEED N   makes N new cases from SEED and compares our engine with Python at once
#
# Needs Debian's python3-jinja2 and python3-yaml, and for --fresh this project's npm packages. Tests read only the
# recorded files, so nobody else needs Python. The same seed gives the same files.
set -eu
cd "$(dirname "$0")/.."

python3 -c 'import jinja2, yaml' 2>/dev/null || {
  echo "Python's jinja2 and yaml are missing: apt-get install python3-jinja2 python3-yaml" >&2
  exit 1
}
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0

if [ "${1:-}" = --fresh ]; then
  [ $# -eq 3 ] || { echo "usage: $0 --fresh SEED N" >&2; exit 1; }
  cases=$(mktemp)
  trap 'rm -f "$cases"' EXIT
  python3 scripts/record-jinja/record.py --fresh "$2" "$3" >"$cases"
  node scripts/record-jinja/compare.mjs "$cases"
else
  python3 scripts/record-jinja/record.py
  python3 scripts/record-jinja/record_yaml.py
fi
