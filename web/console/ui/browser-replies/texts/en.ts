import { plural } from '../../../../shared/texts/plural';

const en = {
  title: 'Texts in this browser',
  question: (n: number) =>
    plural(
      n,
      'One of your texts for notes is kept in this browser only. Shall all users of your company have it?',
      `${n} of your texts for notes are kept in this browser only. Shall all users of your company have them?`,
    ),
  import: 'Import for the company',
  keep: 'Keep them here',
  refused: (replies: string) => `These texts were not imported: ${replies}`,
};

export default en;
export type BrowserReplyTexts = typeof en;
