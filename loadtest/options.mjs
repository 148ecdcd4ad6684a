// The options of the command, and whether its target may be used.
import { parseArgs } from 'node:util';

/** A mistake of the person who starts the test: it is printed without a stack. */
export class UsageError extends Error {}

export const USAGE = `usage: npm run loadtest -- --target URL --customers N --agents M --minutes T [options]
       npm run loadtest -- merge RESULT.json… [--report FILE]

  --tenant SLUG --email E   the owner of the company in which the test works; the password in LOADTEST_PASSWORD,
                            or an access token of the owner in LOADTEST_TOKEN
  --signup                  registers a company of its own instead (plan free: one agent)
  --departments D           among which customers and agents are divided (1)
  --join-rate R             joins a second, at most (10)
  --answer-seconds S        how long an agent lets an offer ring (2)
  --talk-seconds S          how long calls are, on average (30)
  --service-level-seconds S of the service level (20)
  --timeout-seconds S       of requests, acknowledgements and events (10)
  --part I/N                this process is one of N that share the customers and agents
  --report FILE             writes the report as HTML
  --json FILE               writes the result as JSON, for merge
  --keep                    does not deactivate the agents and delete the departments at the end
  --allow-remote            the target may be another machine`;

const NUMBERS = {
  customers: undefined,
  agents: undefined,
  minutes: undefined,
  departments: 1,
  'join-rate': 10,
  'answer-seconds': 2,
  'talk-seconds': 30,
  'service-level-seconds': 20,
  'timeout-seconds': 10,
};

const WHOLE = new Set(['customers', 'agents', 'departments']);

const OPTIONS = {
  ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' }])),
  target: { type: 'string' },
  tenant: { type: 'string' },
  email: { type: 'string' },
  part: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'string' },
  signup: { type: 'boolean' },
  keep: { type: 'boolean' },
  'allow-remote': { type: 'boolean' },
  help: { type: 'boolean' },
};

/**
 * @param env with LOADTEST_PASSWORD or LOADTEST_TOKEN
 * @returns the options, with camel-case names; `files` if results are to be merged
 * @throws UsageError
 */
export function parseOptions(args, env) {
  const { values, positionals } = parse(args);
  if (values.help) return { isHelp: true };
  const { target, report, json } = values;
  if (positionals[0] === 'merge') {
    if (positionals.length < 2) throw new UsageError('merge needs the files of the results.');
    return { files: positionals.slice(1), report, json };
  }
  if (positionals.length > 0) throw new UsageError(`What is ${positionals[0]}?`);
  if (!target) throw new UsageError('--target is missing.');
  const url = checkTarget(target, values['allow-remote'] === true);
  const part = parsePart(values.part);
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, standard]) => [
      camelCase(name),
      parseNumber(name, values[name], standard),
    ]),
  );
  const agents = shareOf(numbers.agents, part);
  if (agents < numbers.departments) throw new UsageError('Each department needs an agent.');
  return {
    ...numbers,
    url,
    part,
    customers: shareOf(numbers.customers, part),
    agents,
    login: parseLogin(values, env),
    isKept: values.keep === true,
    report,
    json,
  };
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** A load on another machine by a slip of the keyboard would be an attack. */
function checkTarget(target, isRemoteAllowed) {
  if (!URL.canParse(target) || !/^https?:/.test(target))
    throw new UsageError(`--target ${target} is no URL.`);
  const { hostname, origin } = new URL(target);
  if (isRemoteAllowed || isLoopback(hostname)) return origin;
  throw new UsageError(
    `${hostname} is not this machine. With --allow-remote the test runs against it: only do so against an installation that is yours.`,
  );
}

const isLoopback = (hostname) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function parseNumber(name, text, standard) {
  if (text === undefined && standard !== undefined) return standard;
  const value = Number(text);
  if (text === undefined || text === '' || !(value > 0))
    throw new UsageError(`--${name} must be a number above 0.`);
  if (WHOLE.has(name) && !Number.isInteger(value)) {
    throw new UsageError(`--${name} must be a whole number.`);
  }
  return value;
}

function parsePart(text = '1/1') {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || index > count) throw new UsageError('--part is for example 1/3, 2/3 or 3/3.');
  return { index, count };
}

/** @returns this part's share; the first parts have one more if it cannot be divided */
function shareOf(total, { index, count }) {
  const share = Math.floor(total / count) + (index <= total % count ? 1 : 0);
  if (share === 0) throw new UsageError(`${total} cannot be shared by ${count} parts.`);
  return share;
}

function parseLogin({ tenant, email, signup }, { LOADTEST_PASSWORD: password, LOADTEST_TOKEN: token }) {
  if (signup) return { isSignup: true };
  if (token) return { token };
  if (tenant && email && password) return { tenant, email, password };
  throw new UsageError(
    'Set --tenant, --email and LOADTEST_PASSWORD of the owner of a company, or LOADTEST_TOKEN, or --signup.',
  );
}

const camelCase = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
