const SEPARATOR = '\u001e';

/** A connection by long-polling whose requests the spec sends itself: it can send without ever reading. */
export class PollingConnection {
  private constructor(private readonly address: string) {}

  /** Opens a connection, which is not authenticated yet. */
  static async open(url: string): Promise<PollingConnection> {
    const address = `${url}/socket/websocket/?EIO=4&transport=polling`;
    const handshake = await (await fetch(address)).text();
    const { sid } = JSON.parse(handshake.slice(1)) as { sid: string };
    return new PollingConnection(`${address}&sid=${sid}`);
  }

  /** Opens and authenticates a connection. */
  static async connect(url: string, token: string): Promise<PollingConnection> {
    const connection = await PollingConnection.open(url);
    await connection.send([`40${JSON.stringify({ token })}`]);
    while (!(await connection.read()).some((packet) => packet.startsWith('40'))) await connection.send(['3']);
    return connection;
  }

  /** Sends the texts of packets of Engine.IO in one request. @returns false if the service closed the connection */
  async send(packets: string[]): Promise<boolean> {
    const request = { method: 'POST', body: packets.join(SEPARATOR) };
    return fetch(this.address, request).then(
      ({ ok }) => ok,
      // The service closes the connection of a request that it refuses to read.
      () => false,
    );
  }

  /** Waits for packets of the service. */
  async read(): Promise<string[]> {
    return (await (await fetch(this.address)).text()).split(SEPARATOR);
  }
}
