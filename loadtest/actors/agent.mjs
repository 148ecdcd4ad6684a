// An agent: takes each call that is offered, talks, and completes it, as the console does.
import { randomUUID } from 'node:crypto';
import { Peer } from '../client/peer.mjs';
import { Conversation } from './conversation.mjs';
import { ensureFreshLogin, keepLoggedIn } from './keep-logged-in.mjs';
import { keyOfSignal } from './signals.mjs';

export class Agent {
  #run;
  #account;
  #peer;
  #offers = [];
  #wake = () => {};
  #availableAt = 0;
  #endLogin = () => {};

  /** @param account of Company.agents */
  constructor(run, account) {
    this.#run = run;
    this.#account = account;
  }

  async connect() {
    await ensureFreshLogin(this.#run.company, this.#account);
    this.#peer = new Peer(this.#run.url, {
      token: this.#account.token,
      session: randomUUID(),
      timeoutMs: this.#run.timeoutMs,
      onEvent: (event, payload) => this.#receive(event, payload),
      onTrouble: (word) => this.#run.recorder.error('connect', word),
    });
    await this.#peer.receive('snapshot');
    this.#availableAt = performance.now();
    this.#endLogin = keepLoggedIn(this.#run, this.#account, this.#peer);
  }

  /** Takes calls until the end of the test. */
  async work() {
    while (!this.#run.isOver) {
      const offer = await this.#nextOffer();
      if (!offer) break;
      await this.#run.tryUnmeasured('offer', () => this.#handle(offer));
      this.#peer.forget();
      this.#availableAt = performance.now();
    }
  }

  close() {
    this.#endLogin();
    this.#peer?.close();
  }

  async #handle({ id, call_id }) {
    const { recorder, customers } = this.#run;
    await this.#run.sleep(this.#run.answerSeconds * 1000);
    const customer = customers.get(call_id);
    // Of a join whose answer was lost; one that is on its way has arrived by now.
    if (!customer) {
      await this.#peer.send('decline_offer', { offer_id: id });
      return;
    }
    const { receivedAt, availableAt } = recorder.offers.get(id);
    recorder.duration('offer', Math.max(0, receivedAt - Math.max(availableAt, customer.joinedAt)));
    customer.beginLeaving();
    const acceptedAt = performance.now();
    await recorder.measure('accept', () => this.#peer.send('accept_offer', { offer_id: id }));
    recorder.started(call_id, this.#account.id);
    customer.endLeaving();
    recorder.change('active', 1);
    try {
      await recorder.expect('started', acceptedAt, customer.peer.receive('in progress'));
      await recorder.measure('join_call', () => this.#peer.send('join_call', { call_id }));
      const conversation = new Conversation(this.#run, call_id, this.#peer, customer.peer);
      await conversation.connect();
      await conversation.talk(this.#talkMs());
      const completedAt = performance.now();
      const path = `/api/v1/calls/${call_id}/complete`;
      await recorder.measure('complete', () =>
        this.#run.send('POST', path, { token: this.#account.token, body: {} }),
      );
      recorder.count('completed');
      await recorder.expect('ended', completedAt, customer.peer.receive('final'));
    } finally {
      recorder.change('active', -1);
      customers.delete(call_id);
    }
  }

  /** Exponentially distributed, as the durations of calls nearly are, but at most five times the mean. */
  #talkMs() {
    return Math.min(5, -Math.log(1 - Math.random())) * this.#run.talkSeconds * 1000;
  }

  /** @returns undefined at the end of the test */
  async #nextOffer() {
    while (!this.#run.isOver) {
      const offer = this.#offers.shift();
      if (offer) return offer;
      await Promise.race([new Promise((resolve) => (this.#wake = resolve)), this.#run.over]);
    }
    return undefined;
  }

  #receive(event, payload) {
    switch (event) {
      case 'snapshot':
        for (const { offer } of payload.offers) this.#ring(offer, false);
        return [];
      case 'offer':
        this.#ring(payload.offer, true);
        return [];
      case 'offer_ended':
        this.#endOffer(payload);
        return [`offer_ended ${payload.offer_id}`];
      case 'signal':
        return [keyOfSignal(payload)];
      case 'chat_message':
        return [`${payload.call_id} chat ${payload.text}`];
      default:
        return [];
    }
  }

  /** @param isEvent whether the offer came as an event, which arrives once, and not with a snapshot */
  #ring(offer, isEvent) {
    const { offers } = this.#run.recorder;
    const known = offers.get(offer.id);
    if (known) {
      known.deliveries += isEvent ? 1 : 0;
      return;
    }
    offers.set(offer.id, {
      id: offer.id,
      callId: offer.call_id,
      userId: offer.user_id,
      offeredAt: Date.parse(offer.offered_at),
      endedAt: undefined,
      deliveries: isEvent ? 1 : 0,
      receivedAt: performance.now(),
      availableAt: this.#availableAt,
    });
    this.#offers.push(offer);
    this.#wake();
  }

  #endOffer({ offer_id, status, at }) {
    const offer = this.#run.recorder.offers.get(offer_id);
    if (offer) offer.endedAt = Date.parse(at);
    this.#offers = this.#offers.filter(({ id }) => id !== offer_id);
    if (status !== 'expired' || this.#run.isOver) return;
    this.#run.recorder.error('offer', 'expired');
    // The service has paused the agent.
    void this.#run.try('offer', () => this.#peer.send('set_presence', { presence: 'online' }));
  }
}
