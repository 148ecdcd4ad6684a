import { recordingFilename } from './recording-filename';

describe('recordingFilename', () => {
  it.each([
    ['video/webm', 'recording-2026-01-31.webm'],
    ['audio/webm', 'recording-2026-01-31.webm'],
    ['video/mp4', 'recording-2026-01-31.mp4'],
    ['audio/mp4', 'recording-2026-01-31.m4a'],
    ['audio/x-m4a', 'recording-2026-01-31.m4a'],
    ['audio/mpeg', 'recording-2026-01-31.mp3'],
    ['audio/ogg', 'recording-2026-01-31.ogg'],
    ['audio/wav', 'recording-2026-01-31.wav'],
    ['video/quicktime', 'recording-2026-01-31.mov'],
    ['video/x-matroska', 'recording-2026-01-31.mkv'],
    ['video/vnd.avi', 'recording-2026-01-31.avi'],
    ['no type', 'recording-2026-01-31.bin'],
  ])('%s is saved as %s', (type, name) => {
    expect(recordingFilename(type, '2026-01-31')).toBe(name);
  });
});
