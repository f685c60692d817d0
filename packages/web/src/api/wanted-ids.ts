import { browserNotes } from './browser-notes.ts'

/** Ids that somebody chose in this very browser, before they had to sign in. */
export const wantedIds = browserNotes('wanted-ids')
