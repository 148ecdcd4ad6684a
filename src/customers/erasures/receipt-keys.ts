import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { SealError, SecretBox } from '../../platform/secrets/secret-box';
import { SecretResealer } from '../../platform/secrets/secret-resealer';
import { type Receipt, signReceipt } from './receipt-jws';

/** Signs receipts of this installation. */
export interface ReceiptSigner {
  /** @returns a JWS in compact serialisation */
  sign(receipt: Omit<Receipt, 'installation_id'>): string;
}

/** A key that receipts are verified with. */
export interface PublicReceiptKey {
  id: string;
  /** PEM (SubjectPublicKeyInfo). */
  public_key: string;
  /** ISO 8601. */
  inserted_at: string;
}

interface StoredKey {
  id: string;
  sealed_private_key: string;
}

const purposeOf = (id: string): string => `receipt key ${id}`;

/** The key pairs of the installation. Public keys are never deleted: each receipt can be verified with its own. */
@Injectable()
export class ReceiptKeys {
  private readonly logger = new Logger(ReceiptKeys.name);
  private current: ReceiptSigner | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    resealer: SecretResealer,
  ) {
    resealer.register({ table: 'receipt_keys', column: 'sealed_private_key', purpose: purposeOf });
  }

  /** The signer with the newest key; the first call of an installation creates it. Call it outside of transactions. */
  async signer(): Promise<ReceiptSigner> {
    return (this.current ??= await this.database.system((tx) => this.readOrCreate(tx)));
  }

  /** @returns the key of this id in PEM; undefined if the installation has none */
  async find(id: string): Promise<string | undefined> {
    const [rows] = await this.database.readSystem<[{ public_key: string }]>([
      { text: 'SELECT public_key FROM receipt_keys WHERE id::text = $1', values: [id] },
    ]);
    return rows[0]?.public_key;
  }

  /** All keys, the newest first. */
  async list(): Promise<PublicReceiptKey[]> {
    const [rows] = await this.database.readSystem<[PublicReceiptKey]>([
      { text: 'SELECT id, public_key, inserted_at FROM receipt_keys ORDER BY inserted_at DESC, id' },
    ]);
    return rows;
  }

  /** The lock of the installation keeps two instances from creating a key each. */
  private async readOrCreate(tx: Transaction): Promise<ReceiptSigner> {
    await tx.query('SELECT FROM installation FOR UPDATE');
    await tx.query('UPDATE installation SET public_id = gen_random_uuid() WHERE public_id IS NULL');
    const installation = await tx.one<{ public_id: string }>('SELECT public_id FROM installation');
    if (!installation) throw new Error('The table installation has no row.');
    const newest = await tx.one<StoredKey>(
      'SELECT id, sealed_private_key FROM receipt_keys ORDER BY inserted_at DESC, id LIMIT 1',
    );
    const [id, privateKey] = (newest && this.open(newest)) ?? (await this.create(tx));
    const key = createPrivateKey(privateKey);
    const { public_id: installation_id } = installation;
    return {
      sign: ({ receipt_id, kind, ...rest }) =>
        signReceipt({ receipt_id, kind, installation_id, ...rest }, id, key),
    };
  }

  /** @returns undefined for a key that no ENCRYPTION_KEY opens: it is replaced, so that erasures go on */
  private open({ id, sealed_private_key }: StoredKey): [id: string, privateKey: string] | undefined {
    try {
      return [id, this.secrets.open(sealed_private_key, purposeOf(id))];
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.logger.error(error, 'The key that signs receipts cannot be opened; receipts get a new one');
      return undefined;
    }
  }

  private async create(tx: Transaction): Promise<[id: string, privateKey: string]> {
    const id = randomUUID();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await tx.query(
      'INSERT INTO receipt_keys (id, public_key, sealed_private_key, inserted_at) VALUES ($1, $2, $3, $4)',
      [id, publicKey, this.secrets.seal(privateKey, purposeOf(id)), this.clock.now()],
    );
    this.logger.log(`Receipts are signed with the new key ${id}.`);
    return [id, privateKey];
  }
}
