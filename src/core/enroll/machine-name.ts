/**
 * `peelIdOfHost` makes the id of a peel from the name that its machine goes by. A dot becomes `_`, so that the id is one token of a
 * subject, and a name that has `_` in it is refused: two machines could end up with one id. So is a name that every machine has.
 * Pure; whoever joins a machine pins the answer, because host names change (peel/join/peel-auth-dir.ts).
 */
import { type PeelId, peelIdOfName } from '../../wire/names/ids.ts';

export type NamedPeel = { readonly peelId: PeelId } | { readonly problem: string };

const EVERYBODYS = /^(?:localhost|.*\.localhost|localhost\..*|localhost[46]?\.localdomain[46]?|\(none\))$/i;

export function peelIdOfHost(hostName: string): NamedPeel {
  if (hostName === '') return { problem: 'this machine has no host name' };
  if (EVERYBODYS.test(hostName))
    return { problem: `the host name ${hostName} is not this machine's own: every machine has it` };
  if (hostName.includes('_'))
    return { problem: `the host name ${hostName} has _ in it, which stands for a dot in an id` };
  const peelId = peelIdOfName(hostName);
  return peelId === undefined
    ? { problem: `the host name ${hostName} has characters that an id cannot have` }
    : { peelId };
}

/** As a person writes it: an id, or a host name with its dots. */
export function peelIdOfWord(word: string): PeelId | undefined {
  return word.includes('_') && word.includes('.') ? undefined : peelIdOfName(word);
}
