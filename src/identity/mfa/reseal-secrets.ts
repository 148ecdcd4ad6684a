import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { SealError, SecretBox } from '../../platform/secrets/secret-box';
import { secretPurpose } from './second-factor';

interface StoredSecret {
  id: string;
  mfa_secret: string;
}

/** Seals secrets anew that an earlier ENCRYPTION_KEY sealed, at every start: then the old key can go. */
@Injectable()
export class ResealSecrets implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ResealSecrets.name);
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.doesJobs) return;
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
    const [due] = await this.database.readSystem<[StoredSecret]>([
      {
        text: `SELECT id, mfa_secret FROM users WHERE mfa_secret IS NOT NULL AND NOT starts_with(mfa_secret, $1)`,
        values: [this.secrets.currentPrefix],
      },
    ]);
    const opened = due.map((secret) => ({ ...secret, sealed: this.sealedAnew(secret) }));
    const closed = opened.filter(({ sealed }) => sealed === undefined);
    const done = await this.replace(opened.filter(({ sealed }) => sealed !== undefined));
    if (done > 0) this.logger.log(`${done} secrets were sealed with the first ENCRYPTION_KEY.`);
    if (closed.length > 0) {
      this.logger.error(
        `No ENCRYPTION_KEY opens the MFA secrets of ${closed.length} users, such as ${closed[0]?.id}`,
      );
    }
  }

  /** Undefined for a secret that does not open: it must not keep the others from being sealed anew. */
  private sealedAnew({ id, mfa_secret }: StoredSecret): string | undefined {
    const purpose = secretPurpose(id);
    try {
      return this.secrets.seal(this.secrets.open(mfa_secret, purpose), purpose);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  /** @returns how many: whoever enrols anew at this moment has the last word */
  private async replace(secrets: StoredSecret[]): Promise<number> {
    if (secrets.length === 0) return 0;
    const replaced = await this.database.system((tx) =>
      tx.query(
        `UPDATE users u SET mfa_secret = s.sealed
         FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, mfa_secret text, sealed text)
         WHERE u.id = s.id AND u.mfa_secret = s.mfa_secret RETURNING u.id`,
        [JSON.stringify(secrets)],
      ),
    );
    return replaced.length;
  }
}
