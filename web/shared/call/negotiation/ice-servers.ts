const FRESH_MS = 10_000;
const TIMEOUT_MS = 3000;

/** Credentials of the relay: fresh ones for each attempt to connect, the last ones if the service does not answer. */
export class IceServers {
  private last: RTCIceServer[] = [];
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private pending: Promise<RTCIceServer[]> | null = null;

  constructor(
    private readonly fetchServers: () => Promise<RTCIceServer[]>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Those that were fetched last. */
  get known(): RTCIceServer[] {
    return this.last;
  }

  async get(): Promise<RTCIceServer[]> {
    if (this.now() - this.fetchedAt < FRESH_MS) return this.last;
    return this.refresh();
  }

  /** Repeated calls share one request. */
  refresh(): Promise<RTCIceServer[]> {
    this.pending ??= this.fetch().finally(() => (this.pending = null));
    return this.pending;
  }

  private async fetch(): Promise<RTCIceServer[]> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, TIMEOUT_MS, null);
    });
    // Also those that come later are known then.
    const fetching = this.fetchServers().then(
      (servers) => this.keep(servers),
      () => undefined,
    );
    await Promise.race([fetching, timeout]);
    clearTimeout(timer);
    return this.last;
  }

  private keep(servers: RTCIceServer[]): void {
    this.last = servers;
    this.fetchedAt = this.now();
  }
}
