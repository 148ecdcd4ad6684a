import { Module } from '@nestjs/common';
import { CustomersModule } from '../customers/customers.module';
import { IdentityModule } from '../identity/identity.module';
import { OutboundModule } from '../platform/outbound/outbound.module';
import { AttemptMetrics } from './attempt-metrics';
import { CustomersDeliveries } from './customers-deliveries';
import { DeliveryQueue, DeliveryShare } from './delivery-queue';
import { Dispatcher } from './dispatcher';
import { OldDeliveries } from './old-deliveries';
import { Outbox } from './outbox';
import { PayloadsModule } from './payloads/payloads.module';
import { Postman } from './postman';
import { Redelivery } from './redelivery';
import { SwitchedOffMails } from './switched-off-mails';
import { Trial } from './trial';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';
import { Webhooks } from './webhooks';
import { WebhooksController } from './webhooks.controller';

@Module({
  imports: [CustomersModule, IdentityModule, OutboundModule, PayloadsModule],
  controllers: [WebhooksController],
  providers: [
    AttemptMetrics,
    CustomersDeliveries,
    DeliveryQueue,
    DeliveryShare,
    Dispatcher,
    OldDeliveries,
    Outbox,
    Postman,
    Redelivery,
    SwitchedOffMails,
    Trial,
    WebhookList,
    Webhooks,
    WebhookSecrets,
  ],
})
export class WebhooksModule {}
