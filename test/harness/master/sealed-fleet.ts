/** `SealedFleet` is peels with keys of their own beside the masters of a world: what they were sealed, as they open it. */
import { filePublisher } from '../../../src/bus/file-set/publish-file-set.ts';
import { openTable, type TableRead } from '../../../src/bus/kv/table.ts';
import { extractSettings, type SettingsExtraction } from '../../../src/core/settings/extract-settings.ts';
import { masterKeysOf } from '../../../src/master/master-ports.ts';
import { extractOptions } from '../../../src/master/secrets/master-settings-read.ts';
import { masterSettingsSeal } from '../../../src/trust/fleet-seal.ts';
import { type CurveKey, newCurveKey } from '../../../src/trust/nkeys.ts';
import { boxKey } from '../../../src/trust/sealed-box.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { FILE_SETS } from '../../../src/wire/records/file-set.ts';
import type { SealedSecrets } from '../../../src/wire/records/secrets.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import type { MasterWorld } from './master-world.ts';

export type SettingsTree = Readonly<Record<string, string>>;

export class SealedFleet {
  private readonly world: Pick<MasterWorld, 'admin' | 'runtime' | 'random' | 'account' | 'settled'>;
  private readonly peels = new Map<string, CurveKey>();

  constructor(world: SealedFleet['world']) {
    this.world = world;
  }

  /** The peel tells a key that nobody has had before. */
  async keyed(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const key = newCurveKey(this.world.random);
      this.peels.set(id, key);
      await this.says(id, key.publicKey);
    }
  }

  keyOf(id: string): CurveKey | undefined {
    return this.peels.get(id);
  }

  async says(id: string, curveKey: string): Promise<void> {
    const facts = factsCodec.encode(curveKey === '' ? {} : { [FACT_KEYS.curvePublicKey]: curveKey });
    await this.world.settled(this.world.admin.bucket(BUCKETS.facts.name).put(id, facts), 'facts');
  }

  extraction(tree: SettingsTree): SettingsExtraction {
    const files = Object.entries(tree).map(([path, text]) => ({ path, text }));
    return extractSettings(files, extractOptions(masterKeysOf(this.world.account)));
  }

  /** As the publisher does before it seals. */
  async publish(tree: SettingsTree): Promise<number> {
    const { admin, runtime, random, account } = this.world;
    const seal = masterSettingsSeal(() => masterKeysOf(account).fleet, random);
    const publisher = filePublisher(admin, FILE_SETS.masterSettings, runtime, seal);
    const files = Object.entries(tree).map(([path, text]) => {
      const data = Buffer.from(text);
      return { path, sha256: seal.digest(data), size: data.length, read: async () => data };
    });
    const outcome = await this.world.settled(publisher.publish(files, { force: false }), 'a publish');
    return 'revision' in outcome ? outcome.revision : 0;
  }

  record(id: string): Promise<TableRead<PeelId, SealedSecrets>> {
    const table = openTable(this.world.admin, TABLES.sealedSecrets);
    return this.world.settled(table.getLatest(id as PeelId), 'a record');
  }

  /** What a peel reads with its newest key; undefined where it has no record, `closed` for what it cannot open. */
  async opened(
    id: string,
    sender = masterKeysOf(this.world.account).curveKey.publicKey,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const read = await this.record(id);
    const key = this.peels.get(id);
    if (read.is !== 'found' || key === undefined) return undefined;
    const box = boxKey(key, sender);
    return Object.fromEntries(
      Object.entries(read.value.sealed).map(([path, sealed]) => {
        const plain = box?.open(sealed);
        return [path, plain === undefined ? 'closed' : Buffer.from(plain).toString()];
      }),
    );
  }
}
