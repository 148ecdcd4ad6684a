import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs';
import { AiRequests } from './ai/ai-requests';
import { SUMMARY } from './summaries';
import { TRANSCRIPTION } from './transcripts.service';

/** Sees to it that no result is pending for ever. */
@Injectable()
export class StuckResults implements OnModuleInit {
  constructor(
    private readonly requests: AiRequests,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('resume-stuck-results', '41 4 * * *', () => this.run());
  }

  async run(): Promise<void> {
    for (const task of [TRANSCRIPTION, SUMMARY]) await this.requests.resume(task);
  }
}
