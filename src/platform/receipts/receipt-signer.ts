import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Receipt } from './receipt';
import { signReceipt } from './receipt-jws';

/** Signs receipts of this installation. */
export class ReceiptSigner {
  private readonly key: KeyObject;

  constructor(
    private readonly installationId: string,
    private readonly keyId: string,
    /** PEM (PKCS #8). */
    privateKey: string,
  ) {
    this.key = createPrivateKey(privateKey);
  }

  /** @returns a JWS in compact serialisation */
  sign(receipt: Omit<Receipt, 'installation_id'>): string {
    const { receipt_id, kind, ...rest } = receipt;
    return signReceipt(
      { receipt_id, kind, installation_id: this.installationId, ...rest },
      this.keyId,
      this.key,
    );
  }
}
