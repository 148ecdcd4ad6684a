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

/** The file name of a recording, such as `recording-2026-01-31.webm`. @param day YYYY-MM-DD */
export function recordingFilename(contentType: string, day: string): string {
  const [, name = 'bin'] = /^\w+\/(?:x-|vnd\.)?(\w+)/.exec(contentType) ?? [];
  return `recording-${day}.${EXTENSIONS[contentType] ?? name}`;
}
