const storage = 'gift-links'
const keptAtMost = 20
/** As long as an offer is open. */
const keptMs = 7 * 24 * 60 * 60 * 1_000

type StoredLinks = Record<string, { token: string; at: number }>

const read = (): StoredLinks => {
  try {
    const links: StoredLinks = JSON.parse(window.localStorage.getItem(storage) ?? '{}')
    return Object.fromEntries(
      Object.entries(links).filter(([, { at }]) => Date.now() - at < keptMs),
    )
  } catch {
    return {}
  }
}

const write = (links: StoredLinks): void => {
  try {
    window.localStorage.setItem(storage, JSON.stringify(links))
  } catch {
    // Without storage, this browser asks for the code.
  }
}

/**
 * The tokens of gift links that were opened in this browser. Each takes the place of the emailed
 * code for one transfer; it gives no access to an account with a password.
 */
export const giftLinks = {
  keep(transfer_id: string, token: string): void {
    const newest = Object.entries({ ...read(), [transfer_id]: { token, at: Date.now() } })
      .sort(([, a], [, b]) => b.at - a.at)
      .slice(0, keptAtMost)
    write(Object.fromEntries(newest))
  },
  find: (transfer_id: string): string | undefined => read()[transfer_id]?.token,
  remove(transfer_id: string): void {
    const { [transfer_id]: _, ...rest } = read()
    write(rest)
  },
}
