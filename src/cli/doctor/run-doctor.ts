/** `runDoctor` runs all checks of `zester doctor`: those of this machine always, the others when NATS can be reached. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBus } from '../../bus/bus.ts';
import { connectFleet } from '../../client/connect-fleet.ts';
import { CHECK_MS_MAX, examine } from '../../client/doctor/examine.ts';
import { examineFleet } from '../../client/doctor/examine-fleet.ts';
import { type Finding, fail, ok } from '../../core/doctor/finding.ts';
import { isZesterError, type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { localServerConfig } from '../../local-fleet/server-places.ts';
import { timeoutSignal } from '../../runtime/signals.ts';
import { findPlace, type Place } from '../connect/find-place.ts';
import { clientOn } from '../connect/with-client.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';
import { SYSTEM_AUTH_DIR } from '../program/common-options.ts';
import { fleetDirOf } from '../up/up.ts';
import { type LocalPlace, localChecks } from './local-checks.ts';

export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly isReachable: boolean;
}

const NATS_CHECK = 'nats';

export async function runDoctor(context: CliContext, given: GivenOptions): Promise<Diagnosis> {
  const { clock } = context.runtime;
  const place = placeOf(context, given);
  const here = isZesterError(place) ? placeHere(context, given) : place;
  const [overBus, local] = await Promise.all([
    isZesterError(place) ? unreachable(place) : examineBus(context, place),
    Promise.all(localChecks(here, context.runtime).map((check) => examine(check, clock))),
  ]);
  return { findings: [...overBus.findings, ...local], isReachable: overBus.isReachable };
}

function placeOf(context: CliContext, given: GivenOptions): Place | ZesterError {
  try {
    return findPlace(context, given);
  } catch (error) {
    if (isZesterError(error)) return error;
    throw error;
  }
}

/** No deployment is up: what one left in the directory can be looked at all the same. */
function placeHere(context: CliContext, given: GivenOptions): LocalPlace {
  const fleetDir = fleetDirOf(context, given);
  const authWord = given.text('auth-dir');
  if (authWord !== undefined) return { authDir: resolve(context.cwd, authWord) };
  if (existsSync(fleetDir)) return { authDir: join(fleetDir, 'auth'), fleetDir };
  return { authDir: SYSTEM_AUTH_DIR };
}

async function examineBus(context: CliContext, place: Place): Promise<Diagnosis> {
  const { runtime } = context;
  const { clock } = runtime;
  const bus = openBus(connectFleet('admin', place, runtime), runtime);
  const limit = timeoutSignal(clock, CHECK_MS_MAX, () =>
    zesterError('BUS_TIMEOUT', { what: place.servers.join(', '), ms: CHECK_MS_MAX }),
  );
  try {
    await bus.connected(limit.signal);
    const { fleetDir } = place;
    const serverConfig = fleetDir === undefined ? undefined : localServerConfig(fleetDir);
    const findings = await examineFleet(clientOn(context, place, bus), { address: place, serverConfig });
    const found = `connected to ${bus.server()?.name ?? 'a server'} at ${place.servers.join(', ')}, over TLS`;
    return { findings: [{ check: NATS_CHECK, ...ok(found) }, ...findings], isReachable: true };
  } catch (error) {
    if (isZesterError(error)) return unreachable(error);
    throw error;
  } finally {
    limit.cancel();
    await bus.close();
  }
}

function unreachable(error: ZesterError): Diagnosis {
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const found = `${error.message}${why}; what needs it was not checked`;
  return { findings: [{ check: NATS_CHECK, ...fail(found, error.hint) }], isReachable: false };
}
