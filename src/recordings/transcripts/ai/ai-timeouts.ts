import { Injectable } from '@nestjs/common';

/** How long one request to the AI server may take, with the upload and the whole response. */
@Injectable()
export class AiTimeouts {
  transcriptionTimeoutMs = 600_000;
  completionTimeoutMs = 120_000;
}
