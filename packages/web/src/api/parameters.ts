/**
 * The query parameters of a URL, the first of each name. A plus stays a plus: addresses and Base64
 * contain it, and neither contains spaces.
 */
export function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of query.replace(/^\?/, '').split('&')) {
    const [name = '', ...rest] = pair.split('=')
    if (name !== '' && !parameters.has(decodeText(name)))
      parameters.set(decodeText(name), decodeText(rest.join('=')))
  }
  return parameters
}

/** Builds a path with an encoded query; drops empty values. */
export function withParameters(path: string, values: Record<string, string>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== '')
  const query = pairs.map(([name, value]) => `${name}=${encoded(value)}`).join('&')
  return query === '' ? path : `${path}?${query}`
}

/** Returns badly encoded text unchanged. */
export const decodeText = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoding) => {
    try {
      return decodeURIComponent(encoding)
    } catch {
      return encoding
    }
  })

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
