import { unwrap, type Api } from '../../../../shared/api/client';
import type { ConsoleState } from '../../../state/console-state';
import { NotesDraft } from './notes-draft';

/** They outlive the page that shows them: what was typed at the end of a call is still saved. */
const drafts = new Map<string, NotesDraft>();

const prefixOf = (userId: string) => `vcq-notes ${userId} `;

/** @param initial the notes that the service has; a draft that is known follows them by itself */
export function notesDraftOf({ userId, session }: ConsoleState, callId: string, initial: string): NotesDraft {
  const key = `${prefixOf(userId)}${callId}`;
  const known = drafts.get(key);
  if (known) return known;
  const draft = new NotesDraft({
    initial,
    save: async (notes) => {
      // Another user has logged in: the notes wait for their author.
      if (session.user.value?.id !== userId) throw new Error('The author of the notes is not logged in.');
      await saveNotes(session.api, callId, notes);
    },
    unsaved: {
      read: () => sessionStorage.getItem(key),
      keep: (text) => sessionStorage.setItem(key, text),
      clear: () => sessionStorage.removeItem(key),
    },
  });
  drafts.set(key, draft);
  return draft;
}

/** Tries again to save the notes of earlier calls. */
export function resumeUnsavedNotes(state: ConsoleState): void {
  const prefix = prefixOf(state.userId);
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) notesDraftOf(state, key.slice(prefix.length), '');
  }
}

const saveNotes = (api: Api, id: string, notes: string) =>
  unwrap(api.PUT('/api/v1/calls/{id}', { params: { path: { id } }, body: { notes } }));
