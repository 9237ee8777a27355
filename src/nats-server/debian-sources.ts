/**
 * Finds the Debian mirrors that this machine's own apt uses, so that a download goes where its owner chose to go. Pure:
 * text in, mirrors out. Reads both forms, deb822 (`*.sources`) and one line (`*.list`).
 *
 * Third-party archives are left out: an entry counts only when it offers a Debian suite's `main`, is not signed by
 * somebody else's key, and looks like a Debian mirror. A wrong guess costs a failed try, never a wrong binary: apt
 * checks what it downloads against Debian's own archive keys.
 */
export interface SourcesFile {
  readonly name: string;
  readonly text: string;
}

const MIRRORS_MAX = 3;

const RELEASE_SUITE =
  /^(?:bullseye|bookworm|trixie|forky|duke|sid|oldoldstable|oldstable|stable|testing|unstable)(?:-updates|-backports)?$/;

interface SourceEntry {
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
  readonly signedBy: string | undefined;
}

/** The machine's Debian mirrors in the order named, without doubles, at most `MIRRORS_MAX`; none when it names none. */
export function debianMirrors(files: readonly SourcesFile[]): readonly string[] {
  const entries = files.flatMap((file) =>
    file.name.endsWith('.sources') ? deb822Entries(file.text) : oneLineEntries(file.text),
  );
  const uris = entries.flatMap((entry) => (offersDebianMain(entry) ? entry.uris : []));
  const mirrors = uris.filter(looksLikeDebian).map((uri) => uri.replace(/\/+$/, ''));
  return [...new Set(mirrors)].slice(0, MIRRORS_MAX);
}

function offersDebianMain(entry: SourceEntry): boolean {
  const isForeign = entry.signedBy !== undefined && !entry.signedBy.includes('debian-archive');
  return (
    !isForeign && entry.components.includes('main') && entry.suites.some((suite) => RELEASE_SUITE.test(suite))
  );
}

function looksLikeDebian(uri: string): boolean {
  return !uri.startsWith('cdrom:') && /debian/i.test(uri) && !/debian-security/i.test(uri);
}

function deb822Entries(text: string): SourceEntry[] {
  const entries: SourceEntry[] = [];
  for (const stanza of text.split(/\n[ \t]*\n/)) {
    const fields = stanzaFields(stanza);
    const words = (name: string) => fields.get(name)?.split(/\s+/).filter(Boolean) ?? [];
    if (!words('types').includes('deb') || fields.get('enabled')?.toLowerCase() === 'no') continue;
    entries.push({
      uris: words('uris'),
      suites: words('suites'),
      components: words('components'),
      signedBy: fields.get('signed-by'),
    });
  }
  return entries;
}

/** Field names in lower case; a line that starts with a blank goes on with the field before it. */
function stanzaFields(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current: string | undefined;
  for (const line of stanza.split('\n')) {
    if (line.startsWith('#')) continue;
    const field = /^([A-Za-z-]+):(.*)$/.exec(line);
    if (field?.[1] !== undefined) {
      current = field[1].toLowerCase();
      fields.set(current, (field[2] ?? '').trim());
    } else if (current !== undefined && /^\s/.test(line)) {
      fields.set(current, `${fields.get(current) ?? ''} ${line.trim()}`.trim());
    }
  }
  return fields;
}

function oneLineEntries(text: string): SourceEntry[] {
  const entries: SourceEntry[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (match === null) continue;
    const [, options = '', uri = '', suite = '', components = ''] = match;
    entries.push({
      uris: [uri],
      suites: [suite],
      components: components.split(/\s+/).filter(Boolean),
      signedBy: /(?:^|\s)signed-by=(\S+)/.exec(options)?.[1],
    });
  }
  return entries;
}
