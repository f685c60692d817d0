import { currentAccount, draftsEntry } from './personal-data.ts'

type Drafts = Record<string, unknown>
type StoredDrafts = { account: string; drafts: Drafts }

/** Ignores drafts of another account, which this tab may still store. */
const readAll = (): Drafts => {
  try {
    const text = window.sessionStorage.getItem(draftsEntry) ?? '{}'
    const { account, drafts = {} } = JSON.parse(text) as Partial<StoredDrafts>
    return account === currentAccount() ? drafts : {}
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
    const account = currentAccount()
    if (account === undefined) return
    try {
      // JSON leaves out undefined.
      const stored = { account, drafts: { ...readAll(), [key]: draft } }
      window.sessionStorage.setItem(draftsEntry, JSON.stringify(stored))
    } catch {
      // Without storage, the browser warns before it drops the input.
    }
  },
}
