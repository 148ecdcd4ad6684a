import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config';
import { AI_CLIENT, type AiClient } from './ai-client';
import { AiTimeouts } from './ai-timeouts';
import { FileSpooler } from './file-spooler';
import { SpoolFolder } from '../../spool-folder';

/** The client of an OpenAI-compatible server. It has no tables and imports nothing of the contexts that use it. */
@Module({
  providers: [
    AiTimeouts,
    FileSpooler,
    SpoolFolder,
    { provide: AI_CLIENT, inject: [CONFIG, AiTimeouts], useFactory: createClient },
  ],
  exports: [AI_CLIENT, FileSpooler, SpoolFolder],
})
export class AiModule {}

/** Loads the openai package only if a server is configured: it costs memory and start-up time. */
async function createClient({ ai }: Config, timeouts: AiTimeouts): Promise<AiClient | undefined> {
  if (!ai) return undefined;
  const { OpenAiClient } = await import('./openai-client.js');
  return new OpenAiClient(ai, timeouts);
}
