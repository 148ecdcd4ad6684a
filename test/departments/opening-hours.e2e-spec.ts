import { Timezones } from '../../src/tenancy/timezones';
import { TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import type { Api, Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DEPARTMENTS = '/api/v1/departments';

let test: TestApp;
let tenant: TestTenant;
let owner: Api;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  owner = tenant.owner.api;
});

afterAll(() => test.close());

const MORNING = ['09:00', '12:00'];
const AFTERNOON = ['13:00', '24:00'];
const CLOSED_WEEK = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

const closed = (date: string): Json => ({ date, intervals: [] });

describe('the opening hours of a department', () => {
  it('are stored sorted and complete, with the zone as it was sent, and can be removed', async () => {
    const sent = {
      timezone: 'america/new_york',
      weekly: { mon: [AFTERNOON, MORNING], tue: null, sun: [] },
      exceptions: [
        { date: '2026-12-31', intervals: [AFTERNOON, MORNING], label: ' Last day ' },
        { date: '2026-12-25', intervals: [] },
      ],
    };
    const stored = {
      timezone: 'america/new_york',
      weekly: { ...CLOSED_WEEK, mon: [MORNING, AFTERNOON] },
      exceptions: [
        { date: '2026-12-25', intervals: [], label: null },
        { date: '2026-12-31', intervals: [MORNING, AFTERNOON], label: 'Last day' },
      ],
    };
    const created = await tenant.department({ opening_hours: sent, on_close: 'end' });
    expect(created).toMatchObject({ opening_hours: stored, on_close: 'end' });
    const path = `${DEPARTMENTS}/${created.id}`;
    expect((await owner.get(path)).body.data).toEqual(created);
    const minimal = await owner.put(path, { opening_hours: { weekly: {} } });
    expect(minimal.body.data.opening_hours).toEqual({ timezone: null, weekly: CLOSED_WEEK, exceptions: [] });
    const removed = await owner.put(path, { opening_hours: null, on_close: 'keep' });
    expect(removed.body.data).toMatchObject({ opening_hours: null, on_close: 'keep' });
  });

  it('have a zone whose offsets are stored at the next start if an older instance has not', async () => {
    await tenant.department({ opening_hours: { timezone: 'Antarctica/Troll', weekly: {} } });
    const name = 'antarctica/troll';
    await test.db.query('DELETE FROM timezone_offsets WHERE name = $1', [name]);
    await test.get(Timezones).onApplicationBootstrap();
    const { rows } = await test.db.query('SELECT name FROM timezone_offsets WHERE name = $1', [name]);
    expect(rows).toEqual([{ name }]);
  });

  it('are changed as a whole, and recorded only if they differ', async () => {
    const opening_hours = { weekly: { mon: [AFTERNOON, MORNING] } };
    const { id, updated_at } = await tenant.department({ opening_hours });
    const same = await owner.put(`${DEPARTMENTS}/${id}`, { opening_hours, on_close: 'keep' });
    expect(same.body.data.updated_at).toBe(updated_at);
    await owner.put(`${DEPARTMENTS}/${id}`, {
      opening_hours: { weekly: { tue: [MORNING] } },
      on_close: 'end',
    });
    const { rows } = await test.db.query(
      `SELECT details->'changed' AS changed FROM audit_log WHERE subject_id = $1 AND action = 'department.updated'`,
      [id],
    );
    expect(rows.map(({ changed }) => changed.toSorted())).toEqual([['on_close', 'opening_hours']]);
    const { data } = (await owner.get(`${DEPARTMENTS}/${id}`)).body;
    expect(data.opening_hours.weekly).toEqual({ ...CLOSED_WEEK, tue: [MORNING] });
  });

  const weekly = { mon: [MORNING] };

  it.each<[string, unknown, string]>([
    ['another value than an object', '09:00-17:00', 'opening_hours'],
    ['an array', [], 'opening_hours'],
    ['no week', {}, 'opening_hours.weekly'],
    ['null for the week', { weekly: null }, 'opening_hours.weekly'],
    ['a week that is an array', { weekly: [MORNING] }, 'opening_hours.weekly'],
    ['an interval without its array', { weekly: { mon: MORNING } }, 'opening_hours.weekly.mon'],
    [
      'hours that overlap',
      {
        weekly: {
          sun: [
            ['09:00', '13:00'],
            ['12:59', '14:00'],
          ],
        },
      },
      'opening_hours.weekly.sun',
    ],
    ['hours across midnight', { weekly: { fri: [['22:00', '02:00']] } }, 'opening_hours.weekly.fri'],
    ['an unknown zone', { weekly, timezone: 'Europe/Bielefeld' }, 'opening_hours.timezone'],
    ['a zone that is a number', { weekly, timezone: 1 }, 'opening_hours.timezone'],
    ['exceptions that are an object', { weekly, exceptions: {} }, 'opening_hours.exceptions'],
    [
      'an exception without hours',
      { weekly, exceptions: [{ date: '2026-12-25' }] },
      'opening_hours.exceptions.0.intervals',
    ],
    [
      'a day that does not exist',
      { weekly, exceptions: [closed('2026-02-30')] },
      'opening_hours.exceptions.0.date',
    ],
    [
      'a time instead of a day',
      { weekly, exceptions: [closed('2026-12-25T00:00')] },
      'opening_hours.exceptions.0.date',
    ],
    [
      'a day of another century',
      { weekly, exceptions: [closed('9999-01-01')] },
      'opening_hours.exceptions.0.date',
    ],
    [
      'a day twice',
      { weekly, exceptions: [closed('2026-12-25'), closed('2026-12-25')] },
      'opening_hours.exceptions',
    ],
    [
      'a long label',
      { weekly, exceptions: [{ ...closed('2026-12-25'), label: 'x'.repeat(101) }] },
      'opening_hours.exceptions.0.label',
    ],
    [
      'more than a hundred exceptions',
      { weekly, exceptions: Array.from({ length: 101 }, (_, day) => closed(`2${100 + day}-01-01`)) },
      'opening_hours.exceptions',
    ],
  ])('are rejected with %s', async (_, opening_hours, field) => {
    expectFailure(await owner.post(DEPARTMENTS, { name: 'X', opening_hours }), 422, {
      code: 'validation_failed',
      field,
    });
    const before = await tenant.department();
    expectFailure(await owner.put(`${DEPARTMENTS}/${before.id}`, { opening_hours }), 422, { field });
    expect((await owner.get(`${DEPARTMENTS}/${before.id}`)).body.data).toEqual(before);
  });

  it.each(['close', true, 1])('are rejected with on_close = %j', async (on_close) => {
    expectFailure(await owner.post(DEPARTMENTS, { name: 'X', on_close }), 422, { field: 'on_close' });
  });
});
