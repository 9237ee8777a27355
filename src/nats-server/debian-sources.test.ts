import { expect, it } from 'vitest';
import { debianMirrors } from './debian-sources.ts';

const deb822 = (text: string) => debianMirrors([{ name: 'debian.sources', text }]);
const oneLine = (text: string) => debianMirrors([{ name: 'sources.list', text }]);

it('takes the mirror of a deb822 source and leaves the security archive out', () => {
  const mirrors = deb822(`Types: deb
# a comment
URIs: http://mirror.example/debian/
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`);
  expect(mirrors).toEqual(['http://mirror.example/debian']);
});

it('takes the mirror of a one-line source with options and a trailing comment', () => {
  expect(
    oneLine(`# deb http://old.example/debian bookworm main
deb-src http://src.example/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://ftp.example/debian bookworm main contrib # here
deb http://ftp.example/debian bookworm-updates main
deb http://security.example/debian-security bookworm-security main`),
  ).toEqual(['http://ftp.example/debian']);
});

it('never takes a third-party archive, also when it names a Debian suite', () => {
  expect(
    oneLine(`deb [signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/debian bookworm stable
deb https://nginx.example/packages/debian bookworm nginx
deb https://deb.nodesource.com/node_20.x nodistro main
deb [signed-by=/etc/apt/keyrings/x.gpg] https://x.example/debian bookworm main
deb https://apt.example/repos bookworm main`),
  ).toEqual([]);
});

it('passes over disabled stanzas, other types and compact discs', () => {
  expect(
    deb822(`Types: deb
Enabled: no
URIs: http://off.example/debian
Suites: bookworm
Components: main

Types: deb-src
URIs: http://src.example/debian
Suites: bookworm
Components: main`),
  ).toEqual([]);
  expect(oneLine('deb cdrom:[Debian 12]/ bookworm main')).toEqual([]);
});

it('keeps mirror lists as cloud images have them, and several mirrors of one field in order', () => {
  expect(
    deb822(`Types: deb deb-src
URIs: mirror+file:///etc/apt/mirrors/debian.list
 http://second.example/debian
Suites: bookworm
Components: main`),
  ).toEqual(['mirror+file:///etc/apt/mirrors/debian.list', 'http://second.example/debian']);
});

it('takes at most three mirrors, each once', () => {
  const lines = [1, 1, 2, 3, 4].map((n) => `deb http://m${n}.example/debian bookworm main`);
  expect(oneLine(lines.join('\n'))).toEqual([1, 2, 3].map((n) => `http://m${n}.example/debian`));
});
