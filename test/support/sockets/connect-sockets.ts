import { TestSocket } from './socket';

/** For a describe block: connects sockets to the service and closes them all after each test. */
export function closingSockets(url: () => string) {
  const open: TestSocket[] = [];

  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  return {
    /** Waits for the first snapshot. @throws the connect_error */
    async connect(token: string, options: object = {}): Promise<TestSocket> {
      const socket = await TestSocket.connect(url(), token, options);
      open.push(socket);
      return socket;
    },
    /** Waits for nothing. */
    open(token: string): TestSocket {
      const socket = TestSocket.open(url(), token);
      open.push(socket);
      return socket;
    },
  };
}
