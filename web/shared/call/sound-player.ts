/** Plays the other side's sound, also while no video is shown. Browsers refuse sound before the page was tapped. */
export class SoundPlayer {
  private readonly element = new Audio();
  private isBlocked = false;
  private track: MediaStreamTrack | null = null;

  /** @param onBlocked gets true when the browser refuses, and false when sound plays */
  constructor(private readonly onBlocked: (isBlocked: boolean) => void) {
    this.element.autoplay = true;
    this.element.setAttribute('playsinline', '');
  }

  setTrack(track: MediaStreamTrack | null): void {
    if (track === this.track) return;
    this.track = track;
    this.element.srcObject = track && new MediaStream([track]);
    if (track) void this.play();
  }

  async play(): Promise<void> {
    if (!this.element.srcObject) return;
    try {
      await this.element.play();
      this.setBlocked(false);
    } catch (error) {
      // Any other error means that the sound was replaced meanwhile.
      if ((error as DOMException).name === 'NotAllowedError') this.setBlocked(true);
    }
  }

  async setSpeaker(deviceId: string): Promise<void> {
    await this.element.setSinkId(deviceId);
  }

  close(): void {
    this.setBlocked(false);
    this.element.pause();
    this.element.srcObject = null;
  }

  private setBlocked(isBlocked: boolean): void {
    if (isBlocked === this.isBlocked) return;
    this.isBlocked = isBlocked;
    for (const event of ['pointerup', 'keydown'] as const) {
      if (isBlocked) document.addEventListener(event, this.onTap);
      else document.removeEventListener(event, this.onTap);
    }
    this.onBlocked(isBlocked);
  }

  private readonly onTap = () => void this.play();
}
