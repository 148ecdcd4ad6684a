import { SocketError } from './socket-error';
import { untilAnswered } from './until-answered';

const FIRST_MS = 4000;

/** Fails with these codes, one after another, and then answers. */
function sendAfter(...codes: string[]) {
  return jest.fn(async (_payload: unknown, _timeoutMs: number) => {
    const code = codes.shift();
    if (code) throw new SocketError(code, 'Not now.');
    return 'answer';
  });
}
const timeoutsOf = (send: ReturnType<typeof sendAfter>) => send.mock.calls.map(([, timeoutMs]) => timeoutMs);

let endPause: () => void = () => {};
const pauses: number[] = [];
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    pauses.push(ms);
    endPause = resolve;
  });

beforeEach(() => pauses.splice(0));

const repeat = (send: ReturnType<typeof sendAfter>, payload: () => unknown = () => ({})) =>
  untilAnswered(send, payload, FIRST_MS, pause);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('untilAnswered', () => {
  it('repeats a request without an answer at once, and waits twice as long for each, up to 32 seconds', async () => {
    const send = sendAfter('timeout', 'timeout', 'timeout', 'timeout');
    await expect(repeat(send)).resolves.toBe('answer');
    expect(timeoutsOf(send)).toEqual([4000, 8000, 16_000, 32_000, 32_000]);
    expect(pauses).toEqual([]);
  });

  it.each(['unavailable', 'rate_limited'])('pauses before it repeats a request that is %s', async (code) => {
    const send = sendAfter(code, code);
    const answer = repeat(send);
    await turn();
    expect(send).toHaveBeenCalledTimes(1);
    endPause();
    await turn();
    expect(send).toHaveBeenCalledTimes(2);
    endPause();
    await expect(answer).resolves.toBe('answer');
    for (const [index, longest] of [4000, 8000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(pauses[index]).toBeLessThanOrEqual(longest);
    }
    expect(pauses).toHaveLength(2);
  });

  it.each(['disconnected', 'not_found', 'forbidden'])('ends when it is answered %s', async (code) => {
    const send = sendAfter('timeout', code);
    await expect(repeat(send)).rejects.toMatchObject({ code });
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('ends when the answer is no longer needed', async () => {
    const send = sendAfter('timeout', 'timeout');
    const payloads = [{ call_id: 'c' }, null];
    await expect(repeat(send, () => payloads.shift())).rejects.toThrow(SocketError);
    expect(send.mock.calls).toEqual([[{ call_id: 'c' }, FIRST_MS]]);
  });
});
