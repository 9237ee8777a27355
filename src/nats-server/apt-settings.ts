/**
 * The apt configuration of one private download. Pure: text in, text out.
 *
 * The machine's own configuration files are not read by this apt: they may hold hooks that run as root after an
 * update (Docker images empty /var/cache/apt that way) and third-party sources. What the machine says about how to
 * reach the network is carried over by name: proxies, certificates, timeouts, frozen mirrors.
 */
export interface AptPlaces {
  /** Directory of this download: lists, cache and the package land here. */
  readonly workDir: string;
  readonly sourcesFile: string;
}

/** The suite whose nats-server is new enough and still runs on Debian 12 (it asks for libc6 >= 2.34). */
export const DEBIAN_SUITE = 'trixie';

/** Options of the machine that say how to reach a mirror. Nothing here can weaken the signature check. */
const CARRIED =
  /^Acquire::(?:(?:http|https|ftp)::(?:[^:"]+::)?(?:Proxy|Proxy-Auto-Detect|Proxy::[^"\s]+|Timeout|CaInfo|CAInfo|CaPath|SslCert|SslKey|Verify-Peer|Verify-Host)|Check-Valid-Until|ForceIPv4|ForceIPv6)$/i;

export function aptConfig(places: AptPlaces, machineSettings: readonly string[]): string {
  const { workDir, sourcesFile } = places;
  return [
    'Dir::Etc::main "/dev/null";',
    'Dir::Etc::parts "/dev/null";',
    `Dir::Etc::sourcelist "${sourcesFile}";`,
    'Dir::Etc::sourceparts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    'Dir::Etc::trusted "/dev/null";',
    'Dir::Etc::trustedparts "/dev/null";',
    `Dir::State "${workDir}";`,
    `Dir::State::lists "${workDir}/lists";`,
    `Dir::State::status "${workDir}/status";`,
    `Dir::Cache "${workDir}/cache";`,
    'APT::Sandbox::User "";',
    'APT::Update::Error-Mode "any";',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    'Acquire::http::Timeout "20";',
    'Acquire::https::Timeout "20";',
    ...machineSettings,
    'Acquire::AllowInsecureRepositories "false";',
    'Acquire::AllowWeakRepositories "false";',
    'APT::Get::AllowUnauthenticated "false";',
    '',
  ].join('\n');
}

/** From `apt-config dump`, the lines that are carried over. */
export function carriedSettings(dump: string): readonly string[] {
  return dump.split('\n').filter((line) => {
    const setting = /^(\S+) ".+";$/.exec(line);
    return setting?.[1] !== undefined && CARRIED.test(setting[1]);
  });
}

export function aptSources(mirror: string, keyring: string): string {
  return [
    'Types: deb',
    `URIs: ${mirror}`,
    `Suites: ${DEBIAN_SUITE}`,
    'Components: main',
    `Signed-By: ${keyring}`,
    '',
  ].join('\n');
}
