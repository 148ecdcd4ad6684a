/** A number as people write them, letters included, as of the CNPJ of 2026. */
const NUMBER = /^(?=.*\d)[\p{L}\p{N}+().,/-]+$/u;

/** More words than this narrow nothing down any further. */
const MAX_WORDS = 8;

/**
 * The words of a search, in whatever order they stand: "Lima João" finds João Lima. Each is a list of forms, of which
 * one has to be found: a number with its punctuation is looked for without, too.
 */
export function parseSearchWords(search = ''): string[][] {
  const words = search.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return words.map((word) => {
    const bare = NUMBER.test(word) ? word.replace(/[^\p{L}\p{N}]/gu, '') : word;
    return bare === word ? [word] : [word, bare];
  });
}
