import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { CustomersModule } from '../customers/customers.module';
import { IdentityModule } from '../identity/identity.module';
import { CONFIG } from '../platform/config/config';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { OutboundClient } from './outbound/outbound-client';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { DeleteWebhook } from './delete-webhook';
import { DisableWebhook } from './disable-webhook';
import { AttemptMetrics } from './deliveries/attempt-metrics';
import { AttemptRecorder } from './deliveries/attempt-recorder';
import { WebhookDeliveriesController } from './deliveries/webhook-deliveries.controller';
import { CallbackDeliveries } from './deliveries/callback-deliveries';
import { DeliveryConnectionLimiter } from './deliveries/delivery-connection-limiter';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher';
import { DeliveryList } from './deliveries/delivery-list';
import { DeliveryPersonalData } from './deliveries/delivery-personal-data';
import { DeliveryQueue } from './deliveries/delivery-queue';
import { DeliveryRetention } from './deliveries/delivery-retention';
import { EventFanOut } from './deliveries/event-fan-out';
import { OutboxWriter } from './deliveries/outbox-writer';
import { PendingDeliveriesMetric } from './deliveries/pending-deliveries-metric';
import { RedeliverDelivery } from './deliveries/redeliver-delivery';
import { ReplayDeliveries } from './deliveries/replay-deliveries';
import { TestDelivery } from './deliveries/test-delivery';
import { webhookClient } from './deliveries/webhook-client';
import { WebhookSender } from './deliveries/webhook-sender';
import { PayloadsModule } from './payloads/payloads.module';
import { WebhookDisabledMails } from './webhook-disabled-mails';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [
    CallsModule,
    CustomersModule,
    IdentityModule,
    PayloadsModule,
    PlansModule,
    RateLimitModule,
    TenancyModule,
  ],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    AttemptMetrics,
    PendingDeliveriesMetric,
    AttemptRecorder,
    CallbackDeliveries,
    DeliveryPersonalData,
    DeliveryConnectionLimiter,
    DeliveryList,
    DeliveryQueue,
    DeliveryDispatcher,
    DeliveryRetention,
    EventFanOut,
    OutboxWriter,
    { provide: OutboundClient, inject: [CONFIG], useFactory: webhookClient },
    WebhookSender,
    RedeliverDelivery,
    ReplayDeliveries,
    DeleteWebhook,
    DisableWebhook,
    WebhookDisabledMails,
    TestDelivery,
    WebhookList,
    WebhooksService,
    WebhookSecrets,
  ],
})
export class WebhooksModule {}
