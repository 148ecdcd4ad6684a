import { Injectable } from '@nestjs/common';

/**
 * Decides how often background tasks run. The service runs each at its regular interval; tests override this provider
 * to run them more often instead of waiting.
 */
@Injectable()
export class TaskIntervals {
  /** @returns milliseconds between two runs of a task whose regular interval is `regularMs` */
  of(regularMs: number): number {
    return regularMs;
  }
}
