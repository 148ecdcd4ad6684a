import { linkError, type LinkState } from './link-errors';

const NOW = new Date('2026-11-23T12:00:00Z');
const BEFORE = new Date('2026-11-23T11:59:59Z');
const AFTER = new Date('2026-11-23T12:00:01Z');
const VALID: LinkState = {
  cancelled_at: null,
  max_uses: null,
  use_count: 3,
  expires_at: null,
  valid_from: null,
  has_active_department: true,
  is_suspended: false,
  timezone: 'America/Sao_Paulo',
};

describe('linkError', () => {
  it.each<[string, Partial<LinkState>, string | undefined]>([
    ['without limits', {}, undefined],
    ['within its limits', { max_uses: 4, expires_at: AFTER, valid_from: BEFORE }, undefined],
    ['valid from now on', { valid_from: NOW }, undefined],
    ['that was cancelled', { cancelled_at: BEFORE }, 'link_cancelled'],
    ['that was used as often as allowed', { max_uses: 3 }, 'link_used'],
    ['that expires now', { expires_at: NOW }, 'link_expired'],
    ['of an inactive department', { has_active_department: false }, 'link_cancelled'],
    ['of a suspended company', { is_suspended: true }, 'tenant_suspended'],
    ['that is not valid yet', { valid_from: AFTER }, 'link_not_yet_valid'],
    ['both cancelled and used', { cancelled_at: BEFORE, max_uses: 3 }, 'link_cancelled'],
    ['both used and expired', { max_uses: 3, expires_at: BEFORE }, 'link_used'],
    ['both expired and of a suspended company', { expires_at: BEFORE, is_suspended: true }, 'link_expired'],
    [
      'not valid yet and of a suspended company',
      { valid_from: AFTER, is_suspended: true },
      'tenant_suspended',
    ],
  ])('of a link %s', (_case, state, code) => {
    expect(linkError({ ...VALID, ...state }, NOW)?.code).toBe(code);
  });

  it("names the time from which it is valid, in the company's zone", () => {
    const error = linkError({ ...VALID, valid_from: new Date('2026-11-23T23:30:00Z') }, NOW);
    expect(error?.detail).toBe('This link is not valid before 2026-11-23 at 20:30 (America/Sao_Paulo).');
  });
});
