const storage = 'gift-links'
const keptAtMost = 20
/** As long as an offer is open. */
const keptMs = 7 * 24 * 60 * 60 * 1_000

type StoredLinks = Record<string, { token: string; at: number; user_id?: string }>
type Offer = { transfer_id: string; user_id: string; is_new: boolean }
type Place = 'localStorage' | 'sessionStorage'

const read = (place: Place): StoredLinks => {
  try {
    const links: StoredLinks = JSON.parse(window[place].getItem(storage) ?? '{}')
    return Object.fromEntries(
      Object.entries(links).filter(([, { at }]) => Date.now() - at < keptMs),
    )
  } catch {
    return {}
  }
}

const write = (place: Place, links: StoredLinks): void => {
  try {
    if (Object.keys(links).length === 0) window[place].removeItem(storage)
    else window[place].setItem(storage, JSON.stringify(links))
  } catch {
    // Without storage, this browser asks for the code.
  }
}

/**
 * The tokens of gift links that were opened in this browser. Each takes the place of the emailed
 * code for one transfer. The token of a new recipient can set their first password, so it stays in
 * its tab. The others give no access, and a sign-in link opens a new tab.
 */
export const giftLinks = {
  keep({ transfer_id, user_id, is_new }: Offer, token: string): void {
    const place = is_new ? 'sessionStorage' : 'localStorage'
    giftLinks.remove(transfer_id)
    const link = { token, at: Date.now(), user_id }
    const newest = Object.entries({ ...read(place), [transfer_id]: link })
      .sort(([, a], [, b]) => b.at - a.at)
      .slice(0, keptAtMost)
    write(place, Object.fromEntries(newest))
  },
  find: (transfer_id: string): string | undefined =>
    (read('sessionStorage')[transfer_id] ?? read('localStorage')[transfer_id])?.token,
  remove(transfer_id: string): void {
    for (const place of ['localStorage', 'sessionStorage'] as const) {
      const { [transfer_id]: _, ...rest } = read(place)
      write(place, rest)
    }
  },
  /** The person who signs in must not find offers to the person before. */
  removeOfOthers(user_id: string): void {
    for (const place of ['localStorage', 'sessionStorage'] as const) {
      const own = Object.entries(read(place)).filter(([, link]) => link.user_id === user_id)
      write(place, Object.fromEntries(own))
    }
  },
}
