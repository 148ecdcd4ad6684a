/** What the page remembers of a call in this tab, also after a reload: the open tab, what was typed, what was read, which devices are on. */
export class CallStorage {
  constructor(
    private readonly callId: string,
    private readonly storage: Storage = sessionStorage,
  ) {}

  read(name: string): string | null {
    const stored = this.storage.getItem(keyOf(name));
    return stored?.startsWith(`${this.callId} `) ? stored.slice(this.callId.length + 1) : null;
  }

  /** What it held of another call is gone. */
  keep(name: string, value: string): void {
    this.storage.setItem(keyOf(name), `${this.callId} ${value}`);
  }
}

const keyOf = (name: string) => `vcq-call-${name}`;
