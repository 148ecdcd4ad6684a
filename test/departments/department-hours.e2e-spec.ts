import { TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const hoursOf = (id: string, query = '') => tenant.owner.api.get(`/api/v1/departments/${id}/hours${query}`);

const NIGHTS = {
  timezone: 'Europe/Berlin',
  weekly: { sat: [['22:00', '24:00']], sun: [['00:00', '04:00']] },
  exceptions: [{ date: '2026-10-26', intervals: [['12:00', '13:00']], label: 'Test' }],
};

describe('the resolved hours of a department', () => {
  it('are joined across midnight and consider changes of clocks and exceptions', async () => {
    const { id } = await tenant.department({ opening_hours: NIGHTS });
    const { body } = await hoursOf(id, '?from=2026-10-24&to=2026-10-26');
    expect(body.data).toEqual({
      timezone: 'Europe/Berlin',
      intervals: [
        // Seven hours: clocks go back at three.
        { opens_at: '2026-10-24T20:00:00.000Z', closes_at: '2026-10-25T03:00:00.000Z' },
        { opens_at: '2026-10-26T11:00:00.000Z', closes_at: '2026-10-26T12:00:00.000Z' },
      ],
    });
  });

  it('are the whole range for a department without hours, in the zone of the company', async () => {
    const { id } = await tenant.department();
    const { body } = await hoursOf(id, '?from=2026-10-24T00:00Z&to=2026-10-24T06:00-03:00');
    expect(body.data).toEqual({
      timezone: 'America/Sao_Paulo',
      intervals: [{ opens_at: '2026-10-24T00:00:00.000Z', closes_at: '2026-10-24T09:00:00.000Z' }],
    });
  });

  it('are those of the next seven days by default', async () => {
    test.clock.stop();
    const now = test.clock.now().toISOString();
    const [one] = (await hoursOf((await tenant.department()).id)).body.data.intervals;
    test.clock.reset();
    expect([one.opens_at, Date.parse(one.closes_at) - Date.parse(now)]).toEqual([now, 7 * 86_400_000]);
  });

  it.each(['?from=x', '?to=2026-13-01', '?from=2026-10-24&to=2026-10-23', '?from=2026-01-01&to=2026-12-31'])(
    'are refused for %s',
    async (query) => {
      const { id } = await tenant.department({ opening_hours: NIGHTS });
      expectFailure(await hoursOf(id, query), 400, { code: 'bad_request' });
    },
  );

  it('are unknown to other tenants', async () => {
    const other = await TestTenant.register(test);
    const { id } = await other.department({ opening_hours: NIGHTS });
    expectFailure(await hoursOf(id), 404, { code: 'not_found' });
  });
});
