import { Injectable } from '@nestjs/common';

/** How long a provider may take for one answer, in ms. */
@Injectable()
export class AiTimeouts {
  transcriptMs = 600_000;
  summaryMs = 120_000;
}
