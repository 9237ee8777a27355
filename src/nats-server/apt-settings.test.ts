import { expect, it } from 'vitest';
import { aptConfig, carriedSettings } from './apt-settings.ts';

const DUMP = `APT::Architecture "amd64";
Acquire::http::Proxy "http://proxy.example:3128";
Acquire::http::Proxy::mirror.example.org "DIRECT";
Acquire::https::CaInfo "/etc/ssl/corp.pem";
Acquire::http::Proxy-Auto-Detect "/usr/bin/auto-proxy";
Acquire::Check-Valid-Until "false";
Acquire::AllowInsecureRepositories "true";
Acquire::Languages "none";
APT::Update::Post-Invoke:: "rm -f /var/cache/apt/archives/*.deb";
Dir::Etc::trusted "/tmp/evil.gpg";
Acquire::https "";
`;

it('carries over how to reach a mirror, and nothing that runs programs or weakens signatures', () => {
  expect(carriedSettings(DUMP)).toEqual([
    'Acquire::http::Proxy "http://proxy.example:3128";',
    'Acquire::http::Proxy::mirror.example.org "DIRECT";',
    'Acquire::https::CaInfo "/etc/ssl/corp.pem";',
    'Acquire::http::Proxy-Auto-Detect "/usr/bin/auto-proxy";',
    'Acquire::Check-Valid-Until "false";',
  ]);
});

it('keeps every path of apt inside the directory of the download', () => {
  const config = aptConfig({ workDir: '/w', sourcesFile: '/w/debian.sources' }, carriedSettings(DUMP));
  const paths = [...config.matchAll(/^Dir::\S+ "([^"]*)";$/gm)].map((match) => match[1]);
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) expect(path).toMatch(/^\/w(?:\/|$)|^\/dev\/null$/);
});
