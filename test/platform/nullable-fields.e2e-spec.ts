import { book, createCustomer, freeSlot } from '../support/contexts/appointments';
import { TestTenant } from '../support/builders';
import type { Json } from '../support/http/api';
import { expand } from '../support/http/json-schema';
import { readDocument } from '../support/http/openapi-file';
import { createSkill } from '../support/contexts/skills';
import { createWebhook } from '../support/contexts/webhooks';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const document = readDocument();

/** Creates a record for the update and returns the path of the update. */
const RECORDS: Record<string, (tenant: TestTenant, test: TestApp) => Promise<string>> = {
  '/api/v1/tenant': async () => '/api/v1/tenant',
  '/api/v1/users/me': async () => '/api/v1/users/me',
  '/api/v1/users/{id}': async (tenant) => `/api/v1/users/${(await tenant.member()).id}`,
  '/api/v1/departments/{id}': async (tenant) => `/api/v1/departments/${(await tenant.department()).id}`,
  '/api/v1/calls/{id}': async (tenant) => {
    const { link } = await tenant.queue();
    return `/api/v1/calls/${(await tenant.join(link)).call_id}`;
  },
  '/api/v1/customers/{id}': async (tenant) => `/api/v1/customers/${(await createCustomer(tenant)).id}`,
  '/api/v1/tags/{id}': async (tenant) => {
    const { body } = await tenant.owner.api.post('/api/v1/tags', { name: 'Billing' });
    return `/api/v1/tags/${body.data.id}`;
  },
  '/api/v1/canned-replies/{id}': async (tenant) => {
    const { body } = await tenant.owner.api.post('/api/v1/canned-replies', { title: 'Greeting', text: 'Hi' });
    return `/api/v1/canned-replies/${body.data.id}`;
  },
  '/api/v1/skills/{id}': async (tenant) => `/api/v1/skills/${await createSkill(tenant)}`,
  '/api/v1/users/{id}/skills': async (tenant) => `/api/v1/users/${tenant.owner.id}/skills`,
  '/api/v1/users/{id}/state': async (tenant) => `/api/v1/users/${tenant.owner.id}/state`,
  '/api/v1/appointments/{id}': async (tenant, test) =>
    `/api/v1/appointments/${(await book(tenant, freeSlot(test))).id}`,
  '/api/v1/webhooks/{id}': async (tenant) => `/api/v1/webhooks/${(await createWebhook(tenant)).id}`,
};

/** Fields without which an update is not valid. */
const REQUIRED: Record<string, object> = { '/api/v1/users/{id}/state': { state: 'available' } };

const updates = Object.entries<Json>(document.paths).flatMap(([path, { put }]) =>
  // A file has no fields.
  put?.requestBody?.content['application/json'] ? [[path, fieldsOf(put)] as const] : [],
);

/** The fields of an update body, without the wrapper of its resource. */
function fieldsOf(operation: Json): [field: string, schema: Json][] {
  const { schema } = operation.requestBody.content['application/json'];
  return Object.entries<Json>(expand(document, schema.anyOf?.at(-1) ?? schema).properties);
}

const isNullable = ({ type, anyOf }: Json): boolean =>
  [type].flat().includes('null') || (anyOf ?? []).some(isNullable);

describe('a field of an update', () => {
  let test: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  afterAll(() => test.close());

  it.each(updates)('accepts null if openapi.json declares it nullable: %s', async (template, fields) => {
    const path = await RECORDS[template]?.(tenant, test);
    expect([template, path]).toEqual([template, expect.any(String)]);
    for (const [field, schema] of fields) {
      const { status } = await tenant.owner.api.put(path ?? '', { ...REQUIRED[template], [field]: null });
      expect([field, status]).toEqual([field, isNullable(schema) || status === 200 ? 200 : 422]);
    }
  });
});
