import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module';
import { CallsModule } from '../../calls/calls.module';
import { PlansModule } from '../../plans/plans.module';
import { AiModule } from './ai/ai.module';
import { GenerationPolicy } from './generation-policy';
import { GenerationRequests } from './generation-requests';
import { GenerationRunner } from './generation-runner';
import { StalledGenerationSweeper } from './stalled-generation-sweeper';
import { SummaryGenerator } from './summary-generator';
import { TranscriptGenerator } from './transcript-generator';
import { TranscriptsController } from './transcripts.controller';
import { TranscriptsService } from './transcripts.service';

@Module({
  imports: [AiModule, AuditModule, CallsModule, PlansModule],
  controllers: [TranscriptsController],
  providers: [
    GenerationPolicy,
    GenerationRequests,
    GenerationRunner,
    StalledGenerationSweeper,
    SummaryGenerator,
    TranscriptGenerator,
    TranscriptsService,
  ],
})
export class TranscriptsModule {}
