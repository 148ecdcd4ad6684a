const en = {
  title: 'Canned replies',
  intro:
    'Texts of your company for notes and chat messages. Type / there and a part of the title, the text or the shortcut.',
  empty: 'There are no canned replies yet.',
  noneFound: 'No canned reply matches the search.',
  searchText: 'In title, text and shortcut',
  name: 'Title',
  text: 'Text',
  shortcut: 'Shortcut',
  shortcutText: 'Optional: the word behind the slash that finds this text first, for example “invoice”.',
  create: 'New canned reply',
  edit: (title: string) => `Canned reply ${title}`,
  deleteQuestion: (title: string) =>
    `“${title}” will be removed for all users. Notes and messages into which it was inserted stay.`,
  inBrowser: 'Only in this browser',
  inBrowserText: 'Your own texts from before your company could share them. You find them by / too.',
  askSupervisor: 'A supervisor can add them for the whole company.',
  import: 'Import for the company',
  remove: 'Remove',
  removeOne: (title: string) => `Remove ${title} from this browser`,
};

export default en;
export type CannedReplyTexts = typeof en;
