import { tenantReference } from './tenant-reference';

const TENANT = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';

describe('tenantReference', () => {
  it.each([TENANT, TENANT.toUpperCase()])('%s is an id', (reference) => {
    expect(tenantReference(reference)).toEqual({ tenant_id: reference, tenant_slug: null });
  });

  it.each([
    ['padaria-central', 'padaria-central'],
    ['Padaria-Central', 'padaria-central'],
    ['order 17', 'order 17'],
    [`${TENANT} `, `${TENANT} `],
    [TENANT.slice(1), TENANT.slice(1)],
    [`{${TENANT}}`, `{${TENANT}}`],
  ])('%j is no id, but can be the slug %j', (reference, tenant_slug) => {
    expect(tenantReference(reference)).toEqual({ tenant_id: null, tenant_slug });
  });

  it('is empty without a reference', () => {
    expect(tenantReference(null)).toEqual({ tenant_id: null, tenant_slug: null });
  });
});
