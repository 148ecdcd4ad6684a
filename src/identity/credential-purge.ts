import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Jobs } from '../platform/jobs/jobs';
import { PasswordTokens } from './password-reset/password-tokens';
import { LoginAddresses } from './sessions/login-addresses';
import { LoginDelays } from './sessions/login-delays';
import { MfaAttemptStore } from './sessions/mfa-attempt-store';
import { SessionsService } from './sessions/sessions.service';

/**
 * Deletes expired sessions, refresh tokens, MFA attempts, password links and records of logins every night (UTC).
 */
@Injectable()
export class CredentialPurge implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly mfaAttempts: MfaAttemptStore,
    private readonly passwordTokens: PasswordTokens,
    private readonly loginDelays: LoginDelays,
    private readonly loginAddresses: LoginAddresses,
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
      await this.loginDelays.deleteExpired(tx);
      await this.loginAddresses.deleteOld(tx);
    });
  }
}
