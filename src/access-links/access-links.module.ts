import { Module } from '@nestjs/common';
import { AccessLinkList } from './access-link-list';
import { AccessLinksService } from './access-links.service';
import { AccessLinksController } from './access-links.controller';
import { CancelAccessLinks } from './cancel-access-links';
import { CustomersModule } from '../customers/customers.module';
import { DepartmentsModule } from '../departments/departments.module';
import { PlansModule } from '../plans/plans.module';
import { TenancyModule } from '../tenancy/tenancy.module';
import { AccessLinkPersonalData } from './access-link-personal-data';
import { LinkRedirectController } from './link-redirect.controller';
import { LinkWarnings } from './link-warnings';
import { AccessLinkResolver } from './access-link-resolver';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-error-registry';
import { ACCESS_LINK_CONSTRAINTS } from './access-link.constraints';

CONSTRAINT_ERRORS.register(ACCESS_LINK_CONSTRAINTS);

@Module({
  imports: [TenancyModule, PlansModule, DepartmentsModule, CustomersModule],
  controllers: [AccessLinksController, LinkRedirectController],
  providers: [
    AccessLinkList,
    AccessLinksService,
    AccessLinkPersonalData,
    AccessLinkResolver,
    CancelAccessLinks,
    LinkWarnings,
  ],
  exports: [AccessLinkList, AccessLinksService, AccessLinkResolver, CancelAccessLinks],
})
export class AccessLinksModule {}
