import { join } from 'node:path';
import { REPOSITORY } from '../../support/service/built-service';

type Json = Record<string, unknown>;

/** The load test consists of plain modules, which have no types. */
const load = <Module>(path: string) => require(join(REPOSITORY, 'loadtest', path)) as Module;

interface Line {
  beginJoin(): Json;
  endJoin(place: Json): void;
  beginLeaving(place: Json): void;
  endLeaving(place: Json, nowMs: number): void;
  bounds(place: Json, nowMs: number): { min: number; max: number };
}

type Check = (input: Json) => string | undefined;

const { doubledOffers } = load<{ doubledOffers(...lists: Json[][]): string[] }>('checks/offers.mjs');
const { wrongPosition, wrongAgainstLine } =
  load<Record<'wrongPosition' | 'wrongAgainstLine', Check>>('checks/positions.mjs');
const { LineModel } = load<{ LineModel: new (maxStaleMs: number) => Line }>('checks/line-model.mjs');
const { Histogram } = load<{
  Histogram: new () => { record(ms: number): void; percentile(share: number): number };
}>('figures/histogram.mjs');
const { mergeResults } = load<{ mergeResults(results: Json[]): Json }>('figures/merge-results.mjs');
const { problemsOf } = load<{ problemsOf(result: Json): string[] }>('figures/verdict.mjs');
const { parseOptions } = load<{ parseOptions(args: string[], env: Json): Json }>('options.mjs');
const { limitSentence } = load<{ limitSentence(...args: unknown[]): string | undefined }>(
  'client/limits.mjs',
);

const offer = (id: string, callId: string, userId: string, offeredAt: number, endedAt?: number) => ({
  id,
  callId,
  userId,
  offeredAt,
  endedAt,
  deliveries: 1,
});

describe('offers are doubled', () => {
  it.each<[string, Json[], Json[], string[]]>([
    ['not one after the other', [offer('1', 'a', 'x', 0, 1000), offer('2', 'a', 'y', 1000, 2000)], [], []],
    [
      'not within the difference of clocks',
      [offer('1', 'a', 'x', 0, 1000), offer('2', 'a', 'y', 950)],
      [],
      [],
    ],
    [
      'at two agents',
      [offer('1', 'a', 'x', 0, 1000), offer('2', 'a', 'y', 800)],
      [],
      ['call a at two agents'],
    ],
    [
      'while the first one is pending',
      [offer('2', 'a', 'y', 800), offer('1', 'a', 'x', 0)],
      [],
      ['call a at two agents'],
    ],
    ['at one agent', [offer('1', 'a', 'x', 0), offer('2', 'b', 'x', 800)], [], ['agent x: two calls']],
    [
      'when they arrive twice',
      [{ ...offer('1', 'a', 'x', 0), deliveries: 2 }],
      [],
      ['offer 1 arrived more than once'],
    ],
    [
      'when two agents start the call',
      [],
      [
        { callId: 'a', userId: 'x' },
        { callId: 'b', userId: 'x' },
        { callId: 'a', userId: 'y' },
      ],
      ['call a was started by two agents'],
    ],
  ])('%s', (_when, offers, starts, expected) => {
    expect(doubledOffers(offers, starts)).toEqual(expected);
  });
});

describe('positions', () => {
  const bounds = { min: 2, max: 4 };

  it.each<[string, Json, string | undefined]>([
    ['right', { position: 3, queueSize: 3, last: 3, bounds }, undefined],
    ['zero', { position: 0, bounds }, 'position 0 is none'],
    ['behind the end', { position: 4, queueSize: 3, bounds }, 'position 4 of 3'],
    ['further back than before', { position: 3, last: 2, bounds }, 'position 3 after 2'],
    ['too low', { position: 1, bounds }, 'position 1, although 1 others are ahead'],
    ['too high', { position: 5, bounds }, 'position 5, although at most 3 others are ahead'],
  ])('of a customer: %s', (_what, input, expected) => {
    expect(wrongPosition(input)).toBe(expected);
  });

  const before = ['a', 'b', 'c', 'd'];

  it.each<[string, Json, string | undefined]>([
    ['the same', { callId: 'c', position: 3, before, after: before }, undefined],
    ['moved before it was read', { callId: 'c', position: 2, before, after: ['b', 'c', 'd'] }, undefined],
    ['moved after it was read', { callId: 'c', position: 3, before, after: ['b', 'c', 'd'] }, undefined],
    [
      'too high',
      { callId: 'b', position: 3, before, after: before },
      'position 3, in the line of staff 2 before and 2 after',
    ],
    [
      'too low',
      { callId: 'c', position: 1, before, after: ['b', 'c'] },
      'position 1, in the line of staff 3 before and 2 after',
    ],
    ['answered meanwhile', { callId: 'a', position: 0, before, after: ['b', 'c'] }, undefined],
    ['unknown to staff', { callId: 'z', position: 7, before, after: before }, undefined],
  ])('against the line of staff: %s', (_what, input, expected) => {
    expect(wrongAgainstLine(input)).toBe(expected);
  });

  it('are bounded by what is certain, and by what is possible', () => {
    const line = new LineModel(1000);
    const first = line.beginJoin();
    line.endJoin(first);
    const [second, third] = [line.beginJoin(), line.beginJoin()];
    line.endJoin(second);
    line.endJoin(third);
    expect(line.bounds(first, 0)).toEqual({ min: 1, max: 1 });
    // Two joins at the same time: either can be ahead.
    expect(line.bounds(second, 0)).toEqual({ min: 2, max: 3 });
    expect(line.bounds(third, 0)).toEqual({ min: 2, max: 3 });
    line.beginLeaving(first);
    expect(line.bounds(third, 0)).toEqual({ min: 1, max: 3 });
    line.endLeaving(first, 100);
    expect(line.bounds(third, 1099)).toEqual({ min: 1, max: 3 });
    expect(line.bounds(third, 1100)).toEqual({ min: 1, max: 2 });
  });

  it('are bounded in a long line', () => {
    const line = new LineModel(0);
    const places = Array.from({ length: 100 }, () => {
      const place = line.beginJoin();
      line.endJoin(place);
      return place;
    });
    for (const [index, place] of places.entries()) if (index % 3 === 0) line.endLeaving(place, 0);
    const rest = places.filter((_, index) => index % 3 !== 0);
    for (const [index, place] of rest.entries()) {
      expect(line.bounds(place, 0)).toEqual({ min: index + 1, max: index + 1 });
    }
  });
});

const RESULT = {
  target: 'http://127.0.0.1:3000',
  parts: [{ index: 1, count: 2 }],
  customers: 3,
  agents: 1,
  started_at: 5000,
  ended_at: 9000,
  counts: { joined: 3, answered: 2 },
  waits: { 10: 2 },
  steps: { join: { 5: 1, 6: 2 } },
  errors: {},
  limits: [],
  wrong_positions: { count: 0, checked: 9, examples: [] },
  doubled_offers: { count: 0, offers: 2, examples: [] },
  lost_events: { count: 0, expected: 5, examples: [] },
  timeline: [
    { at: 5, waiting: 1 },
    { at: 6, waiting: 2 },
  ],
  loop_delay_ms: 12,
};

it('results of several processes are added up', () => {
  const other = {
    ...RESULT,
    parts: [{ index: 2, count: 2 }],
    ended_at: 9500,
    steps: { join: { 6: 1 }, rate: { 3: 1 } },
    errors: { 'join: 503': 2 },
    lost_events: { count: 1, expected: 4, examples: ['signal'] },
    timeline: [
      { at: 6, waiting: 3 },
      { at: 8, waiting: 0 },
    ],
  };
  expect(mergeResults([RESULT, other])).toMatchObject({
    customers: 6,
    ended_at: 9500,
    counts: { joined: 6, answered: 4 },
    waits: { 10: 4 },
    steps: { join: { 5: 1, 6: 3 }, rate: { 3: 1 } },
    errors: { 'join: 503': 2 },
    lost_events: { count: 1, expected: 9, examples: ['signal'] },
    timeline: [
      { at: 5, waiting: 1 },
      { at: 6, waiting: 5 },
      { at: 8, waiting: 2 },
    ],
  });
  expect(() => mergeResults([RESULT, { ...other, target: 'http://other' }])).toThrow('different targets');
});

it.each<[string, Json, string[]]>([
  ['nothing', {}, []],
  ['wrong positions', { wrong_positions: { count: 1 } }, ['1 positions were wrong.']],
  ['doubled offers', { doubled_offers: { count: 2 } }, ['2 offers were doubled.']],
  ['lost events', { lost_events: { count: 3 } }, ['3 events were lost.']],
  ['errors', { errors: { 'join: 503': 2, 'rate: 500': 1 } }, ['3 errors.']],
  ['a limit', { limits: ['Raise it.'] }, ['Raise it.']],
  ['that nobody was answered', { counts: { answered: 0 } }, ['No customer was answered.']],
])('a result fails by %s', (_what, change, expected) => {
  expect(problemsOf({ ...RESULT, ...change })).toEqual(expected);
});

it('percentiles are exact to 2.5 %', () => {
  const histogram = new Histogram();
  for (let ms = 1; ms <= 1000; ms++) histogram.record(ms);
  for (const [share, expected] of [
    [0.5, 500],
    [0.95, 950],
    [1, 1000],
  ] as const) {
    expect(Math.abs(histogram.percentile(share) / expected - 1)).toBeLessThan(0.03);
  }
});

describe('options', () => {
  const NUMBERS = ['--customers', '7', '--agents', '3', '--minutes', '1'];
  const parse = (...args: string[]) => parseOptions([...NUMBERS, ...args], { LOADTEST_TOKEN: 'token' });

  it('have defaults, and the share of a part', () => {
    expect(parse('--target', 'http://localhost:3000/')).toMatchObject({
      url: 'http://localhost:3000',
      customers: 7,
      joinRate: 10,
      login: { token: 'token' },
    });
    expect(parse('--target', 'http://[::1]:3000', '--part', '1/2')).toMatchObject({
      customers: 4,
      agents: 2,
    });
    expect(parse('--target', 'http://127.0.0.2', '--part', '2/2')).toMatchObject({ customers: 3, agents: 1 });
  });

  it.each([
    [['--target', 'https://calls.example.com'], 'calls.example.com is not this machine'],
    [['--target', 'http://127.0.0.1.example.com'], 'is not this machine'],
    [['--target', 'ftp://localhost'], 'is no URL'],
    [[], '--target is missing'],
    [['--target', 'http://localhost', '--part', '3/2'], '--part is for example'],
    [['--target', 'http://localhost', '--part', '9/9'], '3 cannot be shared by 9 parts'],
    [['--target', 'http://localhost', '--departments', '4'], 'Each department needs an agent'],
    [['--target', 'http://localhost', '--join-rate', '0'], '--join-rate must be a number above 0'],
    [['--target', 'http://localhost', '--custmers', '1'], "Unknown option '--custmers'"],
  ])('are refused: %s', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('allow another machine on purpose', () => {
    expect(parse('--target', 'https://calls.example.com', '--allow-remote')).toMatchObject({
      url: 'https://calls.example.com',
    });
  });

  it('need a login', () => {
    expect(() => parseOptions([...NUMBERS, '--target', 'http://localhost'], {})).toThrow('LOADTEST_PASSWORD');
  });
});

it.each([
  ['/api/v1/call/token/join', 429, 'rate_limited', 'PUBLIC_RATE_LIMIT'],
  ['/api/auth/login', 429, 'rate_limited', 'AUTH_ADDRESS_RATE_LIMIT'],
  ['/api/v1/users', 429, 'rate_limited', 'API_RATE_LIMIT'],
  ['/api/v1/call/token/join', 422, 'too_many_waiting', 'QUEUE_MAX_PER_ADDRESS'],
  ['/api/v1/users', 403, 'plan_limit', 'tenant set-plan'],
  ['', undefined, 'rate_limited', 'SOCKET_RATE_LIMIT'],
  ['/api/v1/users', 503, 'unavailable', undefined],
])('the limit of %s by %s %s names %s', (path, status, code, expected) => {
  const sentence = limitSentence(path, status, code, 20);
  if (expected) expect(sentence).toContain(expected);
  else expect(sentence).toBeUndefined();
});
