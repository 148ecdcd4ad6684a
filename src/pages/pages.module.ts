import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module';
import { WebBuildCache } from './build/web-build-cache';
import { CustomerPage } from './customer/customer-page';
import { LinkPages } from './customer/link-pages';
import { ConsolePageController } from './console/console-page.controller';
import { CustomerPageController } from './customer/customer-page.controller';

@Module({
  imports: [CallsModule, RateLimitModule],
  controllers: [ConsolePageController, CustomerPageController],
  providers: [CustomerPage, LinkPages, WebBuildCache],
  exports: [WebBuildCache],
})
export class PagesModule {}
