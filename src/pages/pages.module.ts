import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { WebBuildCache } from './build/web-build-cache';
import { ConsolePageController } from './console/console-page.controller';
import { CustomerPageController } from './customer/customer-page.controller';

@Module({
  imports: [CallsModule],
  controllers: [ConsolePageController, CustomerPageController],
  providers: [WebBuildCache],
  exports: [WebBuildCache],
})
export class PagesModule {}
