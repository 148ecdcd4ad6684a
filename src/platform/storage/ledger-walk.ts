import type { Transaction } from '../database/transaction';

interface LedgerRow {
  key: string;
  /** Whether a record keeps the object; otherwise it is being uploaded, or due for deletion. */
  is_kept: boolean;
}

const PAGE_SIZE = 1000;

/** Walks through the rows of the ledger in the order of the bytes of their keys, as a storage lists its objects. */
export class LedgerWalk {
  private page: LedgerRow[] = [];
  private position = 0;
  private isStored = false;

  private constructor(
    private readonly tx: Transaction,
    private readonly onMissing: (key: string) => Promise<void>,
  ) {}

  /** @param onMissing is called for each row that is kept and was passed without `markStored` */
  static async start(tx: Transaction, onMissing: (key: string) => Promise<void>): Promise<LedgerWalk> {
    await tx.query(
      `DECLARE ledger CURSOR FOR SELECT key, discard_at IS NULL AS is_kept FROM stored_objects ORDER BY key COLLATE "C"`,
    );
    const walk = new LedgerWalk(tx, onMissing);
    await walk.readPage();
    return walk;
  }

  /** Passes the rows before `key`. @returns whether `key` has a row, which is then the current one */
  async moveTo(key: string): Promise<boolean> {
    while (this.row && this.row.key < key) await this.pass(this.row);
    return this.row?.key === key;
  }

  /** The object of the current row can be read. */
  markStored(): void {
    this.isStored = true;
  }

  /** Passes all rows that are left. */
  async moveToEnd(): Promise<void> {
    while (this.row) await this.pass(this.row);
  }

  private get row(): LedgerRow | undefined {
    return this.page[this.position];
  }

  private async pass(row: LedgerRow): Promise<void> {
    if (row.is_kept && !this.isStored) await this.onMissing(row.key);
    this.isStored = false;
    this.position++;
    if (this.position === PAGE_SIZE) await this.readPage();
  }

  private async readPage(): Promise<void> {
    this.page = await this.tx.query<LedgerRow>(`FETCH ${PAGE_SIZE} FROM ledger`);
    this.position = 0;
  }
}
