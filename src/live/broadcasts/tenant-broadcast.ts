import { Injectable } from '@nestjs/common';
import { PlanCache } from '../../plans/plan-cache';
import { SubscriptionUpdated } from '../../plans/subscription.events';
import { AfterCommit } from '../../platform/events/listeners';
import { TenantSettingsService } from '../../tenancy/tenant-settings.service';
import { TenantUpdated } from '../../tenancy/tenant.events';
import { SocketServer } from '../socket-server';

/** Makes the other instances drop what they have cached of a company when its plan or its settings change. */
@Injectable()
export class TenantBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly plans: PlanCache,
    private readonly settings: TenantSettingsService,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('tenant_changed', (tenantId: string) => {
      this.plans.drop(tenantId);
      this.settings.drop(tenantId);
    });
  }

  @AfterCommit(SubscriptionUpdated)
  async onSubscription({ tenant_id }: SubscriptionUpdated): Promise<void> {
    this.notify(tenant_id);
  }

  @AfterCommit(TenantUpdated)
  async onSettings({ tenant_id }: TenantUpdated): Promise<void> {
    this.notify(tenant_id);
  }

  private notify(tenantId: string): void {
    if (this.sockets.isUp) this.sockets.notifyOtherInstances('tenant_changed', tenantId);
  }
}
