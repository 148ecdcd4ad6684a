/** Where this browser keeps the websocket_token of a link: nothing else is stored. */
export class TokenStore {
  private readonly key: string;
  /** Also used where the browser allows no storage, for example in a frame of another site. */
  private token: string | null = null;

  constructor(
    linkToken: string,
    private readonly storage: () => Storage | undefined = () => globalThis.localStorage,
  ) {
    this.key = `vcq:${hashOf(linkToken)}`;
  }

  /** Distinguishes the links of one browser, for example in the names of channels. */
  get name(): string {
    return this.key;
  }

  get(): string | null {
    return this.use((storage) => storage.getItem(this.key)) ?? this.token;
  }

  set(token: string): void {
    this.token = token;
    this.use((storage) => storage.setItem(this.key, token));
  }

  clear(): void {
    this.token = null;
    this.use((storage) => storage.removeItem(this.key));
  }

  private use<Result>(action: (storage: Storage) => Result): Result | undefined {
    try {
      const storage = this.storage();
      return storage && action(storage);
    } catch {
      return undefined;
    }
  }
}

/**
 * 53 bits of the text, as hexadecimal digits (cyrb53, public domain). The link cannot be derived from them: it has 128 random
 * bits. Not SHA-256, because crypto.subtle is asynchronous and missing on pages without TLS.
 */
export function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
