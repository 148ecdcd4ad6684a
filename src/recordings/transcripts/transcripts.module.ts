import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { CONFIG, type Config } from '../../platform/config/config';
import { PlansModule } from '../../plans/plans.module';
import { AiTimeouts } from './ai/ai-timeouts';
import { AiPermission } from './ai/ai-permission';
import { AiRequests } from './ai/ai-requests';
import { AI_SERVER, type AiServer } from './ai/ai-server';
import { AiTasks } from './ai/ai-tasks';
import { ResultsOfCall } from './results-of-call';
import { SpoolFolder } from './ai/spool-folder';
import { SpooledFiles } from './ai/spooled-files';
import { StuckResults } from './stuck-results';
import { Summaries } from './summaries';
import { TranscriptsService } from './transcripts.service';
import { TranscriptsController } from './transcripts.controller';

@Module({
  imports: [CallsModule, PlansModule],
  controllers: [TranscriptsController],
  providers: [
    AiTimeouts,
    AiPermission,
    AiRequests,
    AiTasks,
    ResultsOfCall,
    SpoolFolder,
    SpooledFiles,
    StuckResults,
    Summaries,
    TranscriptsService,
    { provide: AI_SERVER, inject: [CONFIG, AiTimeouts], useFactory: connectAi },
  ],
})
export class TranscriptsModule {}

/** The client is only loaded where there is a server: it takes memory and time at the start. */
async function connectAi({ ai }: Config, patience: AiTimeouts): Promise<AiServer | undefined> {
  if (!ai) return undefined;
  const { OpenAiServer } = await import('./ai/openai-server.js');
  return new OpenAiServer(ai, patience);
}
