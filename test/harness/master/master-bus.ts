/**
 * An intercepted bus lets a test stand between a master and the store: see every call, fail one, or let the process die at
 * one of them.
 */
import type { AppendOptions, Bucket, Bus, PublishOptions, Stream } from '../../../src/bus/port.ts';

export interface BusCall {
  readonly op: string;
  /** Subject, or `bucket/key`. */
  readonly on: string;
}

/** Does the call, or something else. Also gets calls that answer at once. */
export type Intercept = <T>(call: BusCall, run: () => T) => T;

export function interceptedBus(bus: Bus, intercept: Intercept, hears: () => boolean = () => true): Bus {
  return {
    ...bus,
    publish: (subject: string, data: Uint8Array, options?: PublishOptions) =>
      intercept({ op: 'publish', on: subject }, () => bus.publish(subject, data, options)),
    subscribe: (subject, deliver, options) =>
      intercept({ op: 'subscribe', on: subject }, () =>
        bus.subscribe(subject, (message) => hears() && deliver(message), options),
      ),
    append: (subject: string, data: Uint8Array, options: AppendOptions) =>
      intercept({ op: 'append', on: subject }, () => bus.append(subject, data, options)),
    api: (subject, body) => intercept({ op: 'api', on: subject }, () => bus.api(subject, body)),
    bucket: (name) => interceptedBucket(name, bus.bucket(name), intercept, hears),
    stream: (name) => interceptedStream(name, bus.stream(name), intercept, hears),
  };
}

function interceptedBucket(name: string, bucket: Bucket, intercept: Intercept, hears: () => boolean): Bucket {
  const call = <T>(op: string, key: string, run: () => T): T => intercept({ op, on: `${name}/${key}` }, run);
  return {
    ...bucket,
    get: (key) => call('get', key, () => bucket.get(key)),
    getLatest: (key) => call('getLatest', key, () => bucket.getLatest(key)),
    put: (key, value, options) => call('put', key, () => bucket.put(key, value, options)),
    create: (key, value) => call('create', key, () => bucket.create(key, value)),
    update: (key, value, revision) => call('update', key, () => bucket.update(key, value, revision)),
    delete: (key, options) => call('delete', key, () => bucket.delete(key, options)),
    remove: (key, options) => call('remove', key, () => bucket.remove(key, options)),
    keys: (filter) => call('keys', filter ?? '', () => bucket.keys(filter)),
    keysWithDeleted: (filter) => call('keysWithDeleted', filter, () => bucket.keysWithDeleted(filter)),
    entries: (filter) => call('entries', filter ?? '', () => bucket.entries(filter)),
    watch: (filter, observer) =>
      bucket.watch(filter, {
        changed: (read) => hears() && observer.changed(read),
        replayed: () => hears() && observer.replayed?.(),
      }),
  };
}

function interceptedStream(name: string, stream: Stream, intercept: Intercept, hears: () => boolean): Stream {
  return {
    ...stream,
    last: (subject) => intercept({ op: 'last', on: `${name}/${subject}` }, () => stream.last(subject)),
    replay: (options, visit) =>
      intercept({ op: 'replay', on: `${name}/${options.filter}` }, () => stream.replay(options, visit)),
    consume: (spec, options, handle) =>
      stream.consume(spec, options, async (delivery) => {
        if (!hears()) return new Promise(() => undefined);
        const answer = (run: () => void) => intercept({ op: 'ack', on: delivery.subject }, run);
        return handle({
          ...delivery,
          ack: () => answer(() => delivery.ack()),
          nak: (delayMs) => answer(() => delivery.nak(delayMs)),
        });
      }),
  };
}

export interface DyingBus {
  readonly bus: Bus;
  readonly calls: readonly BusCall[];
  isDead(): boolean;
}

/**
 * The process dies at its n-th call that counts: before the effect, or after it and before the answer. From then on no
 * call has an effect or an answer, and nothing is heard; the server sees the connection go.
 */
export function dyingBus(
  bus: Bus,
  diesAt: number,
  when: 'before' | 'after',
  counts: (call: BusCall) => boolean = () => true,
): DyingBus {
  const calls: BusCall[] = [];
  let isDead = false;
  const never = <T>(): T => new Promise(() => undefined) as T;
  const intercept: Intercept = (call, run) => {
    if (isDead) return never();
    if (!counts(call)) return run();
    calls.push(call);
    if (calls.length !== diesAt) return run();
    if (when === 'after') void Promise.resolve(run()).catch((error: unknown) => error);
    isDead = true;
    // The effect of the last call is on its way; the line goes after it.
    void Promise.resolve().then(() => bus.close());
    return never();
  };
  return { bus: interceptedBus(bus, intercept, () => !isDead), calls, isDead: () => isDead };
}

export interface ScriptedFaults {
  readonly bus: Bus;
  readonly calls: BusCall[];
}

/** Throws `error` at calls that match, `times` times; with an effect or without. */
export function failingBus(
  bus: Bus,
  fault: {
    readonly op: string;
    readonly on: RegExp;
    readonly error: Error;
    readonly times?: number;
    readonly effect?: boolean;
    readonly armed?: () => boolean;
  },
): ScriptedFaults {
  const calls: BusCall[] = [];
  let left = fault.times ?? 1;
  const intercept: Intercept = <T>(call: BusCall, run: () => T): T => {
    calls.push(call);
    if (left === 0 || fault.armed?.() === false || call.op !== fault.op || !fault.on.test(call.on))
      return run();
    left -= 1;
    if (call.op === 'publish') {
      if (fault.effect) run();
      throw fault.error;
    }
    const done = fault.effect ? Promise.resolve(run()) : Promise.resolve();
    return done.then(() => Promise.reject(fault.error)) as T;
  };
  return { bus: interceptedBus(bus, intercept), calls };
}
