import { fake } from '../../../test/support/fake';
import type { Call } from '../../calls/call.entity';
import { CallTransferred } from '../../calls/call.events';
import type { AutomaticDepartments } from './automatic-departments';
import type { ReservedCalls } from './reserved-calls';
import type { RoutingDispatcher } from './routing-dispatcher';
import { RoutingTriggers } from './routing-triggers';

const AT = new Date('2026-01-31T12:00:00.000Z');

/** A call after it was transferred. */
function transferred(changes: Partial<Call>): CallTransferred {
  const call = { id: 'call', tenant_id: 'tenant', department_id: 'sales', ...changes } as Call;
  return new CallTransferred(call, AT, { department_id: 'support', user_id: 'ana' });
}

/** What the dispatcher is asked for when the event is committed. @param automatic departments that offer calls */
async function askedFor(event: CallTransferred, automatic: string[]): Promise<unknown[]> {
  const asked: unknown[] = [];
  const dispatcher = {
    wake: (tenantId: string, news: unknown) => asked.push(['wake', tenantId, news]),
    wakeIfLimited: (tenantId: string) => asked.push(['wakeIfLimited', tenantId]),
  };
  const departments = { has: async (id: string) => automatic.includes(id) };
  const triggers = new RoutingTriggers(
    fake<RoutingDispatcher>(dispatcher),
    fake<AutomaticDepartments>(departments),
    fake<ReservedCalls>({}),
  );
  await triggers.onTransferred(event);
  return asked;
}

describe('the transfer of a call', () => {
  const waiting = transferred({ status: 'queued', user_id: null });

  it('to a department leaves a place of the plan to other calls', async () => {
    expect(await askedFor(waiting, [])).toEqual([['wakeIfLimited', 'tenant']]);
  });

  it('to an automatic department lets it be offered, too', async () => {
    expect(await askedFor(waiting, ['sales'])).toEqual([
      ['wakeIfLimited', 'tenant'],
      ['wake', 'tenant', { call_ids: ['call'] }],
    ]);
  });

  it('to a manual department lets it be offered in the automatic line to which it overflowed', async () => {
    const overflowed = transferred({ status: 'queued', user_id: null, overflow_department_id: 'hr' });
    expect(await askedFor(overflowed, ['hr'])).toContainEqual(['wake', 'tenant', { call_ids: ['call'] }]);
  });

  it('to an agent changes nothing', async () => {
    expect(await askedFor(transferred({ status: 'active', user_id: 'bob' }), ['sales'])).toEqual([]);
  });
});
