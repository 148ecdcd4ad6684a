import { Module } from '@nestjs/common';
import { AccessLinkList } from './access-link-list';
import { AccessLinks } from './access-links';
import { AccessLinksController } from './access-links.controller';
import { LinkAddressController } from './link-address.controller';
import { LinkEntrance } from './link-entrance';

@Module({
  controllers: [AccessLinksController, LinkAddressController],
  providers: [AccessLinkList, AccessLinks, LinkEntrance],
  exports: [AccessLinks, LinkEntrance],
})
export class AccessLinksModule {}
