import { Injectable } from '@nestjs/common';
import { InstallationPause, type PauseState } from '../../platform/database/installation/installation-pause';
import { CommandError } from '../command-error';
import { TenantErasure } from '../tenants/tenant-erasure';

export interface Resumption extends PauseState {
  /** Tenants that had been erased after the backup, and were erased again. */
  erased_tenant_count: number;
}

/** Ends the pause of an installation. */
@Injectable()
export class InstallationResumption {
  constructor(
    private readonly installation: InstallationPause,
    private readonly tenants: TenantErasure,
  ) {}

  /**
   * In a restored database, first erases the tenants of the journal, which the service itself may not delete.
   * @returns the state before
   * @throws CommandError while the service has not repeated the erasures of the journal
   */
  async resume(): Promise<Resumption> {
    if (await this.installation.awaitsErasures()) throw new CommandError(ERASURES_PENDING);
    const erased_tenant_count = (await this.installation.isRestored()) ? await this.tenants.repeat() : 0;
    return { ...(await this.installation.resume()), erased_tenant_count };
  }
}

const ERASURES_PENDING =
  'The erasures since the backup have not been repeated yet. Start the service, and see its log if that does not help.';
