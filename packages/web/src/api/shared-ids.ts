const storage = 'shared-ids'

/** Whether the owner has seen how to share an id, in this browser. */
export const sharedIds = {
  note(id: string): void {
    try {
      window.localStorage.setItem(storage, id)
    } catch {
      // Without storage the checklist keeps the item.
    }
  },
  hasAny(): boolean {
    try {
      return window.localStorage.getItem(storage) !== null
    } catch {
      return false
    }
  },
}
