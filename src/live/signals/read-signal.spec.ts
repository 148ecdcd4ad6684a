import fc from 'fast-check';
import { InputPipe } from '../../platform/http/input/input.pipe';
import { SignalDto } from '../live.dto';
import { readSignal } from './read-signal';

const CALL = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';
const description = { type: 'offer', sdp: 'v=0\r\n' };
const candidate = {
  candidate: 'candidate:1 1 udp',
  sdpMid: '0',
  sdpMLineIndex: 0,
  usernameFragment: 'a1b2',
};

/** What the gateway relays. @throws the ApiError of a refused payload */
async function readByDto(payload: unknown) {
  const metadata = { type: 'body' as const, metatype: SignalDto };
  const dto = (await new InputPipe().transform(payload, metadata)) as SignalDto;
  const body = dto.description ? { description: dto.description } : { candidate: dto.candidate };
  return JSON.parse(JSON.stringify({ call_id: dto.call_id ?? undefined, body })) as object;
}

/** Checks that SignalDto accepts the payload, too, if readSignal does. */
async function expectSameByDto(payload: object): Promise<void> {
  const signal = readSignal(payload);
  if (signal) expect(JSON.parse(JSON.stringify(signal))).toEqual(await readByDto(payload));
}

describe('readSignal', () => {
  it.each<[string, object]>([
    ['a description', { description }],
    ['a description without sdp', { description: { type: 'rollback' } }],
    ['a description with null for sdp', { description: { type: 'answer', sdp: null } }],
    ['a candidate', { candidate }],
    ['a candidate with null', { candidate: { ...candidate, sdpMLineIndex: null, usernameFragment: null } }],
    ['the end of candidates', { candidate: { candidate: '' } }],
    ['an empty candidate', { candidate: {} }],
    ['a call', { call_id: CALL, candidate }],
    ['null for the others', { call_id: null, description: null, candidate }],
  ])('reads %s as SignalDto does', async (_title, payload) => {
    const signal = readSignal(payload);
    expect(signal).toBeDefined();
    expect(JSON.parse(JSON.stringify(signal))).toEqual(await readByDto(payload));
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'offer'],
    ['a list', [{ candidate }]],
    ['neither', {}],
    ['both', { description, candidate }],
    ['a description without a type', { description: { sdp: 'v=0' } }],
    ['an unknown type', { description: { type: 'offers' } }],
    ['a number as sdp', { description: { type: 'offer', sdp: 1 } }],
    ['a list as description', { description: [] }],
    ['an index that is negative', { candidate: { ...candidate, sdpMLineIndex: -1 } }],
    ['an index that is no integer', { candidate: { ...candidate, sdpMLineIndex: 0.5 } }],
    ['an index that is a text', { candidate: { ...candidate, sdpMLineIndex: '0' } }],
    ['NUL', { candidate: { candidate: 'a\0b' } }],
    ['a number as call', { call_id: 7, candidate }],
    ['an unknown field', { candidate, at: 1 }],
    ['an unknown field of the candidate', { candidate: { ...candidate, foundation: '1' } }],
    ['a field with the name of a method', { candidate: { toString: 'a' } }],
  ])('leaves %s to SignalDto', (_title, payload) => expect(readSignal(payload)).toBeUndefined());

  it('never accepts what SignalDto refuses, and reads the same', async () => {
    const value = fc.oneof(
      fc.constantFrom('', '0', 'offer', 'answer', 'a\0', null, 0, 3, -1, 1.5, true, [], {}),
      fc.string(),
    );
    const fields = (names: string[]) =>
      fc.dictionary(fc.constantFrom(...names, 'other'), value, { noNullPrototype: true });
    const payloads = fc.record(
      {
        call_id: fc.constantFrom(CALL, null),
        description: fc.oneof(fields(['type', 'sdp']), value),
        candidate: fc.oneof(fields(Object.keys(candidate)), value),
        other: value,
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    await fc.assert(fc.asyncProperty(payloads, expectSameByDto), { numRuns: 500 });
  });
});
