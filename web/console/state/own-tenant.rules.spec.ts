import { ownTenantOf } from './own-tenant.rules';

describe('the settings of the company', () => {
  const tenant = { timezone: 'America/Sao_Paulo' };

  it.each([
    ['are asked for', undefined, false, undefined],
    ['are there', { tenant }, false, tenant],
    ['are kept when the service fails later', { tenant }, true, tenant],
    ['are not told by a service that fails', undefined, true, null],
    ['are not told by a former release', {}, false, null],
  ])('%s', (_, me, hasFailed, expected) => {
    expect(ownTenantOf(me, hasFailed)).toBe(expected);
  });
});
