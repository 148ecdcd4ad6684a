const STORAGE_KEY = 'vcq-recording';

/** What this browser does with a call whose recording is on: it survives a reload, unlike the recorder. */
export type Mark = 'recording' | 'stopped';

export const recordingMark = {
  /** @returns null if another browser recorded the call */
  read(callId: string): Mark | null {
    const [id, mark] = (localStorage.getItem(STORAGE_KEY) ?? '').split(' ');
    return id === callId ? (mark as Mark) : null;
  },
  write(callId: string, mark: Mark): void {
    localStorage.setItem(STORAGE_KEY, `${callId} ${mark}`);
  },
  clear(callId: string): void {
    if (this.read(callId)) localStorage.removeItem(STORAGE_KEY);
  },
};
