import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { CustomersModule } from '../../customers/customers.module';
import { CallTimeline } from './call-timeline';
import { TimelineController } from './timeline.controller';
import { TimelinePersonalData } from './timeline-personal-data';
import { TimelineReference } from './timeline-reference';
import { TimelineWriter } from './timeline-writer';

@Module({
  imports: [CallsModule, CustomersModule],
  controllers: [TimelineController],
  providers: [CallTimeline, TimelinePersonalData, TimelineReference, TimelineWriter],
})
export class TimelineModule {}
