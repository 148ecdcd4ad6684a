import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
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
  ) {}

  onApplicationBootstrap(): void {
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
    const closed: string[] = [];
    for (const secret of due) {
      const sealed = this.sealedAnew(secret);
      if (sealed) await this.replace(secret, sealed);
      else closed.push(secret.id);
    }
    const done = due.length - closed.length;
    if (done > 0) this.logger.log(`${done} secrets were sealed with the first ENCRYPTION_KEY.`);
    if (closed.length > 0) {
      this.logger.error(
        `No ENCRYPTION_KEY opens the MFA secrets of ${closed.length} users, such as ${closed[0]}`,
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

  private async replace({ id, mfa_secret }: StoredSecret, sealed: string): Promise<void> {
    // Whoever enrols anew at this moment has the last word.
    await this.database.system((tx) =>
      tx.query('UPDATE users SET mfa_secret = $3 WHERE id = $1 AND mfa_secret = $2', [
        id,
        mfa_secret,
        sealed,
      ]),
    );
  }
}
