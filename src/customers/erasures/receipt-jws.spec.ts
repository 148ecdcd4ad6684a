import { generateKeyPairSync } from 'node:crypto';
import type { Receipt } from './receipt-jws';
import { isSignedBy, readReceipt, signReceipt } from './receipt-jws';

const RECEIPT: Receipt = {
  receipt_id: '7e6c1f0e-8f0c-4f53-8a0d-5ad1a1f0f6f1',
  kind: 'customer_erasure',
  installation_id: '1f3b8a52-91a2-4b57-a3b6-2f8f1d0e4c11',
  tenant_id: '3f0c2a52-91a2-4b57-a3b6-2f8f1d0e4c11',
  subject_ids: ['5f0c2a52-91a2-4b57-a3b6-2f8f1d0e4c11'],
  requested_by: 'operator',
  requested_at: '2026-01-31T12:00:00.000Z',
  tables: { customers: 1, calls: 3 },
  storage_objects: { count: 2, bytes: 1000 },
  completed_at: '2026-01-31T12:01:00.000Z',
};
const KEY_ID = '9a0c2a52-91a2-4b57-a3b6-2f8f1d0e4c11';

const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const jws = signReceipt(RECEIPT, KEY_ID, own.privateKey);
const [header = '', payload = '', signature = ''] = jws.split('.');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('a signed receipt is read and verified with its key only', () => {
  expect(readReceipt(jws)).toEqual({ key_id: KEY_ID, receipt: RECEIPT });
  expect(isSignedBy(jws, own.publicKey)).toBe(true);
  expect(isSignedBy(jws, other.publicKey)).toBe(false);
  expect(isSignedBy(jws, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)).toBe(false);
});

it.each([
  ['another number of rows', [header, encode({ ...RECEIPT, tables: { calls: 4 } }), signature]],
  ['another key', [encode({ alg: 'EdDSA', kid: RECEIPT.tenant_id }), payload, signature]],
  [
    'the signature of another receipt',
    [header, payload, signReceipt({ ...RECEIPT, tables: {} }, KEY_ID, own.privateKey).split('.')[2]],
  ],
])('%s is readable, but not what was signed', (_what, parts) => {
  const changed = parts.join('.');
  expect(readReceipt(changed)).toBeDefined();
  expect(isSignedBy(changed, own.publicKey)).toBe(false);
});

it.each([
  ['nothing', ''],
  ['two parts', `${header}.${payload}`],
  ['no JSON', `${header}.${Buffer.from('{').toString('base64url')}.${signature}`],
  ['a receipt without a signature', `${encode({ alg: 'none' })}.${payload}.${signature}`],
  ['another algorithm', `${encode({ alg: 'HS256', kid: KEY_ID })}.${payload}.${signature}`],
  ['no key', `${encode({ alg: 'EdDSA' })}.${payload}.${signature}`],
  ['another document', `${header}.${encode(['receipt_id'])}.${signature}`],
  ['null', `${header}.${encode(null)}.${signature}`],
])('%s is no receipt', (_what, text) => {
  expect(readReceipt(text)).toBeUndefined();
});
