/**
 * The facts store has the facts as the peel knows them now: templates, functions and the publisher read them, refreshes
 * and `facts.set` replace them. Changes happen one after another, so that a refresh that began before a `facts.set`
 * cannot bring the old value back. Readers get a whole map that never changes under them.
 *
 * What operators say of this peel goes before what the machine tells, wherever it is read on the machine. It is not published:
 * masters know it, and it may be a secret.
 *
 * A secret that is set as a fact becomes its marker: facts are told to the whole fleet, and their file can be read by
 * everybody on the machine.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { SecretBook } from '../../core/redact/secret-book.ts';
import { factsWithWords, NO_WORDS, type OperatorWords } from '../../core/target/operator-words.ts';
import type { FactsAccess } from '../../modules/contract.ts';
import { lookUpFact } from '../../modules/facts/fact-path.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type CollectorName, collectFacts, type FactsMachine, type FactsOptions } from './collect-facts.ts';
import { CUSTOM_FACTS_FILE, setCustomFact } from './custom-facts.ts';

export interface FactsStore extends FactsAccess {
  /** What the machine tells, without what operators say: this is what is published. */
  own(): WireMap;
  /** Looks again; `only` some collectors, or all. Never fails: see `collectFacts`. */
  refresh(only?: readonly CollectorName[]): Promise<void>;
}

export interface FactsStoreOptions extends FactsOptions {
  /** Called after every refresh and every set; whether there is anything to publish is for `factsDigest` to say. */
  readonly onFacts?: (facts: WireMap) => void;
  readonly secrets?: SecretBook;
  /** What operators say of this peel now. Default: nothing. */
  readonly words?: () => OperatorWords;
}

/** Without facts until the first `refresh`. */
export function factsStore(machine: FactsMachine, options: FactsStoreOptions): FactsStore {
  const {
    customFile = CUSTOM_FACTS_FILE,
    onFacts = () => undefined,
    secrets,
    words = () => NO_WORDS,
  } = options;
  let facts: WireMap = {};
  const changes = new Semaphore(1);

  async function collect(only?: readonly CollectorName[]): Promise<void> {
    facts = await collectFacts(machine, options, {
      previous: facts,
      ...(only === undefined ? {} : { only }),
    });
    onFacts(facts);
  }

  return {
    own: () => facts,
    words,
    all: () => factsWithWords(facts, words()),
    get: (path) => lookUpFact(factsWithWords(facts, words()), path),
    refresh: (only) => changes.run(() => collect(only)),
    setCustom: (path, value) =>
      changes.run(async () => {
        const [top = ''] = path.split('.');
        if (Object.hasOwn(words().facts, top))
          throw zesterError('FACT_NOT_SETTABLE', {
            fact: path,
            reason: `an operator set ${top} for this peel`,
          });
        const shown = secrets === undefined ? value : secrets.redactValue(value);
        await setCustomFact(machine.files, customFile, path, shown);
        await collect(['custom']);
      }),
  };
}
