/** The transfer whose link was opened in this browser. Its token never stays in the address. */
export type GiftSearch = { offer?: string }

export function readGift(search: Record<string, unknown>): GiftSearch {
  const { offer } = search
  return typeof offer === 'string' && /^[0-9a-f-]{36}$/.test(offer) ? { offer } : {}
}

/** Takes the token out of the address bar, so that it is neither seen nor bookmarked. */
export function takeGiftToken(): string | undefined {
  const { hash, pathname, search } = window.location
  const token = hash.slice(1)
  if (!/^[\w-]{43}$/.test(token)) return undefined
  window.history.replaceState(window.history.state, '', pathname + search)
  return token
}
