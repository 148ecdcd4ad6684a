import { SocketError, type CustomerSocket } from '../../shared/socket';
import { LiveCall } from './live-call';

/** A socket that answers as it is told. */
function liveCall(answers: (() => Promise<unknown>)[]) {
  const requests: string[] = [];
  const payloads: unknown[] = [];
  const listeners = new Map<string, (payload: object) => void>();
  const emit = (request: string, payload?: object) => {
    requests.push(request);
    payloads.push(payload);
    return (answers.shift() ?? (() => Promise.resolve()))();
  };
  const socket = { connected: true, on: listeners.set.bind(listeners), emit, close: () => undefined };
  const live = new LiveCall({
    token: () => 'token',
    session: 's',
    absenceSeconds: 30,
    newId: () => '1',
    connect: () => socket as unknown as CustomerSocket,
  });
  live.open();
  return { live, requests, payloads, listeners };
}

const refused = (code: string) => () => Promise.reject(new SocketError(code, ''));

describe('takeOver', () => {
  const { signal } = new AbortController();

  it('is repeated until there is a connection: the page that was there before would get the signals', async () => {
    const { live, requests } = liveCall([refused('disconnected'), refused('timeout')]);
    await live.takeOver(signal);
    expect(requests).toEqual(['take_over', 'take_over', 'take_over']);
  });

  it('is given up when the service refuses, or the call is not shown any more', async () => {
    const { live, requests } = liveCall([refused('invalid_state')]);
    await live.takeOver(signal);
    await live.takeOver(AbortSignal.abort());
    expect(requests).toEqual(['take_over']);
  });
});

describe('a token that expires', () => {
  it('is told, and the next one is sent on the same connection', async () => {
    const { live, requests, payloads, listeners } = liveCall([refused('timeout')]);
    const told = jest.fn();
    live.onExpiring = told;
    listeners.get('token_expiring')?.({});
    expect(told).toHaveBeenCalledTimes(1);
    live.open();
    expect(requests).toEqual(['authenticate']);
    expect(payloads).toEqual([{ token: 'token' }]);
  });
});
