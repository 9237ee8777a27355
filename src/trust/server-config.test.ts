import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitText, SERVER_LIMIT_RULES } from '../core/server-limits.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { newTopology } from './accounts/topology.ts';
import { renderServerConfig, renderTrust, type ServerConfig } from './server-config.ts';

const trust = newTopology(seededRandom(71), Date.UTC(2026, 10, 15)).public;
const base: ServerConfig = {
  serverName: 'n1',
  listen: { host: '127.0.0.1', port: -1 },
  tls: { certificateFile: '/c', keyFile: '/k', caFile: '/ca' },
  trust,
  resolverDir: '/jwt',
  jetstream: { storeDir: '/js', syncInterval: 'always' },
};

describe('renderServerConfig', () => {
  it('says all that a server needs', () => {
    const text = renderServerConfig({
      ...base,
      limits: { payloadBytes: 2_000_000 },
      logFile: '/log',
      pidFile: '/pid',
      portsFileDir: '/ports',
      jetstream: { storeDir: '/js', syncInterval: 'always', memoryBytesMax: 1, fileBytesMax: 2 },
      cluster: {
        name: 'c',
        listen: { host: '0.0.0.0', port: 6222 },
        routes: [{ host: '::1', port: 6223 }],
      },
    });
    expect(text.slice(0, text.indexOf('operator:'))).toMatchInlineSnapshot(`
      "server_name: "n1"
      host: "127.0.0.1"
      port: -1
      max_control_line: 16384
      max_payload: 2000000
      max_pending: 67108864
      max_connections: 40960
      max_subscriptions: 65536
      write_deadline: "10s"
      logfile: "/log"
      pid_file: "/pid"
      ports_file_dir: "/ports"
      tls {
        cert_file: "/c"
        key_file: "/k"
        ca_file: "/ca"
        min_version: "1.3"
        verify: false
        timeout: 30
      }
      authorization {
        timeout: 40
      }
      jetstream {
        store_dir: "/js"
        sync_interval: always
        max_memory_store: 1
        max_file_store: 2
      }
      cluster {
        name: "c"
        host: "0.0.0.0"
        port: 6222
        routes: ["tls://[::1]:6223"]
        tls {
          cert_file: "/c"
          key_file: "/k"
          ca_file: "/ca"
          min_version: "1.3"
          verify: true
          timeout: 30
        }
        authorization {
          timeout: 40
        }
      }
      resolver {
        type: full
        dir: "/jwt"
        allow_delete: false
        interval: "5s"
      }
      "
    `);
  });

  it.each(['nats.md', 'production.md'])('has the limits that %s tells people to write', (guide) => {
    const shown = readFileSync(new URL(`../../docs/guides/${guide}`, import.meta.url), 'utf8').split('\n');
    const written = renderServerConfig(base).split('\n');
    const limits = SERVER_LIMIT_RULES.map(
      ({ limit, setting, wanted }) => `${setting}: ${limitText(limit, wanted)}`,
    );
    expect(shown).toEqual(expect.arrayContaining(limits));
    expect(written).toEqual(expect.arrayContaining(limits));
  });

  it('leaves the sync interval to the server when told so', () => {
    expect(
      renderServerConfig({ ...base, jetstream: { storeDir: '/js', syncInterval: 'default' } }),
    ).not.toContain('sync_interval');
  });

  it('preloads all three accounts and names the system account', () => {
    const text = renderTrust(trust);
    expect(text).toContain(`system_account: "${trust.system.publicKey}"`);
    for (const { publicKey, jwt } of [trust.system, trust.control, trust.agents])
      expect(text).toContain(`"${publicKey}": "${jwt}"`);
  });

  it('keeps every text inside its quotes, whatever it says', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'"\\{}[]:#$;,\'/ xn\u00e9\u{1F34B}'),
      maxLength: 20,
    });
    const places = (text: string): ServerConfig => ({
      ...base,
      serverName: text,
      listen: { host: text, port: 1 },
      tls: { certificateFile: text, keyFile: text, caFile: text },
      resolverDir: text,
      jetstream: { storeDir: text, syncInterval: 'always' },
      cluster: { name: text, listen: { host: text, port: 1 }, routes: [{ host: text, port: 1 }] },
      logFile: text,
      pidFile: text,
      portsFileDir: text,
    });
    const skeleton = outsideQuotes(renderServerConfig(places('')));
    fc.assert(
      fc.property(hostile, (text) => {
        const rendered = renderServerConfig(places(text));
        expect(outsideQuotes(rendered)).toBe(skeleton);
        expect(insideQuotes(rendered)).toContain(text);
      }),
    );
  });

  it('refuses control characters and half characters', () => {
    for (const text of ['a\nport: 1', 'a\0', 'a\r', 'a\x7f', 'a\ud800'])
      expect(() => renderServerConfig({ ...base, logFile: text })).toThrow(/the setting logfile/);
  });
});

const STRING = /"((?:[^"\\]|\\["\\])*)"/g;

/** What the server reads as structure: everything but the strings, by the rules of its lexer. */
function outsideQuotes(text: string): string {
  return text.replaceAll(STRING, '""');
}

function insideQuotes(text: string): string[] {
  return [...text.matchAll(STRING)].map(([, inner]) => (inner ?? '').replaceAll(/\\(["\\])/g, '$1'));
}
