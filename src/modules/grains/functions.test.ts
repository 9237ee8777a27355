/** Salt's names give the same answer wherever one may ask: the list of names is the table itself. */

import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { grainsOf } from '../../core/states/template/grain-names.ts';
import { GRAINS } from '../../core/states/template/grain-table.ts';
import { stateTemplates } from '../../core/states/template/state-templates.ts';
import { matchPattern, parsePattern } from '../../core/states/top/top-pattern.ts';
import { FactIndex } from '../../core/target/fact-index.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { resolveTarget } from '../../core/target/resolve-target.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import { callFunction } from '../run-function.ts';

const facts: WireMap = {
  os: {
    name: 'linux',
    family: 'debian',
    platform: 'debian',
    full_name: 'Debian GNU/Linux',
    codename: 'bookworm',
    platform_version: '12.11',
    arch: 'amd64',
    kernel: '6.1.0-37-amd64',
    kernel_arch: 'x86_64',
    init: 'systemd',
    virtual: 'kvm',
    virtual_subtype: 'ovirt',
  },
  cpu: { count: 4, model: 'a model' },
  memory: { total: 8_589_934_592, swap_total: 1_073_741_824 },
  network: {
    hostname: 'web-01',
    fqdn: 'web-01.example.net',
    ipv4: ['127.0.0.1', '192.0.2.7'],
    ipv6: ['::1'],
    interfaces: [
      { name: 'eth0.7', mac: '02:00:00:00:00:01', flags: ['up'], addrs: ['192.0.2.7/24', 'fd00::7/64'] },
    ],
  },
  default_ipv4: '192.0.2.7',
};
const peel = parsePeelId('web-01') ?? expect.unreachable();
const grains = grainsOf(facts, peel);
const index = new FactIndex();
index.put(peel, facts);

const templates = stateTemplates({
  tree: memoryTree({}),
  data: {
    peelId: peel,
    facts,
    words: NO_WORDS,
    settings: {},
    statesDir: '/srv',
    dryRun: false,
    machine: {
      functionNames: [],
      callFunction: async () => expect.unreachable('a grain is looked up at once'),
      hasProgram: async () => false,
      userInfo: async () => ({}),
    },
  },
  runtime: {},
  signal: new AbortController().signal,
});
const rendered = async (expression: string): Promise<unknown> =>
  JSON.parse((await templates.renderFile('a.zy', `{{ (${expression}) | tojson }}`, 'a')).text);

/** A target that the value should fit, and one that it should not; of a map by one of its keys, as Salt writes it. */
function targetsFor(name: string, value: WireValue): readonly [fits: string, not: string] {
  const [key, inner] = isWireMap(value) ? (Object.entries(value)[0] ?? ['', '']) : ['', value];
  const path = key === '' ? name : `${name}:${key}`;
  const [text] = [inner].flat();
  return [`G@${path}:"${String(text)}"`, `G@${path}:"no such value"`];
}

describe.each([...GRAINS.keys()])('the grain %s', (name) => {
  const value = grains[name] ?? expect.unreachable(`the facts of this test say nothing of ${name}`);

  it('is the same in templates and in grains.get', async () => {
    for (const expression of [
      `grains.${name}`,
      `grains['${name}']`,
      `grains.get('${name}')`,
      `salt['grains.get']('${name}')`,
      `salt['grains.item']('${name}')`,
    ])
      expect(await rendered(expression), expression).toEqual(value);
    const { context } = memoryContext(facts);
    for (const call of ['grains.get', 'grains.item'])
      expect((await callFunction(call, { id: name, args: {} }, context, false)).result, call).toEqual(value);
    const all = await callFunction('grains.items', { args: {} }, context, false);
    expect(all.result).toMatchObject({ [name]: value });
    expect((await callFunction('grains.ls', { args: {} }, context, false)).result).toContain(name);
  });

  it('is what targets and top files look at', () => {
    const [fits, not] = targetsFor(name, value);
    expect(resolveTarget(index, fits), fits).toEqual([peel]);
    expect(resolveTarget(index, not), not).toEqual([]);
    expect(matchPattern(parsePattern(fits, 'compound'), peel, facts, NO_WORDS), fits).toBe(true);
    expect(matchPattern(parsePattern(not, 'compound'), peel, facts, NO_WORDS), not).toBe(false);
  });
});

describe('grains.get', () => {
  it.each([
    ['os', {}, 'Debian'],
    ['os.family', {}, 'debian'],
    ['os:family', {}, 'debian'],
    ['ip4_interfaces:eth0.7:0', {}, '192.0.2.7'],
    ['network/ipv4/1', { delimiter: '/' }, '192.0.2.7'],
    ['nothing', {}, ''],
    ['nothing', { default: 'none' }, 'none'],
    ['constructor', {}, ''],
  ])('%s %j', async (key, args, expected) => {
    const { context } = memoryContext(facts);
    expect((await callFunction('grains.get', { id: key, args }, context, false)).result).toBe(expected);
  });
});

describe('targets compare grains as Salt does', () => {
  it.each([
    ['G@os_family:Debian', true],
    ['G@os_family:debian', true],
    ['G@os_family:Deb*', true],
    ['G@os_family:RedHat', false],
    ['G@os_family:!=Debian', false],
    ['G@os_family:!=RedHat', true],
    ['G@os:Debian', true],
    ['G@os:linux', true],
    ['G@osmajorrelease:>=12', true],
    ['G@mem_total:>8000', true],
    ['G@id:web-*', true],
    ['G@ip4_interfaces:eth0.7:192.0.*', true],
    ['G@ip4_interfaces.eth0.7:192.0.*', true],
    ['G@ip6_interfaces:eth0.7:fd00::7', true],
    ['G@hwaddr_interfaces:eth0.7:02:00:*', true],
    ['G@ip4_interfaces:eth1:*', false],
    ['G@fqdn_ip4:192.0.2.7', true],
    ['G@virtual:kvm', true],
    ['G@selinux:*', false],
  ])('%s is %s', (expression, expected) => {
    expect(resolveTarget(index, expression)).toEqual(expected ? [peel] : []);
  });

  it('a custom fact of that name wins, in the index as well', () => {
    const own = new FactIndex();
    own.put(peel, { ...facts, os_family: 'Mine' });
    expect(resolveTarget(own, 'G@os_family:Mine')).toEqual([peel]);
    expect(resolveTarget(own, 'G@os_family:Debian')).toEqual([]);
    own.put(peel, facts);
    expect(resolveTarget(own, 'G@os_family:Debian')).toEqual([peel]);
  });

  it('RedHat is what Salt calls rhel', () => {
    const rhel = new FactIndex();
    rhel.put(peel, { os: { name: 'linux', platform: 'rhel', family: 'rhel' } });
    for (const target of ['G@os:RedHat', 'G@os:rhel', 'G@os_family:RedHat'])
      expect(resolveTarget(rhel, target), target).toEqual([peel]);
  });
});
