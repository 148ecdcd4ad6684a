import { UseInterceptors } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayInit,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { type DisconnectReason, type Namespace, Server, type Socket } from 'socket.io';
import { SpanKind } from '@opentelemetry/api';
import { ReservedConnection } from '../platform/access/access.decorators';
import { requestContext } from '../platform/logging/request-context';
import { type SpanDescription, traced } from '../platform/tracing/tracer';
import type { ChatMessage } from '../calls/chat/chat-messages';
import { DeviceReportDto } from '../calls/media/media.dto';
import type { RecordingState } from '../calls/media/recording-state.rules';
import { RequestCallbackDto } from '../calls/callbacks/callback.dto';
import { AckInterceptor } from './ack.interceptor';
import { DepartmentWatch } from './department-watch';
import {
  AuthenticateDto,
  InCallDto,
  JoinCallDto,
  OfferAnswerDto,
  SetPresenceDto,
  SignalDto,
  WatchDepartmentDto,
} from './live.dto';
import { ChatActions } from './conversation/chat-actions';
import {
  ChatMessageDto,
  MediaStateDto,
  QualityReportDto,
  RecordingStateMoveDto,
} from './conversation/conversation.dto';
import { MediaActions } from './conversation/media-actions';
import { EventLimiter } from './limits/event-limiter';
import { CallbackActions } from './callback-actions';
import { InstanceListeners } from './broadcasts/instance-listeners';
import { LiveActions } from './live-actions';
import { OfferActions } from './offer-actions';
import { LiveSockets } from './live-sockets';
import { Signalling } from './signalling';
import { HolderActions } from './signals/holder-actions';
import { RequestedSnapshots } from './snapshots/requested-snapshots';
import { connectContextOf, SocketAuthentication } from './socket-authentication';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

const EVENTS = new Set([
  'authenticate',
  'snapshot',
  'join_call',
  'leave_queue',
  'request_callback',
  'cancel_callback',
  'signal',
  'renegotiate',
  'take_over',
  'end_call',
  'accept_offer',
  'decline_offer',
  'set_presence',
  'watch_department',
  'unwatch_department',
  'chat_message',
  'media_state',
  'device_report',
  'quality_report',
  'recording_state',
]);

/** It belongs to the span that the client names in its handshake. */
const connectSpan = ({ data, handshake }: LiveSocket): SpanDescription => ({
  name: 'socket connect',
  kind: SpanKind.SERVER,
  attributes: { 'vcq.socket.kind': data.kind },
  carrier: handshake.headers,
});

/** Receives socket events and delegates each of them. LiveSockets handles connecting and disconnecting. */
@UseInterceptors(AckInterceptor)
@WebSocketGateway()
export class LiveGateway implements OnGatewayInit<Server | Namespace> {
  constructor(
    private readonly server: SocketServer,
    private readonly sockets: LiveSockets,
    private readonly limiter: EventLimiter,
    private readonly actions: LiveActions,
    private readonly offers: OfferActions,
    private readonly departments: DepartmentWatch,
    private readonly signalling: Signalling,
    private readonly holders: HolderActions,
    private readonly snapshots: RequestedSnapshots,
    private readonly authentication: SocketAuthentication,
    private readonly instances: InstanceListeners,
    private readonly callbacks: CallbackActions,
    private readonly chat: ChatActions,
    private readonly media: MediaActions,
  ) {}

  afterInit(server: Server | Namespace): void {
    this.server.attach(server);
    server.use((socket, next) => this.authentication.middleware(socket as LiveSocket, next));
    if (server instanceof Server) this.instances.listen();
    const disconnect = (socket: LiveSocket) => this.disconnect(socket);
    /** One function for all sockets, which it gets as `this`. */
    function onDisconnect(this: LiveSocket, reason: DisconnectReason): void {
      disconnect(this);
      // Socket.IO would keep the connection, which is subject to no limit without a socket.
      if (reason === 'client namespace disconnect') this.conn.close(true);
    }
    // Nest would call handleConnection only with the first event (SocketAdapter).
    server.on('connection', (socket: Socket) => {
      socket.on('disconnect', onDisconnect);
      this.connect(socket as LiveSocket);
    });
  }

  private connect(socket: LiveSocket): void {
    this.limiter.limit(socket, EVENTS);
    const open = () => traced(connectSpan(socket), () => this.sockets.open(socket));
    socket.data.opening = requestContext.run(connectContextOf(socket), open);
  }

  private disconnect(socket: LiveSocket): void {
    this.limiter.release(socket);
    this.sockets.close(socket);
  }

  @ReservedConnection()
  @SubscribeMessage('authenticate')
  authenticate(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() { token }: AuthenticateDto,
  ): Promise<void> {
    return this.authentication.renew(socket, token);
  }

  @ReservedConnection()
  @SubscribeMessage('snapshot')
  snapshot(@ConnectedSocket() socket: LiveSocket): Promise<object> {
    return this.snapshots.of(socket);
  }

  @ReservedConnection()
  @SubscribeMessage('join_call')
  joinCall(@ConnectedSocket() socket: LiveSocket, @MessageBody() input: JoinCallDto): Promise<object> {
    return this.actions.joinCall(socket, input);
  }

  @SubscribeMessage('leave_queue')
  leaveQueue(@ConnectedSocket() socket: LiveSocket): Promise<object> {
    return this.actions.leaveQueue(socket);
  }

  @SubscribeMessage('request_callback')
  requestCallback(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() input: RequestCallbackDto,
  ): Promise<object> {
    return this.callbacks.request(socket, input);
  }

  @SubscribeMessage('cancel_callback')
  cancelCallback(@ConnectedSocket() socket: LiveSocket): Promise<object> {
    return this.callbacks.cancel(socket);
  }

  @ReservedConnection()
  @SubscribeMessage('signal')
  signal(@ConnectedSocket() socket: LiveSocket, @MessageBody() message: SignalDto): Promise<object> {
    return this.signalling.relay(socket, this.actions.callOf(socket, message.call_id), message);
  }

  @ReservedConnection()
  @SubscribeMessage('renegotiate')
  renegotiate(@ConnectedSocket() socket: LiveSocket, @MessageBody() { call_id }: InCallDto): Promise<object> {
    return this.signalling.renegotiate(socket, this.actions.callOf(socket, call_id));
  }

  @ReservedConnection()
  @SubscribeMessage('take_over')
  takeOver(@ConnectedSocket() socket: LiveSocket): Promise<object> {
    return this.holders.takeOver(socket);
  }

  @ReservedConnection()
  @SubscribeMessage('end_call')
  endCall(@ConnectedSocket() socket: LiveSocket, @MessageBody() { call_id }: InCallDto): Promise<object> {
    return this.actions.endCall(socket, this.actions.callOf(socket, call_id));
  }

  @ReservedConnection()
  @SubscribeMessage('accept_offer')
  acceptOffer(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() { offer_id }: OfferAnswerDto,
  ): Promise<object> {
    return this.offers.accept(socket, offer_id);
  }

  @ReservedConnection()
  @SubscribeMessage('decline_offer')
  declineOffer(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() { offer_id, reason }: OfferAnswerDto,
  ): Promise<object> {
    return this.offers.decline(socket, offer_id, reason ?? null);
  }

  @SubscribeMessage('set_presence')
  setPresence(@ConnectedSocket() socket: LiveSocket, @MessageBody() choice: SetPresenceDto): Promise<void> {
    return this.actions.setPresence(socket, choice);
  }

  @SubscribeMessage('watch_department')
  watchDepartment(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() { department_id }: WatchDepartmentDto,
  ): Promise<void> {
    return this.departments.watch(socket, department_id);
  }

  @SubscribeMessage('unwatch_department')
  unwatchDepartment(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() { department_id }: WatchDepartmentDto,
  ): Promise<void> {
    return this.departments.unwatch(socket, department_id);
  }

  @ReservedConnection()
  @SubscribeMessage('chat_message')
  chatMessage(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() message: ChatMessageDto,
  ): Promise<ChatMessage> {
    return this.chat.send(socket, this.actions.callOf(socket, message.call_id), message);
  }

  @ReservedConnection()
  @SubscribeMessage('media_state')
  mediaState(@ConnectedSocket() socket: LiveSocket, @MessageBody() state: MediaStateDto): Promise<void> {
    return this.media.relayState(socket, this.actions.callOf(socket, state.call_id), state);
  }

  @SubscribeMessage('device_report')
  deviceReport(@ConnectedSocket() socket: LiveSocket, @MessageBody() report: DeviceReportDto): Promise<void> {
    return this.media.reportDevice(socket, report);
  }

  @SubscribeMessage('quality_report')
  qualityReport(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() report: QualityReportDto,
  ): Promise<void> {
    return this.media.reportQuality(socket, this.actions.callOf(socket, report.call_id), report);
  }

  @ReservedConnection()
  @SubscribeMessage('recording_state')
  recordingState(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() move: RecordingStateMoveDto,
  ): Promise<RecordingState> {
    return this.media.changeRecording(socket, this.actions.callOf(socket, move.call_id), move);
  }
}
