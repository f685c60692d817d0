import type { StoredRecord } from '../payments/payment-view.ts'
import { readPictureSize } from './picture-size.ts'
import { newestShownAs, tagUse } from './tags.ts'
import { readUrl } from './url.ts'

type Link = { name: string; url: string; host: string }
/** The owner's public profile. */
export type Profile = {
  title?: string
  text?: string
  /** A small picture as a data URL, so that the page loads it from no other host. */
  avatar?: string
  links: Link[]
}

export const linksAtMost = 50
const depthAtMost = 8
export const profileLengths = { title: 120, text: 4_000, linkName: 120 } as const

/** Alternative names of the title and the text; the first present one counts. */
export const profileMembers = {
  title: ['title', 'name', 'display_name', 'heading'],
  text: ['text', 'description', 'bio', 'about', 'body'],
} as const
const addresses = ['url', 'href', 'link', 'address']
const names = ['name', 'title', 'label', 'text']

/** Owners may store any data: known members are read, the rest is ignored. */
export function readProfile(
  records: readonly StoredRecord[],
  pageData: unknown,
  linkData: unknown,
): Profile {
  const newest = (part: 'title' | 'text') => {
    const data = newestShownAs(records, part)?.data
    return data && inReadingOrder(data)
  }
  const title = textIn(pageData, profileMembers.title, profileLengths.title) ?? newest('title')
  const text = textIn(pageData, profileMembers.text, profileLengths.text) ?? newest('text')
  const profileLinks = records
    .filter(({ tag }) => tagUse(tag).shown === 'link')
    .map(({ data }) => data)
  const links = new Map<string, Link>()
  for (const data of [linkData, member(pageData, 'links'), profileLinks]) addLinks(links, data)
  const avatar = avatarOf(pageData)
  return {
    ...(avatar ? { avatar } : {}),
    ...(title ? { title } : {}),
    ...(text ? { text } : {}),
    links: [...links.values()],
  }
}

/** The number of characters of the data URL: about 9 kB of picture. */
export const longestAvatar = 12_000

/** The first bytes in base64. Other formats, such as SVG, could hold scripts or load files. */
const avatarFormats = /^data:image\/(?:jpeg;base64,\/9j\/|png;base64,iVBORw0KGgo|webp;base64,UklGR)/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The pixels of a side. A few bytes can become hundreds of megabytes in the memory of visitors. */
const largestAvatarSide = 512

/** The owner's picture; undefined if it is not a small JPEG, PNG or WebP in a data URL. */
export function avatarOf(pageData: unknown): string | undefined {
  const avatar = member(pageData, 'avatar')
  if (typeof avatar !== 'string' || avatar.length > longestAvatar) return undefined
  const picture = avatar.slice(avatar.indexOf(',') + 1)
  const isPicture = avatarFormats.test(avatar) && base64.test(picture)
  return isPicture && isSmall(picture) ? avatar : undefined
}

function isSmall(picture: string): boolean {
  const size = readPictureSize(bytesOf(picture))
  return size !== undefined && Math.max(size.width, size.height) <= largestAvatarSide
}

function bytesOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    // A group of four letters is not whole.
    return new Uint8Array()
  }
}

/** The picture drawn by the directory, or the owner's own. */
export const pictureOf = (locations: unknown): string | undefined =>
  followableUrl(textIn(locations, ['image'], 255))?.href

function textIn(data: unknown, members: readonly string[], length: number): string | undefined {
  for (const name of members) {
    const value = member(data, name)
    const text = typeof value === 'string' ? inReadingOrder(value.slice(0, 4 * length)).trim() : ''
    if (text !== '') return cut(text, length)
  }
  return undefined
}

/** Direction marks make “gnp.exe” look like “exe.png”. */
export const inReadingOrder = (text: string): string =>
  text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')

/** Stops at the limit: owners may store thousands. */
function addLinks(links: Map<string, Link>, data: unknown, depth = 0): void {
  if (links.size >= linksAtMost) return
  if (typeof data === 'string') addLink(links, readUrl(data))
  if (typeof data !== 'object' || data === null || depth > depthAtMost) return
  const url = addressIn(data)
  if (url) addLink(links, url, textIn(data, names, profileLengths.linkName))
  else for (const value of Object.values(data)) addLinks(links, value, depth + 1)
}

function addressIn(data: object): URL | undefined {
  for (const name of addresses) {
    const url = followableUrl(member(data, name))
    if (url) return url
  }
  return undefined
}

function addLink(links: Map<string, Link>, url: URL | undefined, name?: string): void {
  if (!url || links.has(url.href)) return
  links.set(url.href, { name: name ?? url.host, url: url.href, host: url.host })
}

/** Web addresses only, without credentials. */
const followableUrl = (address: unknown): URL | undefined =>
  typeof address === 'string' ? readUrl(address) : undefined

/**
 * The links that an owner stores: elements of lists that are texts or have an address, and all other
 * web addresses. Counts to one beyond the limit.
 */
export function hasTooManyLinks(linkData: unknown): boolean {
  let count = 0
  const visit = (data: unknown, inList: boolean, depth: number): void => {
    if (count > linksAtMost || depth > depthAtMost) return
    if (typeof data === 'string') {
      if (inList || readUrl(data)) count++
      return
    }
    if (typeof data !== 'object' || data === null) return
    const isLink = addresses.some((name) => typeof member(data, name) === 'string')
    if (isLink && (inList || addressIn(data))) {
      count++
      return
    }
    for (const value of Object.values(data)) visit(value, Array.isArray(data), depth + 1)
  }
  visit(linkData, false, 0)
  return count > linksAtMost
}

const member = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name)
    ? (data as Record<string, unknown>)[name]
    : undefined

const cut = (text: string, length: number): string => {
  // A character has at most two units.
  const characters = [...text.slice(0, 2 * (length + 1))]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}
