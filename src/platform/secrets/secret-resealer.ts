import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { Database } from '../database/database';
import { RecurringTask } from '../jobs/recurring-task';
import { TaskIntervals } from '../jobs/task-intervals';
import { SealError, SecretBox } from './secret-box';

/** A column with sealed secrets or NULL, in a table whose primary key is `id`. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The purpose that the secret of the row is sealed for. */
  purpose(id: string): string;
}

/** Jobs whose data has a sealed secret in one of its fields. */
export interface SealedJobs<Data> {
  /** The name of the jobs. */
  queue: string;
  field: keyof Data & string;
  purpose(data: Data): string;
}

/** Where sealed secrets are stored: the SQL that reads and replaces them. */
interface SealedPlace {
  /** What is sealed, for the log. */
  name: string;
  table: string;
  /** SQL: the sealed secret of a row. */
  secret: string;
  /** SQL: which rows have a secret. */
  condition: string;
  /** SQL: what the purpose depends on, as JSON. */
  facts: string;
  /** SQL: the assignment of s.resealed. */
  assignment: string;
  purpose(id: string, facts: unknown): string;
}

const columnPlace = ({ table, column, ...sealed }: SealedColumn): SealedPlace => ({
  name: `${column} of ${table}`,
  table,
  secret: `t.${column}`,
  condition: `t.${column} IS NOT NULL`,
  facts: 'NULL::jsonb',
  assignment: `${column} = s.resealed`,
  purpose: (id) => sealed.purpose(id),
});

/**
 * Jobs that have not ended: those that have are kept for a while, but never opened again. A job that is running uses the
 * data that it was fetched with, and its next attempt the resealed data.
 */
const jobPlace = <Data>({ queue, field, ...sealed }: SealedJobs<Data>): SealedPlace => ({
  name: `${field} of ${queue} jobs`,
  table: 'pgboss.job',
  secret: `t.data->>'${field}'`,
  condition: `t.name = '${queue}' AND t.state < 'completed' AND t.data ? '${field}'`,
  facts: 't.data',
  assignment: `data = jsonb_set(t.data, '{${field}}', to_jsonb(s.resealed))`,
  purpose: (_id, data) => sealed.purpose(data as Data),
});

/** Secrets that are read and replaced at a time. */
const BATCH_SIZE = 500;
/** While there are two keys: another instance may still seal with the second one after this one has started. */
const INTERVAL_MS = 60_000;
/** Less than every id. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

interface StoredSecret {
  id: string;
  stored: string;
  facts: unknown;
}

interface Outcome {
  resealed: number;
  /** The ids of the rows whose secrets no key opens. */
  failed: string[];
  /** Secrets that changed while they were resealed. */
  changed: number;
}

/**
 * Seals secrets with the first ENCRYPTION_KEY that are sealed with the second one, so that it can be removed after a
 * rotation. Runs at each start, and while there are two keys every minute.
 */
@Injectable()
export class SecretResealer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SecretResealer.name);
  private readonly places: SealedPlace[] = [];
  private readonly repetition: RecurringTask;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.repetition = new RecurringTask(SecretResealer.name, intervals.of(INTERVAL_MS), () => this.run());
  }

  /** Registers a column. Call it before the application has started. */
  register(column: SealedColumn): void {
    this.places.push(columnPlace(column));
  }

  /** Registers the data of jobs. Call it before the application has started. */
  registerJobs<Data>(jobs: SealedJobs<Data>): void {
    this.places.push(jobPlace(jobs));
  }

  onApplicationBootstrap(): void {
    if (!this.config.isWorker) return;
    this.running = this.run();
    if (this.hasTwoKeys) this.repetition.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.running, this.repetition.stop()]);
  }

  private get hasTwoKeys(): boolean {
    return this.config.encryptionKeys.length > 1;
  }

  private async run(): Promise<void> {
    try {
      let isComplete = true;
      for (const place of this.places) isComplete = (await this.resealAll(place)) && isComplete;
      // Operators wait for this line before they remove the second key.
      if (isComplete && this.hasTwoKeys) {
        this.logger.log('All stored secrets are sealed with the first ENCRYPTION_KEY.');
      }
    } catch (error) {
      this.logger.error(
        error,
        'Secrets could not be sealed with the first ENCRYPTION_KEY; keep the second one',
      );
    }
  }

  /** @returns whether the first key seals all secrets of the place */
  private async resealAll(place: SealedPlace): Promise<boolean> {
    const total: Outcome = { resealed: 0, failed: [], changed: 0 };
    let after = NIL_ID;
    for (;;) {
      const due = await this.findDue(place, after);
      const { resealed, failed, changed } = await this.resealBatch(place, due);
      total.resealed += resealed;
      total.failed.push(...failed);
      total.changed += changed;
      if (due.length < BATCH_SIZE) break;
      after = due.at(-1)?.id ?? after;
    }
    this.logOutcome(place, total);
    return total.failed.length === 0 && total.changed === 0;
  }

  private logOutcome({ name }: SealedPlace, { resealed, failed }: Outcome): void {
    if (resealed > 0) this.logger.log(`${resealed} × ${name} sealed with the first ENCRYPTION_KEY.`);
    if (failed.length > 0) {
      this.logger.error(`No ENCRYPTION_KEY opens ${failed.length} × ${name}, such as ${failed[0]}`);
    }
  }

  private async findDue({ table, secret, condition, facts }: SealedPlace, after: string) {
    const [due] = await this.database.readSystem<[StoredSecret]>([
      {
        text: `SELECT t.id, ${secret} AS stored, ${facts} AS facts FROM ${table} t
               WHERE ${condition} AND NOT starts_with(${secret}, $1) AND t.id > $2
               ORDER BY t.id LIMIT ${BATCH_SIZE}`,
        values: [this.secrets.currentPrefix, after],
      },
    ]);
    return due;
  }

  private async resealBatch(place: SealedPlace, due: StoredSecret[]): Promise<Outcome> {
    const failed: string[] = [];
    const secrets: object[] = [];
    for (const { id, stored, facts } of due) {
      const resealed = this.reseal(stored, place.purpose(id, facts));
      if (resealed === undefined) failed.push(id);
      else secrets.push({ id, stored, resealed });
    }
    const resealed = await this.replace(place, secrets);
    return { resealed, failed, changed: secrets.length - resealed };
  }

  /** @returns undefined for a secret that cannot be opened, so that the others are still resealed */
  private reseal(stored: string, purpose: string): string | undefined {
    try {
      return this.secrets.seal(this.secrets.open(stored, purpose), purpose);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /** Replaces the secrets that have not changed since they were read. @returns their number */
  private async replace(
    { table, secret, condition, assignment }: SealedPlace,
    secrets: object[],
  ): Promise<number> {
    if (secrets.length === 0) return 0;
    const replaced = await this.database.system((tx) =>
      tx.query(
        `UPDATE ${table} t SET ${assignment}
         FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, stored text, resealed text)
         WHERE t.id = s.id AND ${condition} AND ${secret} = s.stored RETURNING t.id`,
        [JSON.stringify(secrets)],
      ),
    );
    return replaced.length;
  }
}
