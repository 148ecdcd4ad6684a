import { SocketError, type CustomerSocket } from '../../shared/socket';
import { LiveCall } from './live-call';

/** A socket that answers as it is told. */
function liveCall(answers: (() => Promise<unknown>)[]) {
  const requests: string[] = [];
  const emit = (request: string) => {
    requests.push(request);
    return (answers.shift() ?? (() => Promise.resolve()))();
  };
  const socket = { connected: true, on: () => () => undefined, emit, close: () => undefined };
  const live = new LiveCall({
    token: () => '',
    session: 's',
    absenceSeconds: 30,
    newId: () => '1',
    connect: () => socket as unknown as CustomerSocket,
  });
  live.open();
  return { live, requests };
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
