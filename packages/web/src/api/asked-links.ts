import { browserNotes } from './browser-notes.ts'

/** Addresses that a link to sign in with was asked for in this very browser. */
export const askedLinks = browserNotes('asked-links')
