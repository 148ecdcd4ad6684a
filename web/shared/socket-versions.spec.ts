import { SocketVersions } from './socket-versions';

const of = (version?: number) => ({ call_id: 'call', version });

describe('SocketVersions', () => {
  let versions: SocketVersions;
  beforeEach(() => {
    versions = new SocketVersions();
    versions.reset('call', 3);
  });

  it.each([
    ['call_assigned', 2, 'ignore'],
    ['call_assigned', 3, 'deliver'],
    ['call_assigned', 4, 'deliver'],
    ['call_assigned', 5, 'deliver_and_resync'],
    ['queue_position', 2, 'ignore'],
    ['signal', 2, 'deliver'],
    ['signal', 3, 'deliver'],
    ['signal', 4, 'deliver_and_resync'],
    ['chat_message', 2, 'deliver'],
    ['peer_ready', 4, 'deliver_and_resync'],
    ['queue_closing', undefined, 'deliver'],
  ] as const)('%s of version %p, after a snapshot of version 3: %s', (event, version, verdict) => {
    expect(versions.check(event, of(version))).toBe(verdict);
  });

  it('counts on from an event', () => {
    versions.check('call_assigned', of(4));
    expect(versions.check('call_started', of(5))).toBe('deliver');
    expect(versions.check('call_ended', of(7))).toBe('deliver_and_resync');
    expect(versions.check('call_updated', of(6))).toBe('ignore');
  });

  it('still misses the event of a version that a signal has shown', () => {
    versions.check('signal', of(4));
    expect(versions.check('call_started', of(4))).toBe('deliver');
  });

  it('begins with the first event of a call that no snapshot had', () => {
    expect(versions.check('call_updated', { call_id: 'other', version: 9 })).toBe('deliver');
    expect(versions.check('call_updated', { call_id: 'other', version: 8 })).toBe('ignore');
  });

  it('believes a snapshot with a lower version', () => {
    versions.reset('call', 1);
    expect(versions.check('call_assigned', of(2))).toBe('deliver');
  });
});
