/** The public page of an id reads it (packages/server/browser/id.js). */
const storage = 'own-ids'
const atMost = 500

/**
 * Remembers own ids in this browser, so that their public pages, which are the same for everybody,
 * show the link to edit them. It is no access: the account page checks the owner.
 */
export function rememberOwnIds(ids: readonly string[]): void {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(storage) ?? '[]')
    const before = Array.isArray(value) ? value : []
    const all = [...new Set([...ids, ...before])].slice(0, atMost)
    window.localStorage.setItem(storage, JSON.stringify(all))
  } catch {
    // Without storage, the owner opens the account first.
  }
}

export function forgetOwnIds(): void {
  try {
    window.localStorage.removeItem(storage)
  } catch {
    // There was nothing to remove.
  }
}
