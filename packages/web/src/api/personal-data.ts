/** Entries that this browser stores for one account. A sign-out removes them. */
const accountEntries = ['own-ids', 'shared-ids', 'invoice']
/**
 * A person can open a gift link, or request a sign-in link, before the sign-in, so that only a
 * sign-out removes these.
 */
const visitorEntries = ['gift-links', 'asked-links']
const accountEntry = 'account'
export const draftsEntry = 'drafts'

/** The account of this page. */
let account: string | undefined

export const currentAccount = (): string | undefined => account

/** Removes entries of another account, whose session ended without a sign-out in this browser. */
export function claimPersonalData(user_id: string): void {
  account = user_id
  try {
    if (window.localStorage.getItem(accountEntry) === user_id) return
    for (const entry of accountEntries) window.localStorage.removeItem(entry)
    window.localStorage.setItem(accountEntry, user_id)
  } catch {
    // Without storage there is no entry.
  }
}

/** Removes the unsaved input of this tab, after a sign-out in another one too. */
export function removeDrafts(): void {
  account = undefined
  try {
    window.sessionStorage.removeItem(draftsEntry)
  } catch {
    // Without storage there is no draft.
  }
}

/** The next person must find neither unsaved input nor entries of this one. */
export function removePersonalData(): void {
  removeDrafts()
  try {
    for (const entry of [accountEntry, ...accountEntries, ...visitorEntries]) {
      window.localStorage.removeItem(entry)
      window.sessionStorage.removeItem(entry)
    }
  } catch {
    // Without storage there is no entry.
  }
}
