import { Module } from '@nestjs/common';
import { IdentifyCustomer } from './identify-customer';

@Module({ providers: [IdentifyCustomer], exports: [IdentifyCustomer] })
export class CustomersModule {}
