import { Module } from '@nestjs/common';
import { AccessLinkList } from './access-link-list';
import { AccessLinks } from './access-links';
import { AccessLinksController } from './access-links.controller';
import { CustomersModule } from '../customers/customers.module';
import { CustomersLinks } from './customers-links';
import { LinkAddressController } from './link-address.controller';
import { LinkEntrance } from './link-entrance';

@Module({
  imports: [CustomersModule],
  controllers: [AccessLinksController, LinkAddressController],
  providers: [AccessLinkList, AccessLinks, CustomersLinks, LinkEntrance],
  exports: [AccessLinkList, AccessLinks, LinkEntrance],
})
export class AccessLinksModule {}
