import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Coalescer } from './coalescer';
import { runAsReservedBackgroundWork, runOutsideOfRequest } from '../../platform/logging/request-context';
import { TenantRouter } from './tenant-router';
import { mergeWakes, type News, type Wake, wakeOf } from './wake';

/** News of a tenant within this time after a run are handled by one run. */
const PAUSE_MS = 5;

/**
 * Runs the router of a tenant when calls or agents may have become free. Each instance has at most one run of a tenant at a
 * time; between instances the database decides. What is lost here, the sweep finds within a second.
 */
@Injectable()
export class RoutingDispatcher implements OnModuleDestroy {
  private readonly logger = new Logger(RoutingDispatcher.name);
  private readonly runs = new Coalescer<Wake>(PAUSE_MS, (wake) => this.run(wake));
  /** Tenants whose plan kept a call from being offered. */
  private readonly limited = new Set<string>();

  constructor(private readonly router: TenantRouter) {}

  /** Offers calls soon. */
  wake(tenantId: string, news: News): void {
    runOutsideOfRequest(() => this.runs.schedule(tenantId, wakeOf(tenantId, news), mergeWakes));
  }

  /** Offers calls soon if the limit of the plan has kept some from being offered. */
  wakeIfLimited(tenantId: string): void {
    if (this.limited.delete(tenantId)) this.wake(tenantId, { all: true });
  }

  async onModuleDestroy(): Promise<void> {
    await this.runs.stop();
  }

  private async run(wake: Wake): Promise<void> {
    try {
      const { is_limited } = await runAsReservedBackgroundWork(() => this.router.run(wake));
      if (is_limited) this.limited.add(wake.tenant_id);
    } catch (error) {
      this.logger.error(error, 'Waiting calls could not be offered');
    }
  }
}
