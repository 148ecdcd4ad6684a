import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Customer } from './customer.entity';
import { DuplicateGroupList } from './duplicate-group-list';
import { CustomerList } from './customer-list';
import { PersonalDataRequestsService } from './personal-data-requests.service';
import { PersonalDataRequestsController } from './personal-data-requests.controller';
import { CustomerErasure } from './erasures/customer-erasure';
import { ErasuresController } from './erasures/erasures.controller';
import { ErasuresModule } from './erasures/erasures.module';
import { ReplayErasures } from './erasures/replay-erasures';
import { CustomersService } from './customers.service';
import { CustomersController } from './customers.controller';
import { IdentifyCustomer } from './identify-customer';
import { MergeCustomers } from './merge-customers';
import { Backfills } from './backfills';
import { MergesBackfill } from './merges-backfill';
import { PhoneNumbers } from './phone-numbers';
import { PersonalDataRegistry } from './personal-data-registry';

@Module({
  imports: [TypeOrmModule.forFeature([Customer]), TenancyModule, ErasuresModule],
  controllers: [CustomersController, PersonalDataRequestsController, ErasuresController],
  providers: [
    DuplicateGroupList,
    CustomerList,
    PersonalDataRequestsService,
    CustomersService,
    IdentifyCustomer,
    MergeCustomers,
    Backfills,
    MergesBackfill,
    PersonalDataRegistry,
    PhoneNumbers,
    CustomerErasure,
    ReplayErasures,
  ],
  exports: [IdentifyCustomer, PersonalDataRegistry],
})
export class CustomersModule {}
