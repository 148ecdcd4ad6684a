import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { PresenceModule } from '../../presence/presence.module';
import { OffersModule } from '../offers/offers.module';
import { TransferController } from './transfer.controller';
import { TransferDepartments } from './transfer-departments';
import { TransferToDepartment } from './transfer-to-department';
import { TransferToUser } from './transfer-to-user';

@Module({
  imports: [CallsModule, PresenceModule, OffersModule],
  controllers: [TransferController],
  providers: [TransferDepartments, TransferToDepartment, TransferToUser],
})
export class TransferModule {}
