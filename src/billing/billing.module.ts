import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Asaas } from './asaas';
import { GatewayController } from './gateway.controller';
import { PaymentNotifications } from './payment-notifications';
import { Signup } from './signup';
import { SignupController } from './signup.controller';

@Module({
  imports: [TenancyModule, PlansModule, IdentityModule],
  controllers: [SignupController, GatewayController],
  providers: [Asaas, PaymentNotifications, Signup],
})
export class BillingModule {}
