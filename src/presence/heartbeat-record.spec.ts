import { type ClockStep, type Heartbeat, HeartbeatRecord } from './heartbeat-record';

const GAP = 6000;
const GRACE = 10_000;
const START_GRACE = 4000;

const newRecord = () => new HeartbeatRecord(GAP, GRACE, START_GRACE);
/** The database's clock shows `offset` more than this process's. */
const beat = (at: number, offset = 0, ms = 0): Heartbeat => ({
  sentMs: at - ms,
  acknowledgedMs: at,
  databaseMs: at + offset,
});

it.each<[string, number[], number, boolean]>([
  ['before the first heartbeat', [], 0, false],
  ['right after the start', [0, 3000], 3999, false],
  ['when others had time since the start', [0, 3000], 4000, true],
  ['while heartbeats arrive', [0, 3000, 6000], 8000, true],
  ['after a single slow one', [0, 6000], 7000, true],
  ['during an outage', [0, 3000], 9001, false],
  ['right after an outage', [0, 3000, 33_000], 33_001, false],
  ['until the others had time', [0, 33_000, 36_000, 39_000, 42_000], 42_999, false],
  ['when the others had time', [0, 33_000, 36_000, 39_000, 42_000], 43_000, true],
  ['after a second outage', [0, 33_000, 36_000, 46_000], 46_500, false],
])('judges others: %s', (_when, heartbeats, now, expected) => {
  const record = newRecord();
  for (const at of heartbeats) record.record(beat(at));
  expect(record.canJudgeOthers(now)).toBe(expected);
});

it.each<[string, Heartbeat, ClockStep | undefined]>([
  ['goes on evenly', beat(6000), undefined],
  ['is corrected by less than a second', beat(6000, 900), undefined],
  ['is set forward', beat(6000, 1100), 'forward'],
  ['is set forward by an hour', beat(6000, 3_600_000), 'forward'],
  ['is corrected back', beat(6000, -900), undefined],
  ['is set back', beat(6000, -1100), 'back'],
  ['is read early during a slow heartbeat', beat(6000, -2900, 2000), undefined],
  ['is set back before a slow heartbeat', beat(6000, -3100, 2000), 'back'],
])('a clock of the database that %s', (_what, next, expected) => {
  const record = newRecord();
  for (const at of [0, 3000]) record.record(beat(at));
  expect(record.record(next)).toBe(expected);
  expect(record.canJudgeOthers(6001)).toBe(expected === undefined);
  expect(record.canJudgeOthers(6000 + GRACE)).toBe(false);
  for (const at of [9000, 12_000, 15_000])
    record.record({ ...beat(at), databaseMs: next.databaseMs + at - 6000 });
  expect(record.canJudgeOthers(6000 + GRACE)).toBe(true);
});

it('knows how late it can be for the database', () => {
  const record = newRecord();
  expect(record.maxDatabaseMs(0)).toBe(-Infinity);
  record.record(beat(3000, 500, 200));
  expect(record.maxDatabaseMs(4000)).toBe(3500 + 1200 + 1000);
});
