import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AsaasGateway } from './asaas-gateway';
import { GatewayController } from './gateway.controller';
import { GatewayPayloadRetention } from './gateway-payload-retention';
import { PAYMENT_GATEWAYS, type PaymentGateway } from './payment-gateway';
import { PaymentNotificationsService } from './payment-notifications.service';
import { PlanController } from './plan.controller';
import { PlanView } from './plan-view';
import { ReplayPayments } from './replay-payments';
import { SignupService } from './signup.service';
import { SignupController } from './signup.controller';

/** To support another payment provider, add its class. */
const GATEWAYS = [AsaasGateway];

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule, RateLimitModule],
  controllers: [SignupController, GatewayController, PlanController],
  providers: [
    ...GATEWAYS,
    { provide: PAYMENT_GATEWAYS, inject: GATEWAYS, useFactory: (...gateways: PaymentGateway[]) => gateways },
    GatewayPayloadRetention,
    PaymentNotificationsService,
    PlanView,
    ReplayPayments,
    SignupService,
  ],
  exports: [PaymentNotificationsService, PlanView, ReplayPayments, SignupService],
})
export class BillingModule {}
