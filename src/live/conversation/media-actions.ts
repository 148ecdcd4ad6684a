import { Injectable } from '@nestjs/common';
import { DeviceReports } from '../../calls/media/device-reports';
import type { DeviceReportDto } from '../../calls/media/media.dto';
import { QualityReports } from '../../calls/media/quality-reports';
import type { RecordingState } from '../../calls/media/recording-state.rules';
import { RecordingStates } from '../../calls/media/recording-states';
import { Clock } from '../../platform/clock/clock';
import { forbidden, unprocessable } from '../../platform/http/errors/api-error';
import { rooms } from '../rooms';
import { Signalling } from '../signalling';
import { SocketServer } from '../socket-server';
import type { LiveSocket } from '../socket.types';
import type { MediaStateDto, QualityReportDto, RecordingStateMoveDto } from './conversation.dto';
import { EventBudgets } from './event-budgets';
import { senderOf } from './sender';

/** What clients report about their media. Each event has a budget of its own (429 beyond it). */
@Injectable()
export class MediaActions {
  constructor(
    private readonly devices: DeviceReports,
    private readonly quality: QualityReports,
    private readonly recordings: RecordingStates,
    private readonly signalling: Signalling,
    private readonly budgets: EventBudgets,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  /** Relays the state to the other side. Nothing stores it: clients send it again on each `peer_ready`. @throws as signals */
  async relayState(socket: LiveSocket, callId: string, input: MediaStateDto): Promise<void> {
    this.budgets.take(socket, 'media_state', callId);
    const { state } = await this.signalling.ensureConnectable(socket, callId);
    const isAgent = socket.data.kind === 'staff';
    const otherSide = isAgent ? rooms.customerOf(callId) : rooms.user(state.user_id ?? '');
    const { audio, video, screen } = input;
    this.sockets.emitTo(otherSide, 'media_state', {
      call_id: callId,
      at: this.clock.now().toISOString(),
      version: state.version,
      from: isAgent ? 'agent' : 'customer',
      audio,
      video,
      screen,
    });
  }

  /** @throws 403 for staff; as DeviceReports */
  async reportDevice(socket: LiveSocket, report: DeviceReportDto): Promise<void> {
    const { data } = socket;
    if (data.kind !== 'customer') throw forbidden('Only the customer can do this.');
    const { tenant_id, call_id } = data.customer;
    this.budgets.take(socket, 'device_report', call_id);
    await this.devices.save(tenant_id, call_id, report);
  }

  /** @throws 422 for a report without any figure; as signals; 429 as QualityReports */
  async reportQuality(socket: LiveSocket, callId: string, report: QualityReportDto): Promise<void> {
    this.budgets.take(socket, 'quality_report', callId);
    const { rtt_ms = null, loss = null, bitrate = null } = report;
    if (rtt_ms === null && loss === null && bitrate === null) {
      throw unprocessable('validation_failed', 'A report has rtt_ms, loss or bitrate.');
    }
    await this.signalling.ensureConnectable(socket, callId);
    await this.quality.add({ ...senderOf(socket), call_id: callId }, { rtt_ms, loss, bitrate });
  }

  /** RecordingBroadcast informs both sides. @throws as RecordingStates */
  async changeRecording(
    socket: LiveSocket,
    callId: string,
    input: RecordingStateMoveDto,
  ): Promise<RecordingState> {
    this.budgets.take(socket, 'recording_state', callId);
    // Staff who may not see the call must not learn that it exists.
    if (socket.data.kind === 'staff') await this.signalling.ensureConnectable(socket, callId);
    const { recording, consent = null } = input;
    return this.recordings.change(senderOf(socket), callId, { recording, consent });
  }
}
