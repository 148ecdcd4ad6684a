// Agents with sockets who become available, decline the call that they are offered, and pause again.
import { setTimeout as pause } from 'node:timers/promises';
import { payloadOf, SocketClient } from './socket-client.mjs';

/** An offer that takes longer is lost. */
const OFFER_TIMEOUT_MS = 10_000;

/** An agent whose state is chosen by requests. */
export class RoutedAgent {
  #id;
  #token;
  #request;
  #socket;
  #ended;
  #onOffer = () => {};

  /** @param request of httpClient */
  constructor(id, token, request) {
    this.#id = id;
    this.#token = token;
    this.#request = request;
  }

  /** Connects. @returns when the snapshot has arrived */
  connect(url) {
    return new Promise((resolve) => {
      this.#socket = new SocketClient(url, this.#token, (event, packet) => {
        if (event === 'snapshot') resolve();
        if (event === 'offer') this.#onOffer(payloadOf(packet).offer, Date.now());
      });
      this.#ended = this.#socket.open();
    });
  }

  async disconnect() {
    this.#socket.close();
    await this.#ended;
  }

  /**
   * Becomes available, declines the first offer and pauses at the same time. An offer that is pending at the pause is
   * withdrawn by it.
   * @returns ms from the time at which the service says that the agent became available to the arrival of the offer, both by
   *   the clock of this machine, on which the service runs, too
   */
  async takeTurn() {
    const { promise: offered, resolve, reject } = Promise.withResolvers();
    const earliest = Date.now();
    this.#onOffer = (offer, at) => {
      // An offer of the turn before may arrive after the pause that withdrew it.
      if (Date.parse(offer.offered_at) >= earliest) resolve({ offer, at });
    };
    const timer = setTimeout(
      () => reject(new Error(`There was no offer within ${OFFER_TIMEOUT_MS} ms`)),
      OFFER_TIMEOUT_MS,
    );
    const [{ idle_since }, { offer, at }] = await Promise.all([this.#choose('available'), offered]).finally(
      () => clearTimeout(timer),
    );
    // Not one after the other, so that the agent is not offered the next call in between.
    await Promise.all([this.#decline(offer), this.#choose('paused')]);
    // The state in the answer can be that of the offer already, and so can `since`; an offer leaves `idle_since`.
    return at - Date.parse(idle_since);
  }

  /** The pause may have withdrawn the offer already (422). */
  #decline({ id }) {
    return this.#send('POST', `/api/v1/offers/${id}/decline`, {}, [200, 422]);
  }

  /** @returns the state of the agent */
  #choose(state) {
    return this.#send('PUT', `/api/v1/users/${this.#id}/state`, { state });
  }

  async #send(method, path, body, statuses = [200]) {
    const response = await this.#request(method, path, { token: this.#token, body });
    if (!statuses.includes(response.status))
      throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body.data;
  }
}

/**
 * Lets each agent take a turn every second, evenly distributed over it.
 * @returns the times of RoutedAgent.takeTurn, and how many agents have become available per second
 */
export async function takeTurns(agents, seconds) {
  const times = [];
  const begin = performance.now();
  const turnsOf = async (agent, n) => {
    for (let second = 0; second < seconds; second++) {
      const due = begin + (second + n / agents.length) * 1000;
      await pause(Math.max(0, due - performance.now()));
      times.push(await agent.takeTurn());
    }
  };
  await Promise.all(agents.map(turnsOf));
  return { times, rate: (times.length * 1000) / (performance.now() - begin) };
}
