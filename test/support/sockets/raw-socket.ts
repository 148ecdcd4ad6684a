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

  /** Connects and authenticates. */
  static async connect(url: string, token: string): Promise<RawSocket> {
    const address = `${url.replace(/^http/, 'ws')}/socket/websocket/?EIO=4&transport=websocket`;
    const socket = new WebSocket(address);
    const raw = new RawSocket(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    const connected = new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        if (String(data).startsWith('40')) resolve();
      });
    });
    socket.send(`40${JSON.stringify({ token })}`);
    await connected;
    return raw;
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
