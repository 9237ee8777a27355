/**
 * These functions seal for the masters of a fleet. Three uses:
 *
 *   sealToFleet          a value in a settings file, `ENC[fleet,<generation>,<base64>]`. Made with the public half alone, by
 *                        an operator: a curve key for this one box, its public half in front. Whoever made it cannot open it.
 *   masterSettingsSeal   whole settings files in bucket master-settings, through which masters hand their source tree to
 *                        one another: a box of the fleet key to itself, and keyed digests, so that what NATS stores tells
 *                        neither a content nor that it is one that somebody guessed.
 *   operatorFactSeal     facts that operators set, in the enrollment of a peel: a box of the fleet key to itself, with a label
 *                        and the peel, so that one put into the enrollment of another peel does not open there.
 *
 * The box key says nothing about what a box is for: without a label, a box from master-settings or one that was sealed for a peel
 * could be passed off as a value of a settings file, and a master would open it for whoever put it there. So the plain text of
 * such a value, and of a fact, begins with a label, and what does not is not opened.
 *
 * Every seal names the generation of its key. One of a generation that is not at hand does not open. The digests of files are
 * those of the first generation for ever, because they only name contents, and a tree whose files all got other names with a
 * rotation would look edited on every master (decision 124).
 */
import { assert } from '../core/assert.ts';
import { parseSealedAtRest, sealedAtRestText } from '../core/settings/sealed-at-rest.ts';
import type { Random } from '../runtime/random.ts';
import { FIRST_GENERATION } from '../wire/records/fleet-key/fleet-keys.ts';
import type { FleetKey } from './fleet-key.ts';
import { decodePublicKey, encodePublicKey, newCurveKey } from './nkeys.ts';
import { type BoxKey, boxKey } from './sealed-box.ts';

const PUBLIC_KEY_BYTES = 32;
const LABEL = Buffer.from('zester-fleet-value-v1\0');
const FACT_LABEL = 'zester-operator-fact-v1';
const WRAPPED_FORM = /^([1-9][0-9]{0,8}) (ENC\[nkey,[A-Za-z0-9+/]+={0,2}\])$/;

/** Undefined when `fleetPublicKey` is not a usable curve key. */
export function sealToFleet(
  fleetPublicKey: string,
  generation: number,
  plain: Uint8Array,
  random: Random,
): string | undefined {
  const sender = newCurveKey(random);
  const box = boxKey(sender, fleetPublicKey)?.sealBytes(Buffer.concat([LABEL, plain]), random);
  if (box === undefined) return undefined;
  const bytes = Buffer.concat([decodePublicKey(sender.publicKey, 'curve'), box]);
  return sealedAtRestText({ generation, base64: bytes.toString('base64') });
}

/** Undefined when the text is no such seal, was changed, or was made for another key than these. */
export function openSealedToFleet(keys: readonly FleetKey[], text: string): Uint8Array | undefined {
  const sealed = parseSealedAtRest(text);
  const key = keys.find(({ generation }) => generation === sealed?.generation);
  if (sealed === undefined || key === undefined) return undefined;
  const bytes = Buffer.from(sealed.base64, 'base64');
  if (bytes.length < PUBLIC_KEY_BYTES) return undefined;
  const sender = encodePublicKey('curve', bytes.subarray(0, PUBLIC_KEY_BYTES));
  const opened = boxKey(key.curveKey, sender)?.openBytes(bytes.subarray(PUBLIC_KEY_BYTES));
  if (opened === undefined || !Buffer.from(opened.subarray(0, LABEL.length)).equals(LABEL)) return undefined;
  return opened.subarray(LABEL.length);
}

/** As `FileSetSeal` of bus/file-set wants it. */
export interface ContentSeal {
  digest(plain: Uint8Array): string;
  wrap(plain: Uint8Array): Uint8Array;
  unwrap(stored: Uint8Array): Uint8Array | undefined;
}

/** `fleetKeys`: all there are by now, the newest first; asked each time. Costs an X25519 for each that is used. */
export function masterSettingsSeal(fleetKeys: () => readonly FleetKey[], random: Random): ContentSeal {
  const boxes = fleetBoxes(fleetKeys, random);
  return {
    digest(plain) {
      const first = fleetKeys().find(({ generation }) => generation === FIRST_GENERATION);
      assert(first !== undefined, 'there is a fleet key');
      return first.digest(plain);
    },
    wrap: (plain) => Buffer.from(boxes.wrap(plain)),
    unwrap: (stored) => boxes.unwrap(Buffer.from(stored).toString('latin1')),
  };
}

/** Which generation sealed this content of master-settings; undefined when it is none. */
export function generationOfContent(stored: Uint8Array): number | undefined {
  return generationOfSeal(Buffer.from(stored).toString('latin1'));
}

export interface FactSeal {
  /** `<generation> ENC[nkey,…]`. */
  seal(peel: string, plain: Uint8Array): string;
  /** Undefined when it was not sealed as a fact of this peel, or under a generation that is not at hand. */
  open(peel: string, sealed: string): Uint8Array | undefined;
}

/** As with `masterSettingsSeal`. */
export function operatorFactSeal(fleetKeys: () => readonly FleetKey[], random: Random): FactSeal {
  const boxes = fleetBoxes(fleetKeys, random);
  const labelOf = (peel: string) => Buffer.from(`${FACT_LABEL}\0${peel}\0`);
  return {
    seal: (peel, plain) => boxes.wrap(Buffer.concat([labelOf(peel), plain])),
    open(peel, sealed) {
      const label = labelOf(peel);
      const opened = boxes.unwrap(sealed);
      if (opened === undefined || !Buffer.from(opened.subarray(0, label.length)).equals(label))
        return undefined;
      return opened.subarray(label.length);
    },
  };
}

/** Which generation sealed this fact; undefined when it is no seal. */
export function generationOfSeal(sealed: string): number | undefined {
  const [, generation] = WRAPPED_FORM.exec(sealed) ?? [];
  return generation === undefined ? undefined : Number(generation);
}

/** Boxes of each generation to itself, which name it. */
function fleetBoxes(fleetKeys: () => readonly FleetKey[], random: Random) {
  const boxes = new Map<number, BoxKey>();
  const boxOf = (key: FleetKey | undefined): BoxKey | undefined => {
    if (key === undefined) return undefined;
    const known = boxes.get(key.generation);
    if (known !== undefined) return known;
    const box = boxKey(key.curveKey, key.curveKey.publicKey);
    assert(box !== undefined, 'a curve key agrees with itself');
    boxes.set(key.generation, box);
    return box;
  };
  return {
    wrap(plain: Uint8Array): string {
      const [newest] = fleetKeys();
      const box = boxOf(newest);
      assert(newest !== undefined && box !== undefined, 'there is a fleet key');
      return `${newest.generation} ${box.seal(plain, random)}`;
    },
    unwrap(stored: string): Uint8Array | undefined {
      const [, generation, sealed] = WRAPPED_FORM.exec(stored) ?? [];
      if (sealed === undefined) return undefined;
      return boxOf(fleetKeys().find((key) => key.generation === Number(generation)))?.open(sealed);
    },
  };
}
