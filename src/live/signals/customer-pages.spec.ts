import { fake } from '../../../test/support/fake';
import { Clock } from '../../platform/clock/clock';
import type { PeerReadyBroadcast } from '../broadcasts/peer-ready-broadcast';
import type { CallHolder, LiveSocket } from '../socket.types';
import { CustomerPages } from './customer-pages';

const announce = jest.fn();
const pages = new CustomerPages(fake<PeerReadyBroadcast>({ announce }), new Clock());

/** A socket of the page `own`, which has been sent its snapshot. */
function socketOf(data: object = {}) {
  const joined: string[] = [];
  const sent: unknown[] = [];
  const socket = {
    disconnected: false,
    data: {
      kind: 'customer',
      customer: { call_id: '7', tenant_id: 't' },
      page_session: 'own',
      hasSnapshot: true,
      ...data,
    },
    join: (room: string) => void joined.push(room),
    emit: (event: string, { session, version }: CallHolder) => void sent.push([event, session, version]),
  };
  return { socket: fake<LiveSocket>(socket), joined, sent };
}

const holders = (...changes: [session: string | null, version: number][]): CallHolder[] =>
  changes.map(([session, version]) => ({ session, version }));

describe('CustomerPages.setHolder', () => {
  it.each<[string, CallHolder[], unknown[], string[]]>([
    ['says nothing while all pages have the call', holders([null, 1], [null, 2]), [], []],
    ['informs a page that another one has the call', holders(['b', 2]), [['taken_over', 'b', 2]], []],
    ['informs it once', holders(['b', 2], ['b', 2], ['b', 5]), [['taken_over', 'b', 2]], []],
    ['puts the page that has the call into its room', holders(['own', 2]), [], ['holder:7:own']],
    ['ignores a change that is older', holders(['own', 4], ['b', 3]), [], ['holder:7:own']],
    [
      'informs it of each further page',
      holders(['b', 2], ['c', 3]),
      [
        ['taken_over', 'b', 2],
        ['taken_over', 'c', 3],
      ],
      [],
    ],
  ])('%s', (_title, changes, sent, joined) => {
    const page = socketOf();
    for (const holder of changes) pages.setHolder(page.socket, holder);
    expect(page).toMatchObject({ sent, joined });
  });

  it('sends nothing before the snapshot, after which the socket is placed', () => {
    const page = socketOf({ hasSnapshot: false });
    for (const holder of holders(['b', 2], ['c', 3])) pages.setHolder(page.socket, holder);
    expect(page.sent).toEqual([]);
    pages.place(page.socket);
    expect(page.sent).toEqual([['taken_over', 'c', 3]]);
  });
});

describe('CustomerPages.announce', () => {
  it.each<[string, object, 'queued' | 'assigned' | 'active' | 'completed', boolean]>([
    ['a page of an assigned call', {}, 'assigned', true],
    ['a page of an active call', { holder: { session: null, version: 1 } }, 'active', true],
    ['the page that has the call', { holder: { session: 'own', version: 1 } }, 'active', true],
    ['not another page', { holder: { session: 'b', version: 1 } }, 'active', false],
    ['not a page that waits', {}, 'queued', false],
    ['not a page of a call that has ended', {}, 'completed', false],
    ['not a socket of staff', { kind: 'staff' }, 'active', false],
  ])('announces %s', async (_title, data, status, expected) => {
    announce.mockClear();
    await pages.announce(socketOf(data).socket, status);
    expect(announce.mock.calls).toEqual(expected ? [['t', '7']] : []);
  });
});
