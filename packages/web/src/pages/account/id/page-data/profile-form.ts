import { avatarOf, checkUrl, profileMembers, RecordError, readProfile } from '@emojid/core'
import { texts } from './texts.ts'

export type FormLink = { key: string; name: string; url: string }
export type ProfileForm = {
  title: string
  text: string
  /** A data URL; empty without a picture. */
  avatar: string
  links: readonly FormLink[]
}

type Data = Record<string, unknown>

let linkCount = 0
/** Drafts survive a reload, which starts the count anew. */
export const newLink = (name = '', url = ''): FormLink => ({
  key: `${Date.now()} ${++linkCount}`,
  name,
  url,
})

/** Reads the form from stored data of any shape. */
export function readForm(pageData: unknown, linkData: unknown): ProfileForm {
  const page = asObject(pageData)
  const textOf = (names: readonly string[]) => String(page[nameIn(page, names) ?? ''] ?? '')
  const { links } = readProfile([], { links: page.links }, linkData)
  return {
    title: textOf(profileMembers.title),
    text: textOf(profileMembers.text),
    avatar: avatarOf(page) ?? '',
    links: links.map(({ name, url, host }) => newLink(name === host ? '' : name, url)),
  }
}

/** Writes the form into the page data and keeps unknown members. */
export function writePage(pageData: unknown, { title, text, avatar }: ProfileForm): Data {
  const before = asObject(pageData)
  // Links now live in one place.
  const { links: _, ...page } = before
  // A picture that pages don’t show belongs to another program.
  const avatarNames = avatarOf(before) ? ['avatar'] : []
  return {
    ...omitNames(page, [...avatarNames, ...profileMembers.title, ...profileMembers.text]),
    ...member(nameIn(before, profileMembers.title) ?? 'title', title),
    ...member(nameIn(before, profileMembers.text) ?? 'text', text),
    ...member('avatar', avatar),
  }
}

export const writeLinks = ({ links }: ProfileForm): object[] =>
  links.map(({ name, url }) => ({ ...member('name', name), url: url.trim() }))

/**
 * The part of the stored data that the form shows. Two versions that look the same are the same: a
 * save keeps all other members.
 */
export function versionOf(pageData: unknown, linkData: unknown): string {
  const form = readForm(pageData, linkData)
  return JSON.stringify([writePage({}, form), writeLinks(form)])
}

/** Whether two forms say the same. The keys of links are new after a reload. */
export function isSameForm(one: ProfileForm, other: ProfileForm): boolean {
  const contentOf = ({ title, text, avatar, links }: ProfileForm) =>
    JSON.stringify([title, text, avatar, links.map(({ name, url }) => [name, url])])
  return contentOf(one) === contentOf(other)
}

/** The error of a link. */
export function problemOf({ url }: FormLink): string | undefined {
  if (url.trim() === '') return texts.noUrl
  try {
    checkUrl(url.trim())
    return undefined
  } catch (error) {
    if (error instanceof RecordError) return error.message
    throw error
  }
}

const asObject = (data: unknown): Data =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Data) : {}

/** The name to show: the first one with visible text. */
const nameIn = (data: Data, names: readonly string[]): string | undefined =>
  names.find((name) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    return typeof value === 'string' && value.trim() !== ''
  })

const member = (name: string, text: string): Data =>
  text.trim() === '' ? {} : { [name]: text.trim() }

/** Removes texts that would take precedence over the new one. Other values stay. */
const omitNames = (data: Data, names: readonly string[]): Data =>
  Object.fromEntries(
    Object.entries(data).filter(
      ([name, value]) => !(names.includes(name) && typeof value === 'string'),
    ),
  )
