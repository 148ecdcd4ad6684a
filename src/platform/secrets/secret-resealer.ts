import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { Database } from '../database/database';
import { SealError, SecretBox } from './secret-box';

/** A column that holds sealed secrets, or NULL, in a table whose key is `id`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** What the secret of the row with this id is sealed for. */
  purpose(id: string): string;
}

interface StoredSecret {
  id: string;
  stored: string;
}

/** Seals secrets anew that an earlier ENCRYPTION_KEY sealed, at every start: then the old key can go. */
@Injectable()
export class SecretResealer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SecretResealer.name);
  private readonly columns: SealedColumn[] = [];
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Call before the application has started. */
  register(column: SealedColumn): void {
    this.columns.push(column);
  }

  onApplicationBootstrap(): void {
    if (!this.config.isWorker) return;
    this.running = this.resealAll().catch((error: unknown) =>
      this.logger.error(
        error,
        'Secrets could not be sealed with the first ENCRYPTION_KEY; keep the second one',
      ),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.running;
  }

  private async resealAll(): Promise<void> {
    for (const column of this.columns) await this.reseal(column);
  }

  private async reseal(sealed: SealedColumn): Promise<void> {
    const { table, column } = sealed;
    const [due] = await this.database.readSystem<[StoredSecret]>([
      {
        text: `SELECT id, ${column} AS stored FROM ${table}
               WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, $1)`,
        values: [this.secrets.currentPrefix],
      },
    ]);
    const opened = due.map((secret) => ({ ...secret, anew: this.sealedAnew(sealed, secret) }));
    const closed = opened.filter(({ anew }) => anew === undefined);
    const done = await this.replace(
      sealed,
      opened.filter(({ anew }) => anew !== undefined),
    );
    if (done > 0) this.logger.log(`${done} × ${column} of ${table} sealed with the first ENCRYPTION_KEY.`);
    if (closed.length > 0) {
      const example = closed[0]?.id;
      this.logger.error(
        `No ENCRYPTION_KEY opens the ${column} of ${closed.length} ${table}, such as ${example}`,
      );
    }
  }

  /** Undefined for a secret that does not open: it must not keep the others from being sealed anew. */
  private sealedAnew(sealed: SealedColumn, { id, stored }: StoredSecret): string | undefined {
    const purpose = sealed.purpose(id);
    try {
      return this.secrets.seal(this.secrets.open(stored, purpose), purpose);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /** @returns how many: whoever changes one at this moment has the last word */
  private async replace({ table, column }: SealedColumn, secrets: object[]): Promise<number> {
    if (secrets.length === 0) return 0;
    const replaced = await this.database.system((tx) =>
      tx.query(
        `UPDATE ${table} t SET ${column} = s.anew
         FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, stored text, anew text)
         WHERE t.id = s.id AND t.${column} = s.stored RETURNING t.id`,
        [JSON.stringify(secrets)],
      ),
    );
    return replaced.length;
  }
}
