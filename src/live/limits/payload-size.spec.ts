import { isSmallPayload, weightOf } from './payload-size';

const candidate = { candidate: 'candidate:1 1 udp', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'a1b2' };
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, number]));
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('isSmallPayload', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a long string', 'x'.repeat(100_000)],
    ['a candidate', { call_id: '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', candidate }],
    ['a long description', { description: { type: 'offer', sdp: 'x'.repeat(65_536) } }],
    ['32 members', members(32)],
    ['4 levels', nested(4)],
  ])('accepts %s', (_title, payload) => expect(isSmallPayload(payload)).toBe(true));

  it.each<[string, unknown]>([
    ['33 members', members(33)],
    ['33 members on two levels', { ...members(16), inner: members(16) }],
    ['15,000 members', members(15_000)],
    ['a long list', Array.from({ length: 33 }, () => 0)],
    ['5 levels', nested(5)],
    ['5,000 levels', nested(5000)],
    ['a long key', { ['k'.repeat(101)]: 1 }],
    ['binary data', { candidate: Buffer.from('abc') }],
  ])('refuses %s', (_title, payload) => expect(isSmallPayload(payload)).toBe(false));
});

/** A signal with that many characters. */
const signal = (length: number) => ({ description: { type: 'offer', sdp: 'x'.repeat(length - 5) } });

describe('weightOf', () => {
  it.each<[string, unknown, number]>([
    ['nothing', undefined, 1],
    ['a candidate', candidate, 1],
    ['8,192 characters', signal(8192), 1],
    ['8,193 characters', signal(8193), 2],
    ['the longest signal', signal(65_536), 8],
    ['the arguments of an event with its acknowledgement', [signal(16_385), () => {}], 3],
  ])('of %s', (_title, payload, weight) => expect(weightOf(payload)).toBe(weight));
});
