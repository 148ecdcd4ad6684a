import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { InstallationPause, type PauseState } from '../../platform/database/installation/installation-pause';
import { Jobs } from '../../platform/jobs/jobs';
import { ErasureJournal } from '../../customers/erasures/erasure-journal';
import { discardDeliveries } from '../../webhooks/deliveries/discard-deliveries';
import { CommandError } from '../command-error';
import { formatStandingHold, holdsOnCustomers } from '../privacy/standing-holds';
import { TenantErasure } from '../tenants/tenant-erasure';

/** What was pending when the installation was paused, and was not sent. */
export interface DiscardedOutbound {
  mails: number;
  webhooks: number;
}

export interface Resumption extends PauseState {
  /** Tenants that had been erased after the backup, and were erased again. */
  erased_tenant_count: number;
  /** Null unless it was requested. */
  discarded: DiscardedOutbound | null;
}

/** Ends the pause of an installation. */
@Injectable()
export class InstallationResumption {
  constructor(
    private readonly installation: InstallationPause,
    private readonly tenants: TenantErasure,
    private readonly journal: ErasureJournal,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /**
   * In a restored database, first erases the tenants of the journal, which the service itself may not delete.
   * @param options.discardPending whether to discard what was pending before the pause, since the original has sent it
   * @returns the state before
   * @throws CommandError while an erasure of the journal has not been repeated
   */
  async resume({ discardPending }: { discardPending: boolean }): Promise<Resumption> {
    const { awaits_erasures, pause_reason, paused_at } = await this.installation.state();
    if (awaits_erasures) throw await this.erasuresPending();
    const erased_tenant_count = pause_reason === 'restored' ? await this.tenants.repeat() : 0;
    const discarded = discardPending ? await this.discardRequestedBefore(paused_at) : null;
    return { ...(await this.installation.resume()), erased_tenant_count, discarded };
  }

  /** What was requested during the pause is sent: the original does not know of it. */
  private async discardRequestedBefore(paused_at: Date | null): Promise<DiscardedOutbound> {
    if (!paused_at) throw new CommandError('The installation is not paused, so nothing was discarded.');
    return {
      mails: await this.jobs.cancelWaiting('mail-', paused_at),
      webhooks: await discardDeliveries(this.database, paused_at),
    };
  }

  private async erasuresPending(): Promise<CommandError> {
    // Of one erasure the journal can have two entries.
    const sentences = new Set<string>();
    for await (const entry of this.journal.entries()) {
      if (entry.kind !== 'customer') continue;
      const holds = await this.database.tenant(entry.tenant_id, (tx) => holdsOnCustomers(tx, entry));
      for (const hold of holds) sentences.add(formatStandingHold(entry.erased_at, hold));
    }
    return new CommandError(sentences.size > 0 ? [...sentences].join('\n') : ERASURES_PENDING);
  }
}

const ERASURES_PENDING =
  'The erasures since the backup have not been repeated yet. Start the service, and see its log if that does not help.';
