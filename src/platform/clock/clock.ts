import { Injectable } from '@nestjs/common';

/** The only source of the current time; tests replace it to move time instead of sleeping. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** The time `seconds` from now. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
