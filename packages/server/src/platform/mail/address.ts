const longestAddress = 254
const longestLocalPart = 64
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const plainAddress = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[^.]*[A-Za-z])${label}$`,
)

/** Mail programs read lists, names, groups and line breaks out of an address: none of that passes. */
export function isPlainAddress(text: string): boolean {
  const isShort = text.length <= longestAddress && text.indexOf('@') <= longestLocalPart
  return isShort && plainAddress.test(text)
}
