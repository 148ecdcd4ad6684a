import { type KeyObject, sign, verify } from 'node:crypto';

/** What was done with personal data. It has ids only, so that it may be kept for ever. */
export interface Receipt {
  receipt_id: string;
  kind: 'customer_erasure' | 'tenant_erasure' | 'customer_export';
  installation_id: string;
  tenant_id: string;
  /** The customer and all that had been merged into it; the tenant. */
  subject_ids: string[];
  /** The id of a user, or `operator` for a command. */
  requested_by: string;
  /** When the rows were erased or exported: ISO 8601, in UTC with milliseconds. */
  requested_at: string;
  /** Rows that were deleted, anonymised or exported, by table. */
  tables: Record<string, number>;
  /** Objects that were deleted from the storage; only in receipts of erasures. */
  storage_objects?: { count: number; bytes: number };
  /** When the last object had been deleted; only in receipts of erasures. */
  completed_at?: string;
}

/** A receipt that was read but not verified. */
export interface UnverifiedReceipt {
  /** The id of the key that it names. */
  key_id: string;
  receipt: Receipt;
}

/** The compact serialisation of a JWS (RFC 7515) that is signed with Ed25519 (RFC 8037). */
const COMPACT_JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Signs a receipt. @returns a JWS in compact serialisation */
export function signReceipt(receipt: Receipt, keyId: string, privateKey: KeyObject): string {
  const signed = `${encode({ alg: 'EdDSA', kid: keyId })}.${encode(receipt)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Reads a receipt without verifying it. @returns undefined if the text is none */
export function readReceipt(jws: string): UnverifiedReceipt | undefined {
  const [, header, payload] = COMPACT_JWS.exec(jws) ?? [];
  if (header === undefined || payload === undefined) return undefined;
  try {
    const { alg, kid } = decode(header) as { alg?: unknown; kid?: unknown };
    const receipt = decode(payload) as Receipt | null;
    const isReceipt = typeof receipt === 'object' && typeof receipt?.receipt_id === 'string';
    return alg === 'EdDSA' && typeof kid === 'string' && isReceipt ? { key_id: kid, receipt } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the key has signed exactly this text. */
export function isSignedBy(jws: string, publicKey: KeyObject): boolean {
  const [, header, payload, signature = ''] = COMPACT_JWS.exec(jws) ?? [];
  if (publicKey.asymmetricKeyType !== 'ed25519') return false;
  return verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'));
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
