import { Module } from '@nestjs/common';
import { AccessLinkList } from './access-link-list';
import { AccessLinksService } from './access-links.service';
import { AccessLinksController } from './access-links.controller';
import { CustomersModule } from '../customers/customers.module';
import { LinkPersonalData } from './link-personal-data';
import { LinkAddressController } from './link-address.controller';
import { AccessLinkResolver } from './access-link-resolver';
import { CONSTRAINT_ERRORS } from '../platform/http/errors/constraint-errors';
import { ACCESS_LINK_CONSTRAINTS } from './access-link.constraints';

CONSTRAINT_ERRORS.register(ACCESS_LINK_CONSTRAINTS);

@Module({
  imports: [CustomersModule],
  controllers: [AccessLinksController, LinkAddressController],
  providers: [AccessLinkList, AccessLinksService, LinkPersonalData, AccessLinkResolver],
  exports: [AccessLinkList, AccessLinksService, AccessLinkResolver],
})
export class AccessLinksModule {}
