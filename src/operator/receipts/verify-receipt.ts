import { createPublicKey } from 'node:crypto';
import type { Receipt } from '../../platform/receipts/receipt';
import { isSignedBy, readReceipt } from '../../platform/receipts/receipt-jws';
import { CommandError } from '../command-error';
import { receiptIn } from './receipt-text';

export interface VerifiedReceipt {
  key_id: string;
  receipt: Receipt;
}

/**
 * Verifies the receipt in a file.
 * @param findKey finds the public key in PEM by its id; undefined if it is not known
 * @throws CommandError that says why the receipt is not authentic
 */
export async function verifyReceipt(
  content: string,
  findKey: (id: string) => Promise<string | undefined>,
): Promise<VerifiedReceipt> {
  const jws = receiptIn(content);
  const found = jws === undefined ? undefined : readReceipt(jws);
  if (jws === undefined || !found) throw new CommandError('The file has no signed receipt.');
  const key = await findKey(found.key_id);
  if (key === undefined) {
    throw new CommandError(
      `The receipt is not authentic: this installation has no key ${found.key_id}. If another one signed it, use --key.`,
    );
  }
  if (!isSignedBy(jws, parseKey(key))) {
    throw new CommandError(
      'The receipt is not authentic: it was changed after it was signed, or another key signed it.',
    );
  }
  return found;
}

function parseKey(pem: string) {
  try {
    return createPublicKey(pem);
  } catch {
    throw new CommandError('--key must be the file of a public key in PEM, as `receipt keys` prints it.');
  }
}
