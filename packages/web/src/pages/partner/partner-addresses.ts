import { parseTag, type Tag, tagInfo } from '@emojid/core'
import { decodeText } from '../../api/parameters.ts'

/** An unverified address from a partner. */
export type PartnerAddress = { tag: Tag; address: string; wallet: string }
type Fault = 'too_long' | 'too_many' | 'base64' | 'json' | 'pair' | 'tag' | 'twice'
/** An unreadable part of the list, as sent. */
export type UnreadAddress = { text: string; fault: Fault }
type PartnerInput = { addresses: PartnerAddress[]; unread: UnreadAddress[] }
type ReadAddress = PartnerAddress | UnreadAddress

const MOST_CHARACTERS = 20_000
const MOST_ADDRESSES = 100

/** Reads both formats of the partner's addresses, at most one address per currency. */
export function readPartnerAddresses(texts: {
  addresses: string
  address_json: string
}): PartnerInput {
  const read = [...readList(texts.addresses), ...readJson(texts.address_json)]
  const isUnread = (one: ReadAddress): one is UnreadAddress => 'fault' in one
  const readable = read.filter((one): one is PartnerAddress => !isUnread(one))
  if (readable.length > MOST_ADDRESSES)
    return { addresses: [], unread: [{ text: String(readable.length), fault: 'too_many' }] }
  const tags = [...new Set(readable.map(({ tag }) => tag))]
  const groups = tags.map((group) => rejectAmbiguous(readable.filter(({ tag }) => tag === group)))
  const all = [...read.filter(isUnread), ...groups]
  return {
    addresses: all.filter((one): one is PartnerAddress => !isUnread(one)),
    unread: all.filter(isUnread),
  }
}

/** Rejects two different addresses for one currency. */
function rejectAmbiguous(group: PartnerAddress[]): ReadAddress {
  const [first] = group as [PartnerAddress]
  const isAmbiguous = group.some(({ address }) => address !== first.address)
  if (isAmbiguous) return { text: first.tag, fault: 'twice' }
  return group.find(({ wallet }) => wallet !== '') ?? first
}

/** `TAG=ADDRESS|TAG=ADDRESS`, possibly encoded twice. */
function readList(text: string): ReadAddress[] {
  if (text.length > MOST_CHARACTERS) return [toUnread(text, 'too_long')]
  const plain = !text.includes('=') && /%3d/i.test(text) ? decodeText(text) : text
  return plain
    .split('|')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, tag = '', address = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
      return address.trim() === '' ? toUnread(pair, 'pair') : toPartnerAddress(tag, address, '')
    })
}

/** Base64 of `[{ "TAG": "ADDRESS|WALLET NAME" }]`. */
function readJson(text: string): ReadAddress[] {
  if (text.trim() === '') return []
  if (text.length > MOST_CHARACTERS) return [toUnread(text, 'too_long')]
  const json = fromBase64(text)
  if (json === undefined) return [toUnread(text, 'base64')]
  const list = parseJson(json)
  if (!Array.isArray(list)) return [toUnread(json, 'json')]
  if (isNamedTwice(json, list)) return [toUnread(json, 'twice')]
  return list.flatMap((member): ReadAddress[] => {
    const pairs = isObject(member) ? Object.entries(member) : []
    if (pairs.length === 0) return [toUnread(JSON.stringify(member), 'pair')]
    return pairs.map(([tag, value]) => readMember(tag, value))
  })
}

/** JSON.parse silently keeps the last of two members with the same name. */
function isNamedTwice(json: string, list: readonly unknown[]): boolean {
  const strings = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)]
  const writtenCount = strings.filter(([, colon]) => colon !== undefined).length
  return writtenCount !== countMembers(list)
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, one) => sum + countMembers(one), own)
}

function readMember(tag: string, value: unknown): ReadAddress {
  if (typeof value !== 'string') return toUnread(`${tag}: ${JSON.stringify(value)}`, 'pair')
  const [address = '', ...names] = value.split('|')
  if (address.trim() === '') return toUnread(`${tag}: ${value}`, 'pair')
  // A pipe separates the parts of a record, so a name cannot contain one.
  return toPartnerAddress(tag, address, names.join(' '))
}

/** Accepts currencies only: a link must not change other records. */
function toPartnerAddress(addressText: string, address: string, wallet: string): ReadAddress {
  try {
    const tag = parseTag(addressText.trim())
    const info = tagInfo(tag)
    const isAddress = info?.data_form === 'address' || info?.data_form === 'address_hex20'
    if (info?.payment && isAddress)
      return { tag, address: address.trim(), wallet: truncateName(wallet) }
  } catch {
    // Reported like any other unknown currency.
  }
  return toUnread(`${addressText}=${address}`, 'tag')
}

/** Truncates a wallet name to the length of a record; a long name is no reason to reject an address. */
const truncateName = (name: string): string =>
  [...name.replaceAll(/\s+/g, ' ').trim()].slice(0, 60).join('').trim()

/** Accepts both Base64 alphabets, padded or not. */
function fromBase64(text: string): string | undefined {
  // URL decoding may have turned a plus into a space.
  const plain = decodeText(text.trim()).replaceAll(' ', '+')
  const usual = plain.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  try {
    const bytes = Uint8Array.from(atob(usual), (sign) => sign.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toUnread = (text: string, fault: Fault): UnreadAddress => ({
  text: text.length > 60 ? `${text.slice(0, 60)}…` : text,
  fault,
})
