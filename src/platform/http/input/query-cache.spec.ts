import { QueryCache } from './query-cache';

class Query {
  page = 1;
  tags?: string[];
}

class OtherQuery {}

describe('QueryCache', () => {
  let cache: QueryCache;
  let validated: number;

  beforeEach(() => {
    cache = new QueryCache();
    validated = 0;
  });

  const get = (query: object, type: new () => object = Query) =>
    cache.get(type, query, async () => {
      validated++;
      return Object.assign(new type(), query);
    });

  it('validates a query once for each class', async () => {
    expect(await get({ page: '2' })).toEqual({ page: '2' });
    expect(await get({ page: '2' })).toBeInstanceOf(Query);
    expect(await get({ page: '2' }, OtherQuery)).toBeInstanceOf(OtherQuery);
    expect(validated).toBe(2);
  });

  it('tells queries apart by names, values and repeated names', async () => {
    const queries = [{ page: '2' }, { page: '3' }, { size: '2' }, { page: ['2', '3'] }, { page: '2,3' }, {}];
    for (const query of queries) expect(await get(query)).toEqual({ page: 1, ...query });
    expect(validated).toBe(queries.length);
  });

  it('returns an object of its own each time', async () => {
    for (let n = 0; n < 3; n++) {
      const query = (await get({ tags: 'a' })) as Query;
      expect(query.page).toBe(1);
      query.page = 7;
    }
    expect(validated).toBe(1);
  });

  it('validates queries with lists and long ones each time', async () => {
    for (const query of [{ tags: ['a'] }, { tags: 'a'.repeat(500) }]) {
      validated = 0;
      await get(query);
      await get(query);
      expect(validated).toBe(2);
    }
  });

  it('validates an invalid query each time', async () => {
    for (let n = 0; n < 2; n++) {
      const answer = cache.get(Query, { page: 'x' }, () =>
        Promise.reject(new Error('page must be a number')),
      );
      await expect(answer).rejects.toThrow('page must be a number');
    }
  });
});
