import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Receipt } from '../../customers/erasures/receipt-jws';
import { isSignedBy, readReceipt } from '../../customers/erasures/receipt-jws';
import { CommandError } from '../command-error';
import { receiptIn } from './receipt-text';

export interface VerifiedReceipt {
  key_id: string;
  receipt: Receipt;
}

/**
 * Verifies the receipt in a file.
 * @param findKeys finds public keys in PEM by the id of the one that signed; undefined if it is not known
 * @throws CommandError that says why the receipt is not authentic
 */
export async function verifyReceipt(
  content: string,
  findKeys: (id: string) => Promise<string | undefined>,
): Promise<VerifiedReceipt> {
  const jws = receiptIn(content);
  const found = jws === undefined ? undefined : readReceipt(jws);
  if (jws === undefined || !found) throw new CommandError('The file has no signed receipt.');
  const keys = await findKeys(found.key_id);
  if (keys === undefined) {
    throw new CommandError(
      `The receipt is not authentic: this installation has no key ${found.key_id}. If another one signed it, use --key.`,
    );
  }
  if (!parseKeys(keys).some((key) => isSignedBy(jws, key))) {
    throw new CommandError(
      'The receipt is not authentic: it was changed after it was signed, or another key signed it.',
    );
  }
  return found;
}

const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----[^]+?-----END PUBLIC KEY-----/g;

function parseKeys(text: string): KeyObject[] {
  const blocks = text.match(PEM_BLOCK) ?? [];
  if (blocks.length === 0) throw new CommandError(NO_KEY);
  try {
    return blocks.map((pem) => createPublicKey(pem));
  } catch {
    throw new CommandError(NO_KEY);
  }
}

const NO_KEY = '--key must be a file with public keys in PEM, as `receipt keys` prints them.';
