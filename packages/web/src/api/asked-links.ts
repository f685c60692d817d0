const storage = 'asked-links'
const keptMs = 60 * 60_000

type Asked = Record<string, number>

function read(): Asked {
  try {
    const asked: Asked = JSON.parse(window.localStorage.getItem(storage) ?? '{}')
    return Object.fromEntries(Object.entries(asked).filter(([, at]) => Date.now() - at < keptMs))
  } catch {
    return {}
  }
}

/** Addresses that a link to sign in with was asked for in this very browser. */
export const askedLinks = {
  note(email: string): void {
    try {
      const asked = { ...read(), [email.toLowerCase()]: Date.now() }
      window.localStorage.setItem(storage, JSON.stringify(asked))
    } catch {
      // Without storage there is one question more.
    }
  },
  has: (email: string | null): boolean => email !== null && email.toLowerCase() in read(),
}
