import { type MessageFromFrame, type MessageToFrame, readMessage } from './messages';

/** The parts of a window that are used here. */
interface FrameWindow {
  parent: Pick<Window, 'postMessage'>;
  location: Pick<Location, 'origin'>;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

/**
 * The page that shows this one in a frame. Messages count only from the sites of the company, and answers go to the origin
 * that greeted first: the frame may be moved to no other page without being loaded again.
 */
export class Embedder {
  private origin: string | undefined;

  /** @param sites the origins that may show this page, besides its own */
  constructor(
    private readonly frame: FrameWindow,
    private readonly sites: readonly string[],
    private readonly onMessage: (message: MessageToFrame) => void,
  ) {
    frame.addEventListener('message', (event) => this.receive(event));
  }

  /** Does nothing before the greeting. */
  send(message: MessageFromFrame): void {
    if (this.origin !== undefined) this.frame.parent.postMessage(message, this.origin);
  }

  private receive({ source, origin, data }: MessageEvent<unknown>): void {
    if (source !== this.frame.parent) return;
    const isAllowed = origin === this.frame.location.origin || this.sites.includes(origin);
    if (!isAllowed || (this.origin !== undefined && this.origin !== origin)) return;
    const message = readMessage<MessageToFrame>(data);
    if (!message) return;
    this.origin = origin;
    this.onMessage(message);
  }
}
