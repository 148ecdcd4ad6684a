import { Clock } from '../clock/clock';
import { RefreshingCache } from './refreshing-cache';

interface Value {
  text: string;
}

const TTL_MS = 2000;
const REFRESH_MS = 1200;
const COLLECT_MS = 200;

let reads: string[][];
let read: (keys: string[]) => Promise<Map<string, Value>>;
let cache: RefreshingCache<Value>;

beforeEach(() => {
  jest.useFakeTimers();
  reads = [];
  read = async (keys) => new Map(keys.map((key) => [key, { text: `${key} again` }]));
  cache = new RefreshingCache({
    max: 10,
    ttlMs: TTL_MS,
    refreshMs: REFRESH_MS,
    clock: new Clock(),
    readAll: (keys) => {
      reads.push(keys);
      return read(keys);
    },
  });
  cache.set('one', { text: 'one' });
  cache.set('other', { text: 'other' });
});

afterEach(() => jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('RefreshingCache', () => {
  it('reads the values that are used together before they expire, and returns the old ones meanwhile', async () => {
    await pass(REFRESH_MS);
    expect([cache.get('one')?.text, cache.get('other')?.text]).toEqual(['one', 'other']);
    await pass(COLLECT_MS - 1);
    expect([cache.get('one')?.text, reads]).toEqual(['one', []]);
    await pass(1);
    expect(reads).toEqual([['one', 'other']]);
    expect([cache.get('one')?.text, cache.get('other')?.text]).toEqual(['one again', 'other again']);
    await pass(TTL_MS);
    expect(cache.get('one')?.text).toBe('one again');
    await pass(1);
    expect(cache.get('one')).toBeUndefined();
  });

  it('reads a value at most once in this time', async () => {
    for (let ms = 0; ms < 10 * TTL_MS; ms += 100) {
      expect(cache.get('one')).toBeDefined();
      await pass(100);
    }
    expect(reads.length).toBeLessThanOrEqual(Math.ceil((10 * TTL_MS) / (REFRESH_MS + COLLECT_MS)));
  });

  it('reads a value earlier for a caller that accepts only younger ones', async () => {
    const maxAgeMs = TTL_MS / 2;
    await pass((REFRESH_MS * maxAgeMs) / TTL_MS - 1);
    expect(cache.get('one', maxAgeMs)?.text).toBe('one');
    await pass(COLLECT_MS);
    expect(reads).toEqual([]);
    expect(cache.get('one', maxAgeMs)?.text).toBe('one');
    await pass(COLLECT_MS);
    expect([cache.get('one', maxAgeMs)?.text, reads]).toEqual(['one again', [['one']]]);
    await pass(maxAgeMs);
    expect(cache.get('one', maxAgeMs)?.text).toBe('one again');
    await pass(1);
    expect([cache.get('one', maxAgeMs), cache.get('one')?.text]).toEqual([undefined, 'one again']);
  });

  it('lets a value expire after the clock was set back, too', async () => {
    jest.setSystemTime(Date.now() - 300_000);
    await pass(TTL_MS + 1);
    expect(cache.get('one')).toBeUndefined();
  });

  it('reads a value that is not stored, and stores it', async () => {
    expect((await cache.read('new'))?.text).toBe('new again');
    expect([cache.get('new')?.text, (await cache.read('new'))?.text]).toEqual(['new again', 'new again']);
    expect(reads).toEqual([['new']]);
    read = async () => new Map();
    expect(await cache.read('unknown')).toBeUndefined();
  });

  it('does not store a value that was removed while it was read', async () => {
    const reading = Promise.withResolvers<Map<string, Value>>();
    read = () => reading.promise;
    const found = cache.read('new');
    cache.delete('new');
    reading.resolve(new Map([['new', { text: 'old' }]]));
    expect((await found)?.text).toBe('old');
    expect(cache.get('new')).toBeUndefined();
  });

  it('does not read values that are not used', async () => {
    cache.get('one');
    await pass(TTL_MS);
    expect(cache.get('one')?.text).toBe('one');
    await pass(1);
    expect([cache.get('one'), reads]).toEqual([undefined, []]);
  });

  it('counts the age of a value from the moment before it was read', async () => {
    await pass(REFRESH_MS);
    cache.get('one');
    read = async (keys) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return new Map(keys.map((key) => [key, { text: 'late' }]));
    };
    await pass(COLLECT_MS + 500);
    expect(cache.get('one')?.text).toBe('late');
    await pass(TTL_MS - 500);
    expect(cache.get('one')?.text).toBe('late');
    await pass(1);
    expect(cache.get('one')).toBeUndefined();
  });

  it.each<[string, () => void, string | undefined]>([
    ['was removed', () => cache.delete('one'), undefined],
    ['was removed with others', () => cache.deleteWhere(({ text }) => text === 'one'), undefined],
    ['was replaced', () => cache.set('one', { text: 'new' }), 'new'],
  ])('does not store what it reads if the value %s meanwhile', async (_title, change, text) => {
    const reading = Promise.withResolvers<Map<string, Value>>();
    read = () => reading.promise;
    await pass(REFRESH_MS);
    cache.get('one');
    await pass(COLLECT_MS);
    change();
    reading.resolve(new Map([['one', { text: 'old' }]]));
    await pass(0);
    expect(cache.get('one')?.text).toBe(text);
  });

  it('removes a value that is not found again', async () => {
    read = async () => new Map();
    await pass(REFRESH_MS);
    cache.get('one');
    await pass(COLLECT_MS);
    expect(cache.get('one')).toBeUndefined();
  });

  it('lets a value expire that cannot be read', async () => {
    read = () => Promise.reject(new Error('no connection'));
    await pass(REFRESH_MS);
    cache.get('one');
    await pass(TTL_MS - REFRESH_MS);
    expect(cache.get('one')?.text).toBe('one');
    await pass(1);
    expect(cache.get('one')).toBeUndefined();
  });
});
