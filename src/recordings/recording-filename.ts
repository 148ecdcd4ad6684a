/** Where it is not the type's own name. */
const EXTENSIONS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/x-matroska': 'mka',
  'video/matroska': 'mkv',
  'video/mp2t': 'ts',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
};

/** The name under which a recording is saved, such as `recording-2026-01-31.webm`; its day is UTC's. */
export function recordingFilename(contentType: string, recordedAt: Date): string {
  const [, name = 'bin'] = /^\w+\/(?:x-|vnd\.)?(\w+)/.exec(contentType) ?? [];
  return `recording-${recordedAt.toISOString().slice(0, 10)}.${EXTENSIONS[contentType] ?? name}`;
}
