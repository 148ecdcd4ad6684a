import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module';
import { IdentityModule } from '../identity/identity.module';
import { CONFIG } from '../platform/config/config';
import { OutboundClient } from '../platform/outbound/outbound-client';
import { AttemptMetrics } from './deliveries/attempt-metrics';
import { DeliveryPersonalData } from './deliveries/delivery-personal-data';
import { DeliveryQueue, DeliveryConnectionLimiter } from './deliveries/delivery-queue';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher';
import { DeliveryRetention } from './deliveries/delivery-retention';
import { Outbox } from './deliveries/outbox';
import { PayloadsModule } from './payloads/payloads.module';
import { webhookClient } from './deliveries/webhook-client';
import { WebhookSender } from './deliveries/webhook-sender';
import { Redelivery } from './deliveries/redelivery';
import { WebhookDisabledMails } from './disabled-mails';
import { TestDelivery } from './deliveries/test-delivery';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';
import { WebhooksService } from './webhooks.service';
import { WebhooksController } from './webhooks.controller';

@Module({
  imports: [CustomersModule, IdentityModule, PayloadsModule],
  controllers: [WebhooksController],
  providers: [
    AttemptMetrics,
    DeliveryPersonalData,
    DeliveryQueue,
    DeliveryConnectionLimiter,
    DeliveryDispatcher,
    DeliveryRetention,
    Outbox,
    { provide: OutboundClient, inject: [CONFIG], useFactory: webhookClient },
    WebhookSender,
    Redelivery,
    WebhookDisabledMails,
    TestDelivery,
    WebhookList,
    WebhooksService,
    WebhookSecrets,
  ],
})
export class WebhooksModule {}
