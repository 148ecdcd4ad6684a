import { IceServers } from './ice-servers';

const A = [{ urls: 'turn:a' }];
const B = [{ urls: 'turn:b' }];

describe('IceServers', () => {
  let now = 0;
  const make = (fetchServers: () => Promise<RTCIceServer[]>) => new IceServers(fetchServers, () => now);
  beforeEach(() => {
    now = 0;
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('fetches again after 10 s', async () => {
    const fetchServers = jest.fn().mockResolvedValueOnce(A).mockResolvedValueOnce(B);
    const servers = make(fetchServers);
    await expect(servers.get()).resolves.toBe(A);
    now = 9999;
    await expect(servers.get()).resolves.toBe(A);
    now = 10_000;
    await expect(servers.get()).resolves.toBe(B);
    expect(servers.known).toBe(B);
  });

  it('shares one request', async () => {
    const fetchServers = jest.fn().mockResolvedValue(A);
    const servers = make(fetchServers);
    await Promise.all([servers.refresh(), servers.get(), servers.refresh()]);
    expect(fetchServers).toHaveBeenCalledTimes(1);
  });

  it('keeps the last ones if the service fails or does not answer in 3 s', async () => {
    const fetchServers = jest.fn().mockResolvedValueOnce(A).mockRejectedValueOnce(new Error('down'));
    const servers = make(fetchServers);
    await servers.get();
    await expect(servers.refresh()).resolves.toBe(A);
    fetchServers.mockReturnValueOnce(new Promise(() => undefined));
    const pending = servers.refresh();
    jest.advanceTimersByTime(3000);
    await expect(pending).resolves.toBe(A);
  });
});
