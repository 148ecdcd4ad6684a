/** A phone or document number with punctuation. Alphanumeric CNPJ numbers (2026) contain letters. */
const NUMBER = /^(?=.*\d)[\p{L}\p{N}+().,/-]+$/u;

/** Words beyond these hardly narrow a search. */
const MAX_WORDS = 8;

/**
 * Splits a search into words, which match in any order: "Lima João" finds João Lima. Each word is a list of
 * alternatives, of which one must match: a number is also searched without its punctuation.
 */
export function parseSearchWords(search = ''): string[][] {
  const words = search.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return words.map((word) => {
    const plain = NUMBER.test(word) ? word.replace(/[^\p{L}\p{N}]/gu, '') : word;
    return plain === word ? [word] : [word, plain];
  });
}
