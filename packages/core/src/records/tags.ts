import { tagClasses, tagLines } from './generated/tags.ts'
import { RecordError } from './record-error.ts'
import { addedTags, type DataForm, type ShownAs, type TagUse, tagUses } from './tag-additions.ts'

declare const brand: unique symbol

/** A record category as the wire writes it: `0x` and four lower-case hex digits. */
export type Tag = string & { readonly [brand]: 'Tag' }

export type TagClass = (typeof tagClasses)[number][2] | 'unknown'
export type TagInfo = {
  tag: Tag
  ticker: string | null
  name: string
  class: TagClass
  data_form: DataForm
  single_value: boolean
  payment: boolean
  max_bytes: number | null
}

/**
 * Parses `0x` hex in any letter case. Digits without `0x` could be decimal or hex: an address must
 * not end up in the wrong category, and a lookup of the wrong one would find no address.
 */
export function parseTag(text: string): Tag {
  if (!/^0x[0-9a-f]{1,4}$/i.test(text)) throw malformedTag(text)
  return tagFromNumber(Number.parseInt(text.slice(2), 16))
}

/** A comma-separated list, as in the `tags` parameter; ignores empty items and duplicates. */
export function parseTagList(text: string): Tag[] {
  const parts = text.split(',').filter((part) => part !== '')
  return [...new Set(parts.map((part) => parseTag(part.trim())))]
}

export function tagFromNumber(value: number): Tag {
  return `0x${value.toString(16).padStart(4, '0')}` as Tag
}

export function tagNumber(tag: Tag): number {
  return Number.parseInt(tag.slice(2), 16)
}

export function tagClass(tag: Tag): TagClass {
  const high = tagNumber(tag) >> 8
  return tagClasses.find(([from, to]) => high >= from && high <= to)?.[2] ?? 'unknown'
}

/** True if a new value of the category replaces the old one. */
export function isSingleValue(tag: Tag): boolean {
  return tagClass(tag) === 'crypto' || tagInfo(tag)?.single_value === true
}

let infoByTag: Map<Tag, TagInfo> | undefined

export function tagInfo(tag: Tag): TagInfo | undefined {
  infoByTag ??= indexTags()
  return infoByTag.get(tag)
}

function indexTags(): Map<Tag, TagInfo> {
  const frozen = tagLines.trim().split('\n').map(readLine)
  const added = addedTags.map((row): TagInfo => {
    const tag = parseTag(row.tag)
    const isCrypto = tagClass(tag) === 'crypto'
    const { ticker = null, single_value = isCrypto, payment = isCrypto, max_bytes = null } = row
    return { ...row, tag, ticker, class: tagClass(tag), single_value, payment, max_bytes }
  })
  const sorted = [...frozen, ...added].sort(
    (one, other) => tagNumber(one.tag) - tagNumber(other.tag),
  )
  return new Map(sorted.map((info) => [info.tag, info]))
}

/** How a category is checked, shown, edited and linked beyond what its `data_form` says. */
export const tagUse = (tag: string): TagUse => tagUses[tag] ?? {}

/** The newest record that is shown as this part of the page. */
export const newestShownAs = <One extends { tag: string }>(
  records: readonly One[],
  part: ShownAs,
): One | undefined => records.findLast(({ tag }) => tagUse(tag).shown === part)

/** Any currency without a category of its own, with its ticker. */
export const otherCurrencyTag = tagFromNumber(0x3fff)
/** Tokens, with their network. */
export const tokenTag = tagFromNumber(0x6300)

/** Every named category, by number. */
export function knownTags(): TagInfo[] {
  tagInfo(tagFromNumber(0))
  return [...(infoByTag as Map<Tag, TagInfo>).values()]
}

function readLine(line: string): TagInfo {
  const [tag, ticker, name, form, single, payment, most] = line.split('|') as string[]
  return {
    tag: tag as Tag,
    ticker: ticker || null,
    name: name as string,
    class: tagClass(tag as Tag),
    data_form: form as DataForm,
    single_value: single === '1',
    payment: payment === '1',
    max_bytes: most ? Number(most) : null,
  }
}

const shortened = (text: string): string => (text.length > 20 ? `${text.slice(0, 20)}…` : text)

function malformedTag(text: string): RecordError {
  return new RecordError(
    'malformed_tag',
    `“${shortened(text)}” is not a record category. Use 0x and up to four hex digits, such as 0x1003.`,
  )
}
