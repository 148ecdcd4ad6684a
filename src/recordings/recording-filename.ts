/** Extensions that differ from the subtype's name. */
const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/x-matroska': 'mka',
  'video/matroska': 'mkv',
  'video/mp2t': 'ts',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
};

/** The file name of a downloaded recording, such as `recording-2026-01-31.webm`, with the UTC date. */
export function recordingFilename(contentType: string, recordedAt: Date): string {
  const [, name = 'bin'] = /^\w+\/(?:x-|vnd\.)?(\w+)/.exec(contentType) ?? [];
  return `recording-${recordedAt.toISOString().slice(0, 10)}.${EXTENSIONS[contentType] ?? name}`;
}
