import { browserNotes } from './browser-notes.ts'

/** Email addresses for which this browser requested a sign-in link. */
export const requestedLinks = browserNotes('asked-links')
