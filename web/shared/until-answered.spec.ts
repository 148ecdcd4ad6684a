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

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('untilAnswered', () => {
  it('repeats a request without an answer at once, and waits twice as long for each, up to 32 seconds', async () => {
    const send = sendAfter('timeout', 'timeout', 'timeout', 'timeout');
    await expect(untilAnswered(send, () => ({}), FIRST_MS)).resolves.toBe('answer');
    expect(timeoutsOf(send)).toEqual([4000, 8000, 16_000, 32_000, 32_000]);
  });

  it.each(['unavailable', 'rate_limited'])('waits before it repeats a request that is %s', async (code) => {
    const send = sendAfter(code, code);
    const answer = untilAnswered(send, () => ({}), FIRST_MS);
    await jest.advanceTimersByTimeAsync(FIRST_MS - 1);
    expect(send).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(send).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(2 * FIRST_MS);
    await expect(answer).resolves.toBe('answer');
  });

  it.each(['disconnected', 'not_found', 'forbidden'])('ends when it is answered %s', async (code) => {
    const send = sendAfter('timeout', code);
    await expect(untilAnswered(send, () => ({}), FIRST_MS)).rejects.toMatchObject({ code });
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('ends when nobody needs the answer any more', async () => {
    const send = sendAfter('timeout', 'timeout');
    const payloads = [{ call_id: 'c' }, null];
    await expect(untilAnswered(send, () => payloads.shift(), FIRST_MS)).rejects.toThrow(SocketError);
    expect(send.mock.calls).toEqual([[{ call_id: 'c' }, FIRST_MS]]);
  });
});
