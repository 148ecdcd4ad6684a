import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Subscription } from './subscription.entity';
import { StorageUsage } from './storage-usage';
import { Subscriptions } from './subscriptions';
import { Usage } from './usage';

@Module({
  imports: [TypeOrmModule.forFeature([Subscription]), TenancyModule],
  providers: [StorageUsage, Subscriptions, Usage],
  exports: [StorageUsage, Subscriptions, Usage],
})
export class PlansModule {}
