import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Asaas } from './asaas';
import { GatewayController } from './gateway.controller';
import { PAYMENT_GATEWAYS, type PaymentGateway } from './payment-gateway';
import { PaymentNotifications } from './payment-notifications';
import { PlanController } from './plan.controller';
import { PlanView } from './plan-view';
import { ReplayPayments } from './replay-payments';
import { Signup } from './signup';
import { SignupController } from './signup.controller';

/** Another payment provider is another class here. */
const GATEWAYS = [Asaas];

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule, RateLimitModule],
  controllers: [SignupController, GatewayController, PlanController],
  providers: [
    ...GATEWAYS,
    { provide: PAYMENT_GATEWAYS, inject: GATEWAYS, useFactory: (...gateways: PaymentGateway[]) => gateways },
    PaymentNotifications,
    PlanView,
    ReplayPayments,
    Signup,
  ],
  exports: [PaymentNotifications, PlanView, ReplayPayments, Signup],
})
export class BillingModule {}
