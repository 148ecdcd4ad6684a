/** A connection on which the spec writes the text of Socket.IO packets itself, also text that no client would write. */
export class RawSocket {
  private readonly waiting = new Map<number, (ack: string | undefined) => void>();
  private lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.receive(String(data)));
    socket.addEventListener('close', () => {
      for (const resolve of this.waiting.values()) resolve(undefined);
    });
  }

  /** Opens a connection without a Socket.IO CONNECT packet. */
  static async open(url: string): Promise<RawSocket> {
    const address = `${url.replace(/^http/, 'ws')}/socket/websocket/?EIO=4&transport=websocket`;
    const socket = new WebSocket(address);
    const raw = new RawSocket(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    return raw;
  }

  /** Connects and authenticates. */
  static async connect(url: string, token: string): Promise<RawSocket> {
    const raw = await RawSocket.open(url);
    await raw.authenticate(JSON.stringify({ token }));
    return raw;
  }

  /** Sends a CONNECT packet. Resolves when it is answered or the connection is closed. @param payload JSON text */
  authenticate(payload: string): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      this.socket.addEventListener('message', ({ data }) => {
        if (/^4[04]/.test(String(data))) resolve();
      });
      this.socket.addEventListener('close', () => resolve());
    });
    this.socket.send(`40${payload}`);
    return answered;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /**
   * Sends an event whose name and payload are the items of a JSON array.
   * @param items the text between the brackets
   * @returns the text of the acknowledgement, or undefined if the connection was closed instead
   */
  send(items: string): Promise<string | undefined> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(undefined);
      this.waiting.set(id, (ack) => {
        this.waiting.delete(id);
        resolve(ack);
      });
      this.socket.send(`42${id}[${items}]`);
    });
  }

  /** Sends the text of a packet of Engine.IO. */
  write(text: string): void {
    this.socket.send(text);
  }

  close(): void {
    this.socket.close();
  }

  private receive(packet: string): void {
    if (packet === '2') this.socket.send('3');
    const ack = /^43(\d+)(\[[^]*)$/.exec(packet);
    if (ack) this.waiting.get(Number(ack[1]))?.(ack[2]);
  }
}
