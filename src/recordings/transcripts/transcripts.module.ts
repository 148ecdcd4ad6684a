import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module';
import { CONFIG, type Config } from '../../platform/config/config';
import { PlansModule } from '../../plans/plans.module';
import { AiPatience } from './ai-patience';
import { AiPermission } from './ai-permission';
import { AiRequests } from './ai-requests';
import { AI_SERVER, type AiServer } from './ai-server';
import { AiTasks } from './ai-tasks';
import { ResultsOfCall } from './results-of-call';
import { SpoolFolder } from './spool-folder';
import { SpooledFiles } from './spooled-files';
import { StuckResults } from './stuck-results';
import { Summaries } from './summaries';
import { Transcripts } from './transcripts';
import { TranscriptsController } from './transcripts.controller';

@Module({
  imports: [CallsModule, PlansModule],
  controllers: [TranscriptsController],
  providers: [
    AiPatience,
    AiPermission,
    AiRequests,
    AiTasks,
    ResultsOfCall,
    SpoolFolder,
    SpooledFiles,
    StuckResults,
    Summaries,
    Transcripts,
    { provide: AI_SERVER, inject: [CONFIG, AiPatience], useFactory: connectAi },
  ],
})
export class TranscriptsModule {}

/** The client is only loaded where there is a server: it takes memory and time at the start. */
async function connectAi({ ai }: Config, patience: AiPatience): Promise<AiServer | undefined> {
  if (!ai) return undefined;
  const { OpenAiServer } = await import('./openai-server.js');
  return new OpenAiServer(ai, patience);
}
