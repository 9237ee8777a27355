/**
 * This check of `zester doctor` names the servers whose limits are missing, too wide or too narrow, each with the setting and what to
 * write (core/server-limits.ts). Works without them, until somebody misuses the credentials of a peel: never more than a warning.
 */
import { type LimitRule, limitText, SERVER_LIMIT_RULES, type ServerLimits } from '../server-limits.ts';
import { count, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface LimitedServer {
  readonly name: string;
  /** 0: the server has none, or does not say. */
  readonly limits: ServerLimits;
}

export type LimitFacts = { readonly servers: readonly LimitedServer[] } | { readonly notAsked: string };

const HOW_TO_LEARN =
  'compare each server’s configuration with the guide `nats`, or run doctor where sys.creds is in the auth directory';

export function judgeNatsLimits(facts: LimitFacts): Judgement {
  if ('notAsked' in facts)
    return unknown(`the limits of the servers could not be asked: ${facts.notAsked}`, HOW_TO_LEARN);
  const { servers } = facts;
  const wrong = SERVER_LIMIT_RULES.map((rule) => ({
    rule,
    told: servers.flatMap(({ name, limits }) => {
      const problem = problemOf(rule, limits[rule.limit]);
      return problem === undefined ? [] : [`${name} ${problem}`];
    }),
  })).filter(({ told }) => told.length > 0);
  if (wrong.length === 0)
    return ok(
      `${count(servers.length, 'server')} with limits on connections, subscriptions, payload and pending bytes`,
    );
  const lines = wrong.map(
    ({ rule: { limit, setting, wanted } }) => `\`${setting}: ${limitText(limit, wanted)}\``,
  );
  return warn(
    wrong.map(({ rule, told }) => `${rule.setting}: ${nameSome(told)}`).join('; '),
    `write ${lines.join(', ')} into the configuration of these servers and restart them, one after the other; the guide \`nats\` says why`,
  );
}

function problemOf({ limit, setting, least, most }: LimitRule, value: number): string | undefined {
  if (value <= 0) return 'has no limit';
  const said = `has ${limitText(limit, value)}`;
  if (value < least) return `${said}, too small: at least ${limitText(limit, least)}`;
  if (value <= most) return undefined;
  // The server's own default.
  const unset = setting === 'max_connections' && value === CONNECTIONS_DEFAULT ? ', the default' : '';
  return `${said}${unset}, too wide: at most ${limitText(limit, most)}`;
}

const CONNECTIONS_DEFAULT = 65_536;
