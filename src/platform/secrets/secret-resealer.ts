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

/** A column with sealed secrets or NULL, in a table whose primary key is `id`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The purpose that the secret of the row is sealed for. */
  purpose(id: string): string;
}

interface StoredSecret {
  id: string;
  stored: string;
}

/**
 * Seals secrets with the first ENCRYPTION_KEY that are sealed with the second one, so that it can be removed
 * after a rotation. Runs at each start.
 */
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

  /** Registers a column. Call it before the application has started. */
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
    const attempts = due.map((secret) => ({ ...secret, resealed: this.resealSecret(sealed, secret) }));
    const failed = attempts.filter(({ resealed }) => resealed === undefined);
    const count = await this.replace(
      sealed,
      attempts.filter(({ resealed }) => resealed !== undefined),
    );
    if (count > 0) this.logger.log(`${count} × ${column} of ${table} sealed with the first ENCRYPTION_KEY.`);
    if (failed.length > 0) {
      const example = failed[0]?.id;
      this.logger.error(
        `No ENCRYPTION_KEY opens the ${column} of ${failed.length} ${table}, such as ${example}`,
      );
    }
  }

  /** @returns undefined for a secret that cannot be opened, so that the others are still resealed */
  private resealSecret(sealed: SealedColumn, { id, stored }: StoredSecret): string | undefined {
    const purpose = sealed.purpose(id);
    try {
      return this.secrets.seal(this.secrets.open(stored, purpose), purpose);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /** Replaces the secrets that have not changed since they were read. @returns their number */
  private async replace({ table, column }: SealedColumn, secrets: object[]): Promise<number> {
    if (secrets.length === 0) return 0;
    const replaced = await this.database.system((tx) =>
      tx.query(
        `UPDATE ${table} t SET ${column} = s.resealed
         FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, stored text, resealed text)
         WHERE t.id = s.id AND t.${column} = s.stored RETURNING t.id`,
        [JSON.stringify(secrets)],
      ),
    );
    return replaced.length;
  }
}
