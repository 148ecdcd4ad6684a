import { TestTenant } from '../support/builders';
import { RawUpload } from '../support/http/raw-upload';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const MIB = 1024 * 1024;
/** The default of MAX_UPLOAD_MB. */
const LIMIT = 25 * MIB;

// test/operations/limits/upload-limits.e2e-spec.ts has the longer ones: uploads without a length, that stop, or at the limit.
describe('a file over the limit', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  it('is rejected with 413 before its content is sent, and nothing is stored', async () => {
    const tenant = await TestTenant.register(test);
    const { call_id } = await tenant.join((await tenant.queue()).link);
    const path = `/api/v1/calls/${call_id}/upload`;
    const upload = await RawUpload.open(test, path, tenant.owner.token, 2 * LIMIT);
    expect(await upload.status()).toBe(413);
    upload.abort();
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${call_id}/files`);
    expect(body.data).toEqual([]);
  });
});
