import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { setActor } from '../../platform/logging/request-context';
import { type LoginAnswerDto, type LoginUserDto, toLoginUser } from './auth.dto';
import { LoginSucceeded, type SecondFactorMethod } from './session.events';
import type { VerifiedAccount } from './login-account-finder';
import type { SessionClient } from './session-client';
import { SessionsService } from './sessions.service';

export type AuthenticatedUser = LoginUserDto & { tenant_id: string };

/** Opens the session of a user who has passed every factor. */
@Injectable()
export class CompleteLogin {
  constructor(
    private readonly sessions: SessionsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Its statements are sent without waiting for any of them, so that they take one round trip.
   * @param user what must not have changed since the password was verified, unless the user's row is locked
   * @param secondFactor how the second factor was proven; null when the user has no MFA
   */
  async complete(
    tx: Transaction,
    user: AuthenticatedUser & Partial<VerifiedAccount>,
    client: SessionClient,
    secondFactor: SecondFactorMethod | null,
  ): Promise<LoginAnswerDto> {
    const { id, tenant_id } = user;
    setActor({ tenant_id, user_id: id });
    const now = this.clock.now();
    const { session_id, tokens } = this.sessions.open(tx, user, client);
    await this.events.record(
      tx,
      new LoginSucceeded(tenant_id, id, now.toISOString(), session_id, secondFactor),
    );
    return { ...tokens, user: toLoginUser(user) };
  }
}
