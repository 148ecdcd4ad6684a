import { HeartbeatRecord } from './heartbeat-record';

const GAP = 6000;
const GRACE = 10_000;

it.each<[string, number[], number, boolean]>([
  ['before the first heartbeat', [], 0, false],
  ['at once after the start, when others may have died with this instance', [0], 1, true],
  ['while heartbeats arrive', [0, 3000, 6000], 8000, true],
  ['after a single slow one', [0, 6000], 7000, true],
  ['during an outage', [0, 3000], 9001, false],
  ['right after an outage', [0, 3000, 33_000], 33_001, false],
  ['until the others had time', [0, 33_000, 36_000, 39_000, 42_000], 42_999, false],
  ['when the others had time', [0, 33_000, 36_000, 39_000, 42_000], 43_000, true],
  ['after a second outage', [0, 33_000, 36_000, 46_000], 46_500, false],
])('%s', (_when, heartbeats, now, expected) => {
  const record = new HeartbeatRecord(GAP, GRACE);
  for (const at of heartbeats) record.record(at);
  expect(record.canJudgeOthers(now)).toBe(expected);
});
