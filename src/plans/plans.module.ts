import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Subscription } from './subscription.entity';
import { Subscriptions } from './subscriptions';

@Module({
  imports: [TypeOrmModule.forFeature([Subscription]), TenancyModule],
  providers: [Subscriptions],
  exports: [Subscriptions],
})
export class PlansModule {}
