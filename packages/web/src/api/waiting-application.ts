import { browserNotes } from './browser-notes.ts'

const mark = 'application'
const notes = browserNotes('waiting-application')

/** The authorization site sends people here to get an id; its own cookie holds the request. */
function readArrival(): void {
  const address = new URL(window.location.href)
  if (address.searchParams.get('for') !== mark) return
  address.searchParams.delete('for')
  window.history.replaceState(window.history.state, '', address)
  notes.note(mark)
}

readArrival()

/** Whether an application waits at the authorization site for the id of this person. */
export const isApplicationWaiting = notes.has(mark)

export const forgetApplication = (): void => notes.remove(mark)
