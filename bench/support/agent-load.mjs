// Calls in progress: a customer joins, and an agent starts the call, signals with the customer and completes it.
import { io } from 'socket.io-client';

const PAUSE_MS = 50;
const ACK_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 30_000;

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Runs one call after another, and measures start, signal and complete. */
export class AgentLoad {
  #url;
  #request;
  #token;
  #clientHeaders;

  /**
   * @param request of the agent, as logIn returns it
   * @param tokens of access links
   * @param clientHeaders returns the headers of all requests of the next customer
   */
  constructor(url, request, [token], clientHeaders = () => ({})) {
    this.#url = url;
    this.#request = request;
    this.#token = token;
    this.#clientHeaders = clientHeaders;
  }

  /** Repeats calls until `work` ends. @returns the 95th percentile of each kind of request, in ms */
  async p95During(work) {
    const durations = { start: [], signal: [], complete: [] };
    const end = new AbortController();
    const repeating = this.#runCalls(durations, end.signal);
    await work().finally(() => end.abort());
    await repeating;
    return Object.fromEntries(
      Object.entries(durations).map(([name, values]) => [name, percentile95(values)]),
    );
  }

  async #runCalls(durations, signal) {
    while (!signal.aborted) await this.#runCall(durations);
  }

  async #runCall(durations) {
    const clientHeaders = this.#clientHeaders();
    const entry = await this.#join(clientHeaders);
    const customer = io(this.#url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token: entry.websocket_token },
      extraHeaders: clientHeaders,
      forceNew: true,
    });
    try {
      await new Promise((resolve, reject) => {
        customer.once('snapshot', resolve);
        customer.once('connect_error', reject);
        setTimeout(
          reject,
          CONNECT_TIMEOUT_MS,
          new Error('The socket of a customer got no snapshot.'),
        ).unref();
      });
      // Connecting is finished with the first acknowledgement; it is not part of a call in progress.
      await customer.timeout(ACK_TIMEOUT_MS).emitWithAck('snapshot');
      const post = (action) => this.#request('POST', `/api/v1/calls/${entry.call_id}/${action}`);
      await timed(durations.start, () => post('start'));
      for (let n = 0; n < 5; n++) {
        await pause();
        const signal = { candidate: { candidate: `candidate:${n}`, sdpMid: '0', sdpMLineIndex: 0 } };
        const send = () => customer.timeout(ACK_TIMEOUT_MS).emitWithAck('signal', signal);
        const ack = await timed(durations.signal, send);
        if (!ack.ok) throw new Error(`signal: ${JSON.stringify(ack)}`);
      }
      await timed(durations.complete, () => post('complete'));
    } finally {
      customer.disconnect();
    }
  }

  /** Joins as a customer does: again after the time that a refusal names. */
  async #join(clientHeaders) {
    for (;;) {
      const response = await fetch(`${this.#url}/api/v1/call/${this.#token}/join`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...clientHeaders },
        body: JSON.stringify({ name: 'Caller' }),
      });
      const { data } = await response.json();
      if (response.status === 200) return data;
      await pause();
    }
  }
}

/** Adds the duration of `work` in ms to `durations`. @returns its result */
export async function timed(durations, work) {
  const begin = performance.now();
  const result = await work();
  durations.push(performance.now() - begin);
  return result;
}

export const percentile95 = (values) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)];
