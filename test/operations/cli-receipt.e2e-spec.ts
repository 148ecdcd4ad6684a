import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReceipt } from '../../src/customers/erasures/receipt-jws';
import { TestTenant } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { Operator, runCli } from '../support/service/cli';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let operator: Operator;

beforeAll(async () => {
  await ensureBuilt();
  test = await startTestApp();
  operator = new Operator(test);
});

afterAll(() => test.close());

it('`receipt` verifies a receipt with the key of the installation, also without the database', async () => {
  const erased = await TestTenant.register(test, 'free');
  const { receipt } = await operator.json(['tenant', 'erase', erased.id, '--confirm', erased.slug]);
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-receipts-'));
  const write = (file: string, content: string) => {
    writeFileSync(join(folder, file), content);
    return join(folder, file);
  };
  const file = write('receipt.json', JSON.stringify({ receipt }));
  const verified = await operator.json(['receipt', 'verify', file]);
  expect(verified.receipt).toEqual(readReceipt(receipt)?.receipt);
  const key = write('key.pem', await operator.run(['receipt', 'keys']));
  const offline = await runCli(['receipt', 'verify', file, '--key', key], {});
  expect([offline.code, offline.stderr]).toEqual([0, '']);
  expect(offline.stdout).toMatch(new RegExp(`^tenant_id +${erased.id}$`, 'm'));
  const [header, payload = '', signature] = receipt.split('.');
  const altered = Buffer.from(payload, 'base64url').toString().replace('"operator"', '"nobody"');
  const forged = write('forged', [header, Buffer.from(altered).toString('base64url'), signature].join('.'));
  for (const options of [[], ['--key', key]]) {
    expect(await operator.tryRun(['receipt', 'verify', forged, ...options])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The receipt is not authentic: it was changed/),
    });
  }
  rmSync(folder, { recursive: true });
});
