export interface TextSelection {
  start: number;
  end: number;
}

/** @returns the text with the insertion instead of the selection, and the position after it */
export function insertText(text: string, { start, end }: TextSelection, insertion: string) {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const lead = before === '' || /\s$/u.test(before) ? '' : ' ';
  const trail = after === '' || /^\s/u.test(after) ? '' : ' ';
  return {
    text: `${before}${lead}${insertion}${trail}${after}`,
    position: before.length + lead.length + insertion.length,
  };
}
