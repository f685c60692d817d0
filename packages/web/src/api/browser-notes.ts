import { hourMs } from '../time.ts'

const keptMs = hourMs

/** Short notes that only our own pages can write in this browser; each expires after an hour. */
export function browserNotes(storage: string) {
  const read = (): Record<string, number> => {
    try {
      const notes: Record<string, number> = JSON.parse(window.localStorage.getItem(storage) ?? '{}')
      return Object.fromEntries(Object.entries(notes).filter(([, at]) => Date.now() - at < keptMs))
    } catch {
      return {}
    }
  }
  return {
    note(text: string): void {
      try {
        const notes = { ...read(), [text.toLowerCase()]: Date.now() }
        window.localStorage.setItem(storage, JSON.stringify(notes))
      } catch {
        // Without storage, the page asks one more question.
      }
    },
    remove(text: string): void {
      try {
        const { [text.toLowerCase()]: _, ...rest } = read()
        window.localStorage.setItem(storage, JSON.stringify(rest))
      } catch {
        // Without storage there is no note.
      }
    },
    has: (text: string | null): boolean => text !== null && text.toLowerCase() in read(),
  }
}

/** Email addresses for which this browser requested a sign-in link. */
export const requestedLinks = browserNotes('asked-links')

/** Ids that the visitor chose in this browser before signing in. */
export const wantedIds = browserNotes('wanted-ids')
