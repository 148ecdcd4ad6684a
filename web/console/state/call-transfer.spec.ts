import type { StaffSocket } from '../../shared/socket';
import { CallTransfer } from './call-transfer';
import type { StaffSession } from './staff-session';

const EXPIRES_AT = '2026-01-31T12:00:30Z';

const missing = () => ({ transfer_offer: null });
const failing = () => {
  throw new Error('There is no connection');
};

/** A transfer by a service whose answers a test gives, which ask an agent until `EXPIRES_AT`. */
async function askedTransfer(answers: (() => object)[]) {
  const offer = { user_id: 'ana', expires_at: EXPIRES_AT };
  const api = {
    POST: async () => ({ data: { data: { offer } }, response: new Response() }),
    GET: async () => ({ data: { data: answers.shift()?.() }, response: new Response() }),
  };
  const socket = { on: () => () => undefined };
  const transfer = new CallTransfer(
    'call',
    { api } as unknown as StaffSession,
    socket as unknown as StaffSocket,
  );
  await transfer.start({});
  return transfer;
}

describe('a transfer whose end was missed', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-01-31T12:00:00Z') }));
  afterEach(() => jest.useRealTimers());

  it.each([
    ['is over at its time', [missing], 33_000],
    ['is asked for again after a failure', [failing, missing], 35_000],
  ])('%s', async (_, answers, time) => {
    const transfer = await askedTransfer(answers);
    await jest.advanceTimersByTimeAsync(29_000);
    expect(transfer.state.value).toMatchObject({ status: 'asked', user_id: 'ana' });
    await jest.advanceTimersByTimeAsync(time - 29_000);
    expect(transfer.state.value).toEqual({ status: 'refused', user_id: 'ana', how: null });
  });

  it('is not asked for once the call is closed', async () => {
    const get = jest.fn(missing);
    const transfer = await askedTransfer([get]);
    transfer.close();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(get).not.toHaveBeenCalled();
  });
});
