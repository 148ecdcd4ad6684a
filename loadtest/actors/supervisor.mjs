// Compares the positions of customers with the line that staff see, and looks again at positions that have not changed.
import { wrongAgainstLine } from '../checks/positions.mjs';
import { Peer } from '../client/peer.mjs';
import { ensureFreshLogin, keepLoggedIn } from './keep-logged-in.mjs';

const CHECK_INTERVAL_MS = 2000;
/** Reads of lines that arrive together share one: a snapshot must not share one of before the line was read. */
const PAUSE_MS = 300;
/** Customers whose snapshots are compared in one check. */
const SAMPLES = 10;

export class Supervisor {
  #run;
  #peer;
  #endLogin = () => {};

  constructor(run) {
    this.#run = run;
  }

  async connect() {
    await ensureFreshLogin(this.#run.company, this.#run.company.owner);
    this.#peer = new Peer(this.#run.url, {
      token: this.#run.company.owner.token,
      timeoutMs: this.#run.timeoutMs,
      onEvent: () => [],
      onTrouble: (word) => this.#run.recorder.error('connect', word),
    });
    await this.#peer.receive('snapshot');
    this.#endLogin = keepLoggedIn(this.#run, this.#run.company.owner, this.#peer);
  }

  /** Checks until the end of the test. */
  async work() {
    const { departments } = this.#run.company;
    for (let number = 0; !this.#run.isOver; number++) {
      await this.#run.sleep(CHECK_INTERVAL_MS);
      for (const customer of this.#run.customers.values()) customer.checkPosition();
      await this.#compareWithLine(departments[number % departments.length]);
    }
  }

  close() {
    this.#endLogin();
    this.#peer?.close();
  }

  async #compareWithLine({ id }) {
    const before = await this.#line(id);
    if (!before) return;
    await this.#run.sleep(PAUSE_MS);
    const sample = before
      .flatMap((id) => this.#run.customers.get(id) ?? [])
      .filter(({ peer }) => peer?.isOpen);
    const chosen = sample.toSorted(() => Math.random() - 0.5).slice(0, SAMPLES);
    const positions = await Promise.all(chosen.map((customer) => customer.readPosition()));
    const after = await this.#line(id);
    if (!after) return;
    for (const [index, { callId }] of chosen.entries()) {
      const position = positions[index];
      if (position === undefined) continue;
      const problem = wrongAgainstLine({ callId, position, before, after });
      this.#run.recorder.position(problem && `call ${callId}: ${problem}`, true);
    }
  }

  /** @returns the ids of the first 50 calls in the order of the line, or undefined if it could not be read */
  async #line(id) {
    if (this.#run.isOver) return undefined;
    const snapshot = await this.#run.try('snapshot', () => this.#peer.send('snapshot'));
    const queue = snapshot?.queues.find(({ department_id }) => department_id === id);
    return queue?.calls.map(({ id }) => id);
  }
}
