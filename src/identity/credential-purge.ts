import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Jobs } from '../platform/jobs/jobs';
import { PasswordTokens } from './password-reset/password-tokens';
import { MfaAttemptStore } from './sessions/mfa-attempt-store';
import { SessionsService } from './sessions/sessions.service';

/** Deletes expired sessions, refresh tokens, MFA attempts and password links every night (UTC). */
@Injectable()
export class CredentialPurge implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly mfaAttempts: MfaAttemptStore,
    private readonly passwordTokens: PasswordTokens,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('purge-sessions', '17 3 * * *', () => this.run());
  }

  async run(): Promise<void> {
    await this.database.system(async (tx) => {
      await this.sessions.deleteExpired(tx);
      await this.mfaAttempts.deleteExpired(tx);
      await this.passwordTokens.deleteExpired(tx);
    });
  }
}
