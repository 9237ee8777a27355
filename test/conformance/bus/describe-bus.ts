/** `describeBus` is the whole suite. Every adapter passes all of it; what one cannot do, the port must not promise. */
import { describe } from 'vitest';
import { describeConsumers } from './describe-consumers.ts';
import { describeFencedWrites } from './describe-fenced-writes.ts';
import { describeFileSetFaults } from './describe-file-set-faults.ts';
import { describeFileSets } from './describe-file-sets.ts';
import { describeKv } from './describe-kv.ts';
import { describeLeases } from './describe-leases.ts';
import { describeMessages } from './describe-messages.ts';
import { describeObjects } from './describe-objects.ts';
import { describeStreams } from './describe-streams.ts';
import { describeTables } from './describe-tables.ts';
import { describeWatch } from './describe-watch.ts';
import type { MakeFixture } from './fixture.ts';

export function describeBus(name: string, make: MakeFixture): void {
  describe(name, () => {
    describeMessages(make);
    describeKv(make);
    describeWatch(make);
    describeStreams(make);
    describeConsumers(make);
    describeObjects(make);
    describeLeases(make);
    describeFencedWrites(make);
    describeTables(make);
    describeFileSets(make);
    describeFileSetFaults(make);
  });
}
