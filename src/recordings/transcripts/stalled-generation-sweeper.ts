import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs';
import { GenerationRequests } from './generation-requests';
import { SUMMARY } from './summary-generator';
import { TRANSCRIPT } from './transcript-generator';

/** Requeues pending transcripts and summaries that have lost their job, once a day. */
@Injectable()
export class StalledGenerationSweeper implements OnModuleInit {
  constructor(
    private readonly requests: GenerationRequests,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('resume-stuck-results', '41 4 * * *', () => this.run());
  }

  async run(): Promise<void> {
    for (const task of [TRANSCRIPT, SUMMARY]) await this.requests.requeueStalled(task);
  }
}
