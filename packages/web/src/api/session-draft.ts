type Drafts = Record<string, unknown>

/** One entry for all: the sign-out removes it by this name. */
const storage = 'drafts'

const readAll = (): Drafts => {
  try {
    return JSON.parse(window.sessionStorage.getItem(storage) ?? '{}') as Drafts
  } catch {
    return {}
  }
}

/**
 * Unsaved input of this tab, which survives a reload. It ends with the tab, so that the next person
 * at a shared computer does not find it.
 */
export const sessionDraft = {
  read: <Draft>(key: string): Draft | undefined => readAll()[key] as Draft | undefined,
  write(key: string, draft: unknown): void {
    try {
      // JSON leaves out undefined.
      window.sessionStorage.setItem(storage, JSON.stringify({ ...readAll(), [key]: draft }))
    } catch {
      // Without storage, the browser warns before it drops the input.
    }
  },
}
