import { figuresBetween, type NetworkFigures } from './quality.rules';
import { readSample, type StatsSample } from './stats-sample';
import { isAlive, NOT_ALIVE, updateLiveness } from '../recovery/stall.rules';
import type { PeerConnection } from '../negotiation/peer-connection';

const INTERVAL_MS = 1000;
/** Until media arrive, so that the page sees at once that they do. */
const FAST_INTERVAL_MS = 300;
const SUSPECT_MS = 5000;
export const REPORT_INTERVAL_MS = 10_000;

export interface MonitorContext {
  connection: () => PeerConnection | null;
  /** Whether the other side has anything on. */
  expectsMedia: () => boolean;
  /** After each sample. `figures` is null without a connection and right after it began. */
  onSample: (figures: NetworkFigures | null) => void;
  /** The figures of the last 10 s. */
  onReport: (figures: NetworkFigures) => void;
  now: () => number;
}

/** Reads the statistics of the connection all the time. */
export class CallMonitor {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private isSampling = false;
  private suspectUntil = 0;
  private liveness = NOT_ALIVE;
  private native: RTCPeerConnection | null = null;
  private last: StatsSample | null = null;
  private reported: StatsSample | null = null;

  constructor(private readonly context: MonitorContext) {}

  get isAlive(): boolean {
    const state = this.native?.connectionState;
    if (state !== 'connected' && state !== 'disconnected') return false;
    return isAlive(this.liveness, this.context.expectsMedia(), this.isSuspect, this.context.now());
  }

  private get isSuspect(): boolean {
    return this.context.now() < this.suspectUntil;
  }

  /** The network has probably changed: looks more often and waits less. */
  suspect(): void {
    this.suspectUntil = this.context.now() + SUSPECT_MS;
    clearTimeout(this.timer);
    if (this.isRunning && !this.isSampling) void this.run();
  }

  start(): void {
    this.isRunning = true;
    void this.run();
  }

  stop(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    const connection = this.context.connection()?.native ?? null;
    if (connection !== this.native) this.restart(connection);
    this.isSampling = true;
    const figures = connection && (await this.sample(connection));
    this.isSampling = false;
    if (!this.isRunning) return;
    this.context.onSample(figures);
    const interval = this.isAlive && !this.isSuspect ? INTERVAL_MS : FAST_INTERVAL_MS;
    this.timer = setTimeout(() => void this.run(), interval);
  }

  /** The counters of another connection begin at zero. */
  private restart(connection: RTCPeerConnection | null): void {
    this.native = connection;
    this.liveness = { ...this.liveness, received: 0, lastAt: null };
    this.last = null;
    this.reported = null;
  }

  private async sample(connection: RTCPeerConnection): Promise<NetworkFigures | null> {
    const report = await connection.getStats().catch(() => null);
    if (!report || this.native !== connection) return null;
    const sample = readSample(report, this.context.now());
    this.liveness = updateLiveness(this.liveness, sample);
    const figures = this.last && figuresBetween(this.last, sample);
    this.last = sample;
    this.report(sample);
    return figures;
  }

  private report(sample: StatsSample): void {
    this.reported ??= sample;
    if (sample.at - this.reported.at < REPORT_INTERVAL_MS) return;
    if (this.isAlive) this.context.onReport(figuresBetween(this.reported, sample));
    this.reported = sample;
  }
}
