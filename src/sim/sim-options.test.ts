import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from './faults/faults.ts';
import { parseSimOptions } from './sim-options.ts';

const parse = (...words: string[]) => parseSimOptions(words, 4_711);

describe('options of the simulator', () => {
  it('has an hour of a small fleet under all faults when nothing is said', () => {
    expect(parse()).toEqual({
      seed: 4_711,
      seeds: 1,
      masters: 3,
      peels: 20,
      minutes: 60,
      kinds: FAULT_KINDS,
      intensity: 1,
      jobsPerMinute: 6,
      editsPerMinute: 3,
      only: undefined,
      timeline: false,
      format: 'text',
      words: '',
    });
  });

  it('takes hours as minutes', () => {
    expect(parse('--hours', '1.5').minutes).toBe(90);
    expect(parse('--minutes', '0.5').minutes).toBe(0.5);
    expect(() => parse('--hours', '1', '--minutes', '60')).toThrow(/not both/);
  });

  it('knows the seed 0, and no other 0', () => {
    expect(parse('--seed', '0').seed).toBe(0);
    for (const name of ['seeds', 'masters', 'peels', 'minutes', 'intensity', 'jobs-per-minute'])
      expect(() => parse(`--${name}`, '0')).toThrow(new RegExp(`--${name} is a`));
  });

  it.each([
    ['peels', '2.5'],
    ['peels', '-1'],
    ['masters', '21'],
    ['seed', 'x'],
    ['seed', String(2 ** 31 + 1)],
    ['minutes', '1e3'],
  ])('refuses --%s %s', (name, text) => {
    expect(() => parse(`--${name}`, text)).toThrow(/number up to/);
  });

  it('takes faults by name', () => {
    expect(parse('--faults', 'kill, cut').kinds).toEqual(['kill', 'cut']);
    expect(parse('--faults', 'none').kinds).toEqual([]);
    expect(() => parse('--faults', 'kil')).toThrow(/did you mean kill/);
    expect(() => parse('--faults', 'zzzzzzzzzz')).toThrow(/they are kill, /);
  });

  it('takes the faults of a replay by number', () => {
    expect(parse('--only', '3,14').only).toEqual([3, 14]);
    expect(parse('--only', 'none').only).toEqual([]);
    expect(() => parse('--only', '3,x')).toThrow(/list of fault numbers/);
  });

  it('keeps the words that make the same plan, for the hint how to replay it', () => {
    const { words } = parse(
      ...['--peels', '5', '--seed', '9', '--faults', 'kill', '--format', 'json', '--timeline', '--only', '1'],
    );
    expect(words).toBe(' --peels 5 --faults kill');
  });
});
