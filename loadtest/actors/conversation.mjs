// What both sides of a call do: signals, chat, reports of quality. Each sends to the other one, which lives in this process.
import { candidates, description } from './signals.mjs';

const QUALITY_INTERVAL_MS = 10_000;
const REPORT = { rtt_ms: 40, loss: 0.001, bitrate: 1_200_000 };

/** The call of a customer and an agent of this process. */
export class Conversation {
  #run;
  #callId;
  #agent;
  #customer;

  /** @param run with the recorder; @param agent and customer are peers */
  constructor(run, callId, agent, customer) {
    this.#run = run;
    this.#callId = callId;
    this.#agent = agent;
    this.#customer = customer;
  }

  /** As pages connect: the agent offers, the customer answers, and both send candidates. */
  async connect() {
    await this.#signal(this.#agent, this.#customer, description(this.#callId, 'offer'));
    await this.#signal(this.#customer, this.#agent, description(this.#callId, 'answer'));
    const both = [
      ...candidates(this.#callId, 'agent').map((one) => this.#signal(this.#agent, this.#customer, one)),
      ...candidates(this.#callId, 'customer').map((one) => this.#signal(this.#customer, this.#agent, one)),
    ];
    await Promise.all(both);
  }

  /** Talks for this time, or until the end of the test. */
  async talk(ms) {
    await this.#chat(this.#agent, this.#customer, 'agent');
    await this.#chat(this.#customer, this.#agent, 'customer');
    const end = performance.now() + ms;
    let reportAt = performance.now() + QUALITY_INTERVAL_MS;
    while (!this.#run.isOver && performance.now() < end) {
      await this.#run.sleep(Math.min(end, reportAt) - performance.now());
      if (performance.now() < reportAt) continue;
      reportAt += QUALITY_INTERVAL_MS;
      for (const peer of [this.#agent, this.#customer]) {
        await this.#run.try('quality', () =>
          peer.send('quality_report', { call_id: this.#callId, ...REPORT }),
        );
      }
    }
  }

  async #signal(from, to, { key, signal }) {
    const begin = performance.now();
    const ack = await this.#run.tryUnmeasured('signal', () => from.send('signal', signal));
    // Without a socket on the other side there is nothing to receive.
    if (ack?.delivered) await this.#run.recorder.expect('signal', begin, to.receive(key));
  }

  async #chat(from, to, side) {
    const text = `Good morning from the ${side}`;
    const begin = performance.now();
    const isSent = await this.#run.tryUnmeasured('chat', () =>
      from.send('chat_message', { call_id: this.#callId, text }),
    );
    if (isSent) await this.#run.recorder.expect('chat', begin, to.receive(`${this.#callId} chat ${text}`));
  }
}
