import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { Department } from './department.entity';
import { DepartmentEndings } from './department-endings';
import { DepartmentList } from './department-list';
import { DepartmentsService } from './departments.service';
import { CanonicalHours } from './hours/canonical-hours';
import { Closings } from './hours/closings';
import { DepartmentHours } from './hours/department-hours';
import { DepartmentsController } from './departments.controller';
import { OverflowSources } from './overflow-sources';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { DEPARTMENT_CONSTRAINTS } from './department.constraints';

CONSTRAINT_ERRORS.register(DEPARTMENT_CONSTRAINTS);

@Module({
  imports: [TypeOrmModule.forFeature([Department]), PlansModule, IdentityModule, TenancyModule],
  controllers: [DepartmentsController],
  providers: [
    CanonicalHours,
    Closings,
    DepartmentEndings,
    DepartmentHours,
    DepartmentList,
    DepartmentsService,
    OverflowSources,
  ],
  exports: [Closings, DepartmentEndings],
})
export class DepartmentsModule {}
