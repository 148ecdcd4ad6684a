import { ownTenantOf } from './own-tenant.rules';

describe('the settings of the company', () => {
  const tenant = { timezone: 'America/Sao_Paulo' };

  it.each([
    ['are asked for', undefined, false, undefined],
    ['are there', { tenant }, false, tenant],
    ['are kept when the service fails later', { tenant }, true, tenant],
    ['are null when the service fails', undefined, true, null],
    ['are null with a former release', {}, false, null],
  ])('%s', (_, me, hasFailed, expected) => {
    expect(ownTenantOf(me, hasFailed)).toBe(expected);
  });
});
