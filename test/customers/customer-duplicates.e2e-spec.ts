import type { Api, Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const PATH = '/api/v1/customers';

let test: TestApp;
let owner: Api;

/** Customers by name. */
const PEOPLE: Record<string, Json> = {
  a1: { email: 'ana@example.com', phone: '+55 11 91234-5678', metadata: { a: [1] } },
  a2: { email: 'ANA@Example.com', phone: '21 5555-0001' },
  a3: { email: 'other@example.com', phone: '5511912345678', document: '12.abc.345/01de-35' },
  a4: { phone: '(11) 91234-5678' },
  d1: { document: '12ABC34501DE35', email: 'd@example.com' },
  // The same digits as a phone and as a document.
  n1: { phone: '(77) 7', document: '9-9' },
  n2: { phone: '777', document: '99' },
  p1: { phone: '9.9' },
  p2: { phone: '99' },
  // Numbers without their area code.
  l1: { phone: '98765-4321' },
  l2: { phone: '9 8765 4321' },
  // Values without a digit match no other customer.
  x1: { phone: '-', document: '--' },
  x2: { phone: '+', document: '--' },
};

beforeAll(async () => {
  test = await sharedTestApp();
  const tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
  const other = (await TestTenant.register(test)).owner.api;
  for (const [name, input] of Object.entries(PEOPLE)) {
    test.clock.advance(1);
    expectStatus(await owner.post(PATH, { name, ...input }), 201);
    expectStatus(await other.post(PATH, { name, ...input }), 201);
  }
});

afterAll(() => test.close());

const duplicates = async (query = ''): Promise<Json> => {
  const answer = await owner.get(`${PATH}/duplicates?${query}`);
  expectStatus(answer, 200);
  return answer.body;
};

const summarise = ({ reason, value, size, customers }: Json) => [
  reason,
  value,
  size,
  ...customers.map(({ name }: Json) => name),
];

const DOCUMENTS = [
  ['document', '12ABC34501DE35', 2, 'a3', 'd1'],
  ['document', '99', 2, 'n1', 'n2'],
];
const PHONES = [['phone', '+5511912345678', 3, 'a1', 'a3', 'a4']];
const EMAILS = [['email', 'ana@example.com', 2, 'a1', 'a2']];

describe('duplicates', () => {
  it('are customers with the same normalised e-mail, whole phone number or document, the oldest first', async () => {
    const { data, meta } = await duplicates('sort_by=reason&sort_order=asc');
    expect(data.map(summarise)).toEqual([...DOCUMENTS, ...EMAILS, ...PHONES]);
    expect(meta).toEqual({ current_page: 1, page_size: 20, total_pages: 1, total_count: 4 });
  });

  it('contain customers in the same form as GET /customers/:id', async () => {
    const { data } = await duplicates('reason=email');
    expect(data.map(summarise)).toEqual(EMAILS);
    for (const customer of data[0].customers) {
      expect((await owner.get(`${PATH}/${customer.id}`)).body.data).toEqual(customer);
    }
  });

  it.each([
    ['email', EMAILS],
    ['phone', PHONES],
    ['document', DOCUMENTS],
  ])('are filtered by reason: %s', async (reason, groups) => {
    const { data, meta } = await duplicates(`reason=${reason}&sort_by=value&sort_order=asc`);
    expect([data.map(summarise), meta.total_count]).toEqual([groups, groups.length]);
  });

  it.each(['asc', 'desc'])('are paged without repetition or omission, %s', async (order) => {
    for (const column of ['size', 'reason', 'value']) {
      const seen: string[] = [];
      for (let page = 1; page <= 4; page++) {
        const query = `page=${page}&page_size=1&sort_by=${column}&sort_order=${order}`;
        seen.push(...(await duplicates(query)).data.map((group: Json) => summarise(group).join()));
      }
      expect(seen.toSorted()).toEqual(
        [...DOCUMENTS, ...EMAILS, ...PHONES].map((group) => group.join()).toSorted(),
      );
    }
  });

  it.each(['reason=name', 'sort_by=customers', 'sort_by=oldest', 'page=0'])(
    'are rejected with 400 for ?%s',
    async (query) => {
      expectFailure(await owner.get(`${PATH}/duplicates?${query}`), 400);
    },
  );

  it('disappear after a merge, and show at most 20 customers of a group', async () => {
    const api = (await TestTenant.register(test)).owner.api;
    await Promise.all(
      Array.from({ length: 25 }, () => api.post(PATH, { name: 'Same', phone: '(11) 3333-4444' })),
    );
    const [group] = (await api.get(`${PATH}/duplicates`)).body.data;
    expect([group.size, group.customers.length]).toEqual([25, 20]);
    const all = (await api.get(`${PATH}?page_size=100`)).body.data.map(({ id }: Json) => id);
    expectStatus(await api.post(`${PATH}/merge`, { primary_id: all[0], duplicate_ids: all.slice(1) }), 200);
    expect((await api.get(`${PATH}/duplicates`)).body.data).toEqual([]);
  });
});
