// A socket of a customer or an agent, as their pages have one. It remembers what it has received, so that an event can be
// awaited after it has arrived.
import { io } from 'socket.io-client';

/** An event that an open socket did not get in time. */
export class LostEventError extends Error {}
/** The socket was closed meanwhile: what was sent then comes with the next snapshot. */
export class InterruptedError extends Error {}

export class Peer {
  #socket;
  #timeoutMs;
  #token;
  /** How often the socket was disconnected. */
  #interruptions = 0;
  /** When each awaited thing arrived, by key. */
  #arrived = new Map();
  /** Those who wait for a key. */
  #waiting = new Map();
  #isClosed = false;

  /**
   * @param onEvent gets each event with its payload, and returns the keys of what has arrived with it
   * @param onTrouble gets a word for each refused or lost connection
   */
  constructor(url, { token, session, timeoutMs, onEvent, onTrouble }) {
    this.#timeoutMs = timeoutMs;
    this.#token = token;
    this.#socket = io(url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: (send) => send({ token: this.#token, session }),
      forceNew: true,
      timeout: timeoutMs,
      reconnectionDelayMax: 2000,
    });
    this.#socket.onAny((event, payload) => {
      for (const key of [event, ...(onEvent(event, payload) ?? [])]) this.#arrive(key);
    });
    this.#socket.on('connect_error', (error) => onTrouble(error.data?.code ?? 'refused'));
    this.#socket.on('disconnect', (reason) => {
      this.#interruptions++;
      if (!this.#isClosed) onTrouble(reason);
    });
  }

  get isOpen() {
    return this.#socket.connected;
  }

  /** Uses the token for this and for later connections. */
  renewToken(token) {
    this.#token = token;
    return this.send('authenticate', { token });
  }

  /** @returns the data of the acknowledgement. @throws Error with the code of a refusal, or InterruptedError */
  async send(event, payload = {}) {
    const before = this.#interruptions;
    let ack;
    try {
      ack = await this.#socket.timeout(this.#timeoutMs).emitWithAck(event, payload);
    } catch {
      if (this.#interruptions > before || !this.isOpen) throw new InterruptedError(`${event}: disconnected`);
      throw new LostEventError(`${event} was not acknowledged`);
    }
    if (ack.ok) return ack.data;
    throw Object.assign(new Error(`${event}: ${ack.error.code}`), { code: ack.error.code });
  }

  /**
   * Waits until something has arrived, or returns at once if it has.
   * @returns when it arrived, of performance.now
   * @throws LostEventError, or InterruptedError if the socket was not open all the time
   */
  receive(key, timeoutMs = this.#timeoutMs) {
    const at = this.#arrived.get(key);
    if (at !== undefined) return Promise.resolve(at);
    const before = this.#interruptions;
    const { promise, resolve, reject } = Promise.withResolvers();
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters);
    const fail = () => {
      const wasOpen = this.isOpen && this.#interruptions === before;
      reject(wasOpen ? new LostEventError(`${key} was not received`) : new InterruptedError(key));
    };
    const timer = timeoutMs === Infinity ? undefined : setTimeout(fail, timeoutMs);
    const waiter = { resolve, fail };
    waiters.add(waiter);
    return promise.finally(() => {
      clearTimeout(timer);
      waiters.delete(waiter);
    });
  }

  /** Forgets what has arrived, before the next call. */
  forget() {
    this.#arrived.clear();
  }

  /** Whoever still waits gets an InterruptedError. */
  close() {
    this.#isClosed = true;
    this.#socket.disconnect();
    for (const waiters of this.#waiting.values()) for (const { fail } of waiters) fail();
  }

  #arrive(key) {
    const now = performance.now();
    if (!this.#arrived.has(key)) this.#arrived.set(key, now);
    for (const { resolve } of this.#waiting.get(key) ?? []) resolve(now);
    this.#waiting.delete(key);
  }
}
