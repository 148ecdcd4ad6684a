import type { CallEvents } from '../../socket-events';
import type { Participant, Signal } from '../../socket-models';
import type { CallSocket } from '../../socket-types';
import { Emitter } from '../../emitter';

type Events = CallEvents & { connect: { recovered: boolean } };

const CALL = 'call';

/** For tests: the socket of one side. */
class FakeSocket extends Emitter<Events> {
  connected = true;

  constructor(
    private readonly service: FakeService,
    readonly side: Participant,
    readonly session: string,
  ) {
    super();
  }

  emit(request: string, payload: Signal): Promise<unknown> {
    return Promise.resolve({ delivered: this.service.relay(this.side, request, payload) });
  }

  receive<E extends keyof Events>(event: E, payload: Partial<Events[E]>): void {
    this.send(event, { call_id: CALL, at: '', version: 3, ...payload } as Events[E]);
  }

  asCallSocket(): CallSocket {
    return this as unknown as CallSocket;
  }
}

/** For tests: relays what one side sends to the other, as the service does. */
export class FakeService {
  private readonly sockets: Partial<Record<Participant, FakeSocket>> = {};
  /** What was sent, by either side. */
  readonly signals: Signal[] = [];

  connect(side: Participant, session: string): FakeSocket {
    const socket = new FakeSocket(this, side, session);
    this.sockets[side] = socket;
    return socket;
  }

  disconnect(side: Participant): void {
    delete this.sockets[side];
  }

  /** Both sides learn of each other's pages. */
  announce(): void {
    for (const { side, session } of Object.values(this.sockets)) {
      for (const socket of Object.values(this.sockets))
        socket.receive('peer_ready', { participant: side, session });
    }
  }

  relay(from: Participant, event: string, payload: Signal): boolean {
    if (event === 'signal') this.signals.push(payload);
    const other = this.sockets[from === 'agent' ? 'customer' : 'agent'];
    if (!other) return false;
    other.receive(event as 'signal', { from, ...payload });
    return true;
  }
}
