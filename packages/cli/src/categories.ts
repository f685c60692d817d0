import type { Client } from '@emojid/sdk'
import { UsageError } from './exit-codes.ts'

export type Categories = Awaited<ReturnType<typeof loadCategories>>

/** The categories of records, by number such as 0x1003 and by ticker or name. */
export async function loadCategories(client: Client) {
  const all = await client.api.directory.listTags()
  const byTag = new Map(all.map((info) => [info.tag, info]))
  return {
    nameOf(tag: string): string {
      const info = byTag.get(tag)
      return info ? (info.ticker ?? info.name) : tag
    },
    /** True if a new record replaces the existing ones, as for all currencies. */
    isSingle: (tag: string): boolean => {
      const kind = Number(tag) >> 8
      return (kind >= 0x10 && kind <= 0x3f) || byTag.get(tag)?.single_value === true
    },
    /** Throws unless it names one category; any number is valid. */
    tagOf(text: string): string {
      if (/^0x[0-9a-f]{4}$/i.test(text)) return text.toLowerCase()
      const named = text.toLowerCase()
      const matches = all.filter(
        ({ ticker, name }) => ticker?.toLowerCase() === named || name.toLowerCase() === named,
      )
      const [first, ...others] = matches
      if (first && others.length === 0) return first.tag
      if (first) {
        const choices = matches.map(({ tag, name }) => `${tag} (${name})`).join(', ')
        throw new UsageError(`“${text}” names several categories. Choose one of ${choices}.`)
      }
      throw new UsageError(
        `“${text}” is not a category. Use a number such as 0x1003, or a name such as BTC.`,
      )
    },
  }
}
