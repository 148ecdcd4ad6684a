// Calls in progress: a customer joins, an agent starts the call, the customer signals, reconnects, and one of them ends
// the call.
import { io } from 'socket.io-client';

const PAUSE_MS = 50;
const ACK_TIMEOUT_MS = 10_000;

/** The ways in which calls end, in turn. */
export const ENDS = ['complete', 'agent_end', 'customer_end'];
const MEASURED = ['join', 'start', 'call_started', 'signal', 'resume', 'reconnect', ...ENDS];

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Agents who handle one call after another. Measures their requests, reconnections and the time until call_started. */
export class AgentLoad {
  #url;
  #agents;
  #token;
  #clientHeaders;

  /**
   * @param agents the request function of each agent, as logIn returns it
   * @param tokens of access links
   * @param clientHeaders returns the headers of all requests of the next customer
   */
  constructor(url, agents, [token], clientHeaders = () => ({})) {
    this.#url = url;
    this.#agents = agents;
    this.#token = token;
    this.#clientHeaders = clientHeaders;
  }

  /** Repeats calls until `work` ends. @returns the 95th percentile of each kind of request, in ms */
  async p95During(work) {
    return percentiles95(await this.durationsDuring(work));
  }

  /** Repeats calls until `work` ends. @returns the durations of each kind of request, in ms */
  async durationsDuring(work) {
    const durations = Object.fromEntries(MEASURED.map((name) => [name, []]));
    const end = new AbortController();
    const repeating = Promise.all(this.#agents.map((agent) => this.#runCalls(agent, durations, end.signal)));
    await work().finally(() => end.abort());
    await repeating;
    return durations;
  }

  async #runCalls(agent, durations, signal) {
    // Each call ends in another way; in one phase every way occurs, so that each has a percentile.
    for (let number = 0; number < ENDS.length || !signal.aborted; number++)
      await this.#runCall(agent, durations, number);
  }

  async #runCall(agent, durations, number) {
    const clientHeaders = this.#clientHeaders();
    const entry = await timed(durations.join, () => this.#join(clientHeaders));
    const sockets = [];
    const open = async (token, headers) => {
      const socket = await this.#connect(token, headers);
      sockets.push(socket);
      return socket;
    };
    try {
      const staff = await open(agent.token, agent.clientHeaders);
      const customer = await open(entry.websocket_token, clientHeaders);
      const post = (action) => agent('POST', `/api/v1/calls/${entry.call_id}/${action}`);
      const hasStarted = new Promise((resolve) => customer.once('call_started', resolve));
      await Promise.all([
        timed(durations.start, () => post('start')),
        timed(durations.call_started, () => withTimeout('call_started', hasStarted)),
      ]);
      for (let n = 0; n < 5; n++) {
        await pause();
        const signal = { candidate: { candidate: `candidate:${n}`, sdpMid: '0', sdpMLineIndex: 0 } };
        await timed(durations.signal, () => send(customer, 'signal', signal));
      }
      const { websocket_token } = await timed(durations.resume, () =>
        this.#resume(entry.websocket_token, clientHeaders),
      );
      customer.disconnect();
      const returned = await timed(durations.reconnect, () => open(websocket_token, clientHeaders));
      const { call_id } = entry;
      const ends = {
        complete: () => post('complete'),
        agent_end: () => send(staff, 'end_call', { call_id }),
        customer_end: () => send(returned, 'end_call', { call_id }),
      };
      const name = ENDS[number % ENDS.length];
      await timed(durations[name], ends[name]);
    } finally {
      for (const socket of sockets) socket.disconnect();
    }
  }

  /** Connects a socket. It is finished with the first acknowledgement. */
  async #connect(token, clientHeaders) {
    const socket = io(this.#url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token },
      extraHeaders: clientHeaders,
      forceNew: true,
    });
    try {
      await withTimeout(
        'a snapshot',
        new Promise((resolve, reject) => {
          socket.once('snapshot', resolve);
          socket.once('connect_error', reject);
        }),
      );
      await send(socket, 'snapshot');
      return socket;
    } catch (error) {
      socket.disconnect();
      throw error;
    }
  }

  /** Exchanges the token of a customer who comes back. */
  async #resume(websocket_token, clientHeaders) {
    const response = await fetch(`${this.#url}/api/v1/call/resume`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...clientHeaders },
      body: JSON.stringify({ websocket_token }),
    });
    const { data, errors } = await response.json();
    if (response.status !== 200) throw new Error(`resume: ${response.status} ${JSON.stringify(errors)}`);
    return data;
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

/** @throws Error if the event is not acknowledged with success */
async function send(socket, event, ...data) {
  const ack = await socket.timeout(ACK_TIMEOUT_MS).emitWithAck(event, ...data);
  if (!ack.ok) throw new Error(`${event}: ${JSON.stringify(ack)}`);
  return ack.data;
}

/** @throws Error that names `what` if it takes too long */
function withTimeout(what, promise) {
  const timeout = new Promise((_, reject) => {
    setTimeout(
      () => reject(new Error(`${what} was not received within ${ACK_TIMEOUT_MS} ms`)),
      ACK_TIMEOUT_MS,
    ).unref();
  });
  return Promise.race([promise, timeout]);
}

/** Adds the duration of `work` in ms to `durations`. @returns its result */
export async function timed(durations, work) {
  const begin = performance.now();
  const result = await work();
  durations.push(performance.now() - begin);
  return result;
}

/** @param durations by kind of request */
export const percentiles95 = (durations) =>
  Object.fromEntries(Object.entries(durations).map(([name, values]) => [name, percentile95(values)]));

export const percentile95 = (values) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)];
