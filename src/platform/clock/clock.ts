import { Injectable } from '@nestjs/common';

/** The only source of the current time; tests replace it to move time instead of sleeping. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds since some moment, for the ages of what this process remembers: setting the clock does not change them. */
  elapsedMs(): number {
    return performance.now();
  }

  /** The time `seconds` from now. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
