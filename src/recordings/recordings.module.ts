import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module';
import { PlansModule } from '../plans/plans.module';
import { Recordings } from './recordings';

@Module({
  imports: [CallsModule, PlansModule],
  providers: [Recordings],
  exports: [Recordings],
})
export class RecordingsModule {}
