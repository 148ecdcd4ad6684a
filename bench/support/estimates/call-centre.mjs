// A simulated call centre: customers join lines, leave when their patience ends, and are answered in the order of their
// joins. There is no clock but that of its events.
import { EventQueue } from './event-queue.mjs';
import { exponential, randomNumbers } from './random.mjs';
import { ANSWER, CLOSES, MAX_RATE, MAX_WAIT, OPENS, PATIENCE, TALK, WRAP_UP } from './scenarios.mjs';

export const DAY = 86_400;
/** How often agents come and go. */
const SHIFT_INTERVAL = 60;

/**
 * A customer who left keeps a place without being counted, until an agent would have answered: so the wait that patience cut
 * short is known, too.
 */
export class CallCentre {
  #events = new EventQueue();
  #now = 0;

  /**
   * @param observer its methods are called: `joined(call, centre)`, `handled(line, seconds, now)`, and, when the
   *   call is answered or its customer has left, `ended(call, now)`
   */
  constructor({ groups, arrivals }, seed, observer) {
    this.random = randomNumbers(seed);
    this.arrivals = arrivals;
    this.observer = observer;
    this.groups = groups.map((group) => ({ ...group, present: 0, idle: [] }));
    this.lines = arrivals.map(() => ({ places: [], waiting: 0, offered: 0 }));
  }

  run(days) {
    for (let day = 0; day < days; day++) {
      for (let time = OPENS; time < CLOSES; time += SHIFT_INTERVAL)
        this.#at(day * DAY + time, () => this.#changeShift(time));
      for (const line of this.lines.keys()) this.#scheduleArrival(line, day * DAY + OPENS);
    }
    while (this.#events.length > 0) {
      const { time, run } = this.#events.take();
      this.#now = time;
      run();
    }
  }

  #at(time, run) {
    this.#events.add(time, run);
  }

  #changeShift(time) {
    for (const group of this.groups) {
      group.target = group.agents(time);
      for (; group.present < group.target; group.present++) this.#takeNext(group);
      // Agents who are busy leave after their call.
      for (; group.present > group.target && group.idle.length > 0; group.present--) group.idle.shift();
    }
  }

  /** Thinning: candidates at the highest rate of the day, of which the share of the present rate joins. */
  #scheduleArrival(line, from) {
    const time = from + exponential(this.random, 1 / MAX_RATE);
    if (time % DAY >= CLOSES) return;
    this.#at(time, () => {
      if (this.random() * MAX_RATE < this.arrivals[line](time % DAY)) this.#join(line);
      this.#scheduleArrival(line, time);
    });
  }

  #join(index) {
    const line = this.lines[index];
    const call = { line: index, joinedAt: this.#now, state: 'waiting' };
    this.observer.joined(call, this);
    line.waiting += 1;
    line.places.push(call);
    const leaves = Math.min(MAX_WAIT, exponential(this.random, PATIENCE));
    this.#at(this.#now + leaves, () => this.#leave(call, leaves < MAX_WAIT));
    const group = this.idleGroups(index).toSorted((one, other) => one.idle[0] - other.idle[0])[0];
    if (group) {
      group.idle.shift();
      this.#takeNext(group);
    }
  }

  #leave(call, byChoice) {
    if (call.state !== 'waiting') return;
    this.lines[call.line].waiting -= 1;
    call.state = byChoice ? 'left' : 'timed_out';
    call.waited = this.#now - call.joinedAt;
    this.observer.ended(call, this.#now);
  }

  idleGroups(line) {
    return this.groups.filter(({ lines, idle }) => lines.includes(line) && idle.length > 0);
  }

  /** An agent who is not in `idle` takes the first call of their lines, or becomes idle. */
  #takeNext(group) {
    if (group.present > group.target) {
      group.present -= 1;
      return;
    }
    const call = this.#firstOf(group.lines);
    if (call) this.#offer(group, call);
    else group.idle.push(this.#now);
  }

  #firstOf(lines) {
    for (;;) {
      let first;
      for (const line of lines) {
        const [place] = this.lines[line].places;
        if (place && (!first || place.joinedAt < first.joinedAt)) first = place;
      }
      if (!first) return undefined;
      this.lines[first.line].places.shift();
      if (first.state === 'waiting') return first;
      // An agent would have answered now.
      first.patientWait = this.#now - first.joinedAt;
    }
  }

  #offer(group, call) {
    const line = this.lines[call.line];
    call.state = 'offered';
    line.offered += 1;
    const answeredAt = this.#now + ANSWER.min + this.random() * (ANSWER.max - ANSWER.min);
    this.#at(answeredAt, () => {
      line.offered -= 1;
      line.waiting -= 1;
      call.state = 'answered';
      call.waited = answeredAt - call.joinedAt;
      this.observer.ended(call, answeredAt);
      const seconds = exponential(this.random, TALK) + exponential(this.random, WRAP_UP);
      this.#at(answeredAt + seconds, () => {
        this.observer.handled(call.line, seconds, this.#now);
        this.#takeNext(group);
      });
    });
  }
}
