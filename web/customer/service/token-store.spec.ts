import { hashOf, TokenStore } from './token-store';

class FakeStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

describe('TokenStore', () => {
  it('keeps the token alone, under a hash of the link', () => {
    const storage = new FakeStorage();
    const store = new TokenStore('the-link', () => storage as unknown as Storage);
    store.set('the-token');
    expect([...storage.items]).toEqual([[`vcq:${hashOf('the-link')}`, 'the-token']]);
    expect([...storage.items.keys()].join('')).not.toContain('the-link');
    expect(new TokenStore('the-link', () => storage as unknown as Storage).get()).toBe('the-token');
    expect(new TokenStore('other', () => storage as unknown as Storage).get()).toBeNull();
    store.clear();
    expect(storage.items.size).toBe(0);
    expect(store.get()).toBeNull();
  });

  it('works without storage, until the page is closed', () => {
    const store = new TokenStore('the-link', () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    store.set('the-token');
    expect(store.get()).toBe('the-token');
    store.clear();
    expect(store.get()).toBeNull();
  });

  it('has another hash for every link', () => {
    const hashes = Array.from({ length: 1000 }, (_, index) => hashOf(`link-${index}`));
    expect(new Set(hashes).size).toBe(1000);
    expect(hashes.every((hash) => /^[0-9a-f]{14}$/.test(hash))).toBe(true);
  });
});
