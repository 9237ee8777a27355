#!/bin/sh
# Records test/fixtures/go/*.json again: what Go's msgpack library writes for every record, and whether Go reads what our
# encoder writes. Run it after a change to a record (add the field to test/fixtures/go/record.go first), then commit the
# JSON files. Tests read only these, so nobody else needs Go.
#
# Needs Debian's golang-github-vmihailenco-msgpack.v5-dev and a Go compiler (golang); as root it installs what is missing.
set -eu
cd "$(dirname "$0")/.."
fixtures=test/fixtures/go

command -v go >/dev/null || apt-get install -y golang
[ -d /usr/share/gocode/src/github.com/vmihailenco/msgpack/v5 ] ||
  apt-get install -y golang-github-vmihailenco-msgpack.v5-dev

# Plain GOPATH: the library comes from Debian, nothing is fetched.
record() {
  GO111MODULE=off GOFLAGS= GOPATH=/usr/share/gocode go run "$fixtures/record.go" "$@"
}

record record "$fixtures/go-records.json"
npx vitest run src/wire/go-fixtures.test.ts --update -t 'writes the bytes that Go has checked'
record verify "$fixtures/ts-records.json" "$fixtures/ts-verified.json"
npx vitest run src/wire/go-fixtures.test.ts
