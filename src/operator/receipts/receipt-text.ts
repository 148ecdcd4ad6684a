/**
 * Finds the receipt in a file: the receipt alone, or JSON as the API, the console and the commands give it.
 * @returns undefined if there is none
 */
export function receiptIn(content: string): string | undefined {
  const text = content.trim();
  if (!text.startsWith('{')) return text === '' ? undefined : text;
  try {
    const document = JSON.parse(text) as { receipt?: unknown; data?: { receipt?: unknown } };
    const receipt = document.receipt ?? document.data?.receipt;
    return typeof receipt === 'string' ? receipt : undefined;
  } catch {
    return undefined;
  }
}
