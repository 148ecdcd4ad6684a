import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from './customer.entity';
import { CustomerDuplicates } from './customer-duplicates';
import { CustomerList } from './customer-list';
import { CustomerRights } from './customer-rights';
import { CustomerRightsController } from './customer-rights.controller';
import { Customers } from './customers';
import { CustomersController } from './customers.controller';
import { IdentifyCustomer } from './identify-customer';
import { MergeCustomers } from './merge-customers';
import { PersonalData } from './personal-data';

@Module({
  imports: [TypeOrmModule.forFeature([Customer])],
  controllers: [CustomersController, CustomerRightsController],
  providers: [
    CustomerDuplicates,
    CustomerList,
    CustomerRights,
    Customers,
    IdentifyCustomer,
    MergeCustomers,
    PersonalData,
  ],
  exports: [IdentifyCustomer, PersonalData],
})
export class CustomersModule {}
