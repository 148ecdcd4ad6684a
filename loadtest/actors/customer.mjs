// A customer: joins, waits, talks and rates, as the page behind a link does.
import { randomUUID } from 'node:crypto';
import { outOfBounds, wrongPosition } from '../checks/positions.mjs';
import { InterruptedError, Peer } from '../client/peer.mjs';
import { keyOfSignal } from './signals.mjs';

const FINAL = new Set(['completed', 'missed', 'cancelled', 'abandoned']);
const MAX_JOIN_ATTEMPTS = 5;
/** A page tells what the device check has found. */
const DEVICE = { camera: 'ok', microphone: 'ok', network: 'good', relay: true };

export class Customer {
  callId = '';
  /** When the join was answered, of performance.now. */
  joinedAt = 0;
  /** The socket, once it is made. */
  peer;
  #run;
  #department;
  #place;
  #token = '';
  #position;
  #isWaiting = true;
  #status = 'queued';
  /** The request to leave, which is acknowledged after the event that the call has ended. */
  #leaving;

  /** @param department of Company.departments */
  constructor(run, department) {
    this.#run = run;
    this.#department = department;
  }

  /** The whole visit, from the join to the rating. Errors are counted, not thrown. */
  async visit() {
    const { recorder } = this.#run;
    if (!(await this.#join())) return;
    recorder.change('waiting', 1);
    try {
      this.#connect();
      await this.peer.receive('snapshot', Infinity);
      recorder.duration('connect', performance.now() - this.joinedAt);
      // The test has ended since the join.
      if (this.#run.isOver) await this.leave();
      await this.#run.try('device', () => this.peer.send('device_report', DEVICE));
      await this.peer.receive('in progress', Infinity);
      this.#stopWaiting(!FINAL.has(this.#status));
      await this.peer.receive('final', Infinity);
      if (this.#status === 'completed') await this.#rate();
    } catch (error) {
      // At the end of the test the peers are closed, whatever they wait for.
      if (!(error instanceof InterruptedError)) throw error;
    } finally {
      this.#stopWaiting(false);
      await this.#leaving;
      this.peer?.close();
    }
  }

  /** The position that the customer has now, and the bounds of what is right. */
  checkPosition() {
    if (this.#position === undefined || !this.#isWaiting || !this.peer?.isOpen) return;
    const problem = outOfBounds(this.#position, this.#bounds());
    this.#run.recorder.position(problem && `call ${this.callId} keeps ${problem}`);
  }

  /** Asks for a snapshot. @returns its position, or undefined */
  async readPosition() {
    return (await this.#run.try('snapshot', () => this.peer.send('snapshot')))?.position;
  }

  /** An agent is about to take the call. */
  beginLeaving() {
    this.#department.line.beginLeaving(this.#place);
  }

  endLeaving() {
    this.#department.line.endLeaving(this.#place, performance.now());
  }

  /** At the end of the test. A customer who is just connecting leaves afterwards. */
  async leave() {
    if (!this.#isWaiting || !this.peer?.isOpen) return;
    this.beginLeaving();
    this.#stopWaiting(false);
    this.#leaving = this.#run.try('leave', () => this.peer.send('leave_queue'));
    if (await this.#leaving) this.#run.recorder.left(performance.now() - this.joinedAt);
    this.peer.close();
  }

  async #join() {
    const { recorder, send } = this.#run;
    const { line, link } = this.#department;
    this.#place = line.beginJoin();
    const headers = { 'idempotency-key': randomUUID() };
    for (let attempt = 1; attempt <= MAX_JOIN_ATTEMPTS && !this.#run.isOver; attempt++) {
      try {
        const request = () =>
          send('POST', `/api/v1/call/${link}/join`, { body: { name: 'Load test' }, headers });
        const { data } = await recorder.measure('join', request);
        line.endJoin(this.#place);
        this.joinedAt = performance.now();
        this.callId = data.call_id;
        this.#token = data.websocket_token;
        this.#see('join', data.position);
        recorder.count('joined');
        this.#run.customers.set(this.callId, this);
        return true;
      } catch (error) {
        await this.#run.sleep((error.retryAfter ?? attempt) * 1000);
      }
    }
    return false;
  }

  #connect() {
    this.peer = new Peer(this.#run.url, {
      token: this.#token,
      session: randomUUID(),
      timeoutMs: this.#run.timeoutMs,
      onEvent: (event, payload) => this.#receive(event, payload),
      onTrouble: (word) => this.#run.recorder.error('connect', word),
    });
  }

  /** @returns the keys of what has arrived with the event */
  #receive(event, payload) {
    switch (event) {
      case 'snapshot':
        if (payload.status === 'queued') this.#see(event, payload.position);
        return this.#enter(payload.status);
      case 'queue_position':
        this.#see(event, payload.position, payload.queue_size);
        return [];
      case 'call_started':
        return this.#enter('active');
      case 'call_ended':
        return this.#enter(payload.status);
      case 'signal':
        return [keyOfSignal(payload)];
      case 'chat_message':
        return [`${payload.call_id} chat ${payload.text}`];
      default:
        return [];
    }
  }

  /** @returns the keys of what has arrived with the status */
  #enter(status) {
    this.#status = status;
    if (FINAL.has(status)) return ['in progress', 'final'];
    return status === 'active' ? ['in progress'] : [];
  }

  /** @param source of the position, for the example of a wrong one */
  #see(source, position, queueSize) {
    if (!this.#isWaiting) return;
    const problem = wrongPosition({ position, queueSize, last: this.#position, bounds: this.#bounds() });
    this.#run.recorder.position(problem && `call ${this.callId}: ${source}: ${problem}`);
    this.#position = position;
  }

  #bounds() {
    return this.#department.line.bounds(this.#place, performance.now());
  }

  #stopWaiting(isAnswered) {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    const { recorder } = this.#run;
    recorder.change('waiting', -1);
    if (isAnswered) recorder.answered(performance.now() - this.joinedAt);
  }

  async #rate() {
    const body = { rating: 5 };
    const path = `/api/v1/call/evaluate/${this.callId}`;
    const isRated = await this.#run.try('rate', () =>
      this.#run.send('POST', path, { token: this.#token, body }),
    );
    if (isRated) this.#run.recorder.count('rated');
  }
}
