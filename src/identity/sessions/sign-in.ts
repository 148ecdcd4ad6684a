import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { setActor } from '../../platform/logging/request-context';
import { type LoginAnswerDto, type LoginUserDto, loginUser } from './auth.dto';
import { LoginSucceeded, type SecondFactorKind } from '../identity.events';
import { type Client, SessionsService } from './sessions.service';

export type Proven = LoginUserDto & { tenant_id: string };

/** Lets somebody in who has proven who they are. */
@Injectable()
export class SignIn {
  constructor(
    private readonly sessions: SessionsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @param secondFactor what proved it; null without MFA */
  async open(
    tx: Transaction,
    user: Proven,
    client: Client,
    secondFactor: SecondFactorKind | null,
  ): Promise<LoginAnswerDto> {
    const { id, tenant_id } = user;
    setActor({ tenant_id, user_id: id });
    const { session_id, tokens } = await this.sessions.open(tx, user, client);
    const now = this.clock.now();
    await tx.query('UPDATE users SET last_login_at = $2 WHERE id = $1', [id, now]);
    await this.events.record(
      tx,
      new LoginSucceeded(tenant_id, id, now.toISOString(), session_id, secondFactor),
    );
    return { ...tokens, user: loginUser(user) };
  }
}
