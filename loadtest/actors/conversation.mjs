// What both sides of a call do: signals, chat, reports of quality. Each sends to the other one, which lives in this process.
import { candidates, description } from './signals.mjs';

const QUALITY_INTERVAL_MS = 10_000;
const REPORT = { rtt_ms: 40, loss: 0.001, bitrate: 1_200_000 };

/** The call of a customer and an agent of this process. */
export class Conversation {
  #run;
  #agent;
  #customer;

  /** @param run with the recorder; @param agent and customer are peers */
  constructor(run, agent, customer) {
    this.#run = run;
    this.#agent = agent;
    this.#customer = customer;
  }

  /** As pages connect: the agent offers, the customer answers, and both send candidates. */
  async connect() {
    await this.#signal(this.#agent, this.#customer, description('offer'));
    await this.#signal(this.#customer, this.#agent, description('answer'));
    const both = [
      ...candidates('agent').map((one) => this.#signal(this.#agent, this.#customer, one)),
      ...candidates('customer').map((one) => this.#signal(this.#customer, this.#agent, one)),
    ];
    await Promise.all(both);
  }

  /** Talks for this time, or until the end of the test. */
  async talk(callId, ms) {
    await this.#chat(callId, this.#agent, this.#customer, 'agent');
    await this.#chat(callId, this.#customer, this.#agent, 'customer');
    const end = performance.now() + ms;
    let reportAt = performance.now() + QUALITY_INTERVAL_MS;
    while (!this.#run.isOver && performance.now() < end) {
      await this.#run.sleep(Math.min(end, reportAt) - performance.now());
      if (performance.now() < reportAt) continue;
      reportAt += QUALITY_INTERVAL_MS;
      for (const [peer, call_id] of [[this.#agent, callId], [this.#customer]]) {
        await this.#run.try('quality', () => peer.send('quality_report', { call_id, ...REPORT }));
      }
    }
  }

  async #signal(from, to, { key, signal }) {
    const begin = performance.now();
    const ack = await this.#run.tryUnmeasured('signal', () => from.send('signal', signal));
    // Without a socket on the other side there is nothing to receive.
    if (ack?.delivered) await this.#run.recorder.expect('signal', begin, to.receive(key));
  }

  async #chat(call_id, from, to, side) {
    const text = `Good morning from the ${side}`;
    const begin = performance.now();
    const isSent = await this.#run.tryUnmeasured('chat', () =>
      from.send('chat_message', side === 'agent' ? { call_id, text } : { text }),
    );
    if (isSent) await this.#run.recorder.expect('chat', begin, to.receive(`chat ${text}`));
  }
}
