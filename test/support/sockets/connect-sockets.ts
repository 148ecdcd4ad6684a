import { TestSocket } from './socket';

/** Returns functions that connect sockets to the service. All sockets are closed after each test of the describe block. */
export function closingSockets(url: () => string) {
  const open: TestSocket[] = [];

  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  return {
    /** Connects and waits for the first snapshot. @throws the connect_error */
    async connect(token: string, options: object = {}): Promise<TestSocket> {
      const socket = await TestSocket.connect(url(), token, options);
      open.push(socket);
      return socket;
    },
    /** Connects without waiting. */
    open(token: string): TestSocket {
      const socket = TestSocket.open(url(), token);
      open.push(socket);
      return socket;
    },
  };
}
