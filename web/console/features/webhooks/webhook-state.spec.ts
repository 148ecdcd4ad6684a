import { stateOf } from './webhook-state';

const AT = '2026-01-31T12:00:00.000Z';
const FINE = { active: true, failing_since: null, disabled_at: null, disabled_reason: null };

describe('the state of a webhook', () => {
  it.each([
    [FINE, 'active'],
    [{ ...FINE, failing_since: AT }, 'failing'],
    [{ ...FINE, active: false }, 'inactive'],
    [
      { ...FINE, active: false, failing_since: AT, disabled_at: AT, disabled_reason: 'failing' as const },
      'disabled_failing',
    ],
    [{ ...FINE, active: false, disabled_at: AT, disabled_reason: 'gone' as const }, 'disabled_gone'],
    [{ ...FINE, active: false, disabled_at: AT, disabled_reason: 'backlog' as const }, 'disabled_backlog'],
  ])('%j is %s', (webhook, state) => {
    expect(stateOf(webhook)).toBe(state);
  });
});
