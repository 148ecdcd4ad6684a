const REVOKE_AFTER_MS = 60_000;

/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

export const jsonFile = (data: unknown): Blob =>
  new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
