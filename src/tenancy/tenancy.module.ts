import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Tenant } from './tenant.entity';
import { Tenants } from './tenants';

@Module({ imports: [TypeOrmModule.forFeature([Tenant])], providers: [Tenants], exports: [Tenants] })
export class TenancyModule {}
