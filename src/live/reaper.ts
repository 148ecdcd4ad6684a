import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { Recurring } from '../platform/jobs/recurring';
import { Connections } from '../presence/connections';
import { Instance } from '../presence/instance';
import { LiveConnections } from './live-connections';

const EVERY_MS = 2000;

/** Settles what instances that died have left behind: their sockets are gone. */
@Injectable()
export class Reaper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Reaper.name);
  private readonly recurring = new Recurring(Reaper.name, EVERY_MS, () => this.reap());

  constructor(
    private readonly database: Database,
    private readonly instance: Instance,
    private readonly connections: Connections,
    private readonly live: LiveConnections,
  ) {}

  onApplicationBootstrap(): void {
    this.recurring.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.recurring.stop();
  }

  /** Buries one dead instance after the other; of several instances that try, one has each. */
  async reap(): Promise<void> {
    while (
      await this.database.system(async (tx) => {
        const dead = await this.instance.claimDead(tx);
        if (!dead) return false;
        await this.connections.lockCalls(tx, { instance_id: dead.id });
        const closed = await this.connections.closeAllOf(tx, dead.id);
        await this.live.settle(tx, closed, dead.last_seen);
        await this.instance.bury(tx, dead.id);
        if (closed.length > 0)
          this.logger.warn(`Instance ${dead.id} is dead; ${closed.length} connections settled`);
        return true;
      })
    ) {
      // Look for the next one.
    }
  }
}
