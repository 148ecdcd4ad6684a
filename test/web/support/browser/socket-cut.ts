import type { Page, WebSocketRoute } from 'playwright-core';

const SOCKET = /\/socket\/websocket/;

/** Cuts a page off from the socket of the service, while its requests are still answered. To be used before the page loads. */
export async function cuttableSocket(page: Page): Promise<{ cut(): Promise<void>; restore(): void }> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(SOCKET, async (socket) => {
    if (isCut) return socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  // The page polls if it gets no web socket.
  await page.route(SOCKET, (route) => (isCut ? route.abort() : route.continue()));
  return {
    async cut() {
      isCut = true;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    },
    restore() {
      isCut = false;
    },
  };
}
