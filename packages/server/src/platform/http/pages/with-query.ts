/** Adds members to the query of an address; the existing query stays byte for byte. */
export function withQuery(address: string, members: Record<string, string | undefined>): string {
  const entries = Object.entries(members).filter((one): one is [string, string] => Boolean(one[1]))
  const query = entries.map(([name, value]) => `${name}=${encode(value)}`).join('&')
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

const encode = (value: string): string => encodeURIComponent(value.toWellFormed())
