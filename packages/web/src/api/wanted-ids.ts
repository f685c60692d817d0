import { browserNotes } from './browser-notes.ts'

/** Ids that the visitor chose in this browser before signing in. */
export const wantedIds = browserNotes('wanted-ids')
