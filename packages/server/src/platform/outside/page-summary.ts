import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page } from './fetch-page.ts'
import { textOf } from './page-text.ts'

export type PageSummary = {
  /** The address after redirects. */
  url: string
  title: string | null
  description: string | null
  image: string | null
}

const longest = { title: 200, description: 500, image: 2_048, kept: 10_000 }
/**
 * Closing a tag costs as much as there are open ones: a page of open tags would block the process.
 */
const deepest = 100
const slice = 64 * 1024

/** The elements that describe a page, by precedence. */
const sources = {
  title: ['og:title', 'twitter:title', 'title'],
  description: ['og:description', 'description', 'twitter:description'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
}
const properties = new Set(Object.values(sources).flat())

/** The preview of a page. */
export async function summaryOf(page: Page): Promise<PageSummary> {
  const statements = await readStatements(textOf(page))
  const first = (names: string[], clean: (text: string) => string | undefined) =>
    names.map((name) => clean(statements.get(name) ?? '')).find((text) => text !== undefined) ??
    null
  return {
    url: page.url,
    title: first(sources.title, (text) => oneLine(text, longest.title)),
    description: first(sources.description, (text) => oneLine(text, longest.description)),
    image: first(sources.image, (text) => imageAddress(text, page.url)),
  }
}

/** The first value of each element, however broken the page is. */
async function readStatements(text: string): Promise<Map<string, string>> {
  const { Parser } = await import('htmlparser2')
  const statements = new Map<string, string>()
  let depth = 0
  let isTitle = false
  let isOver = false
  const parser = new Parser({
    onopentagname() {
      depth++
      if (depth <= deepest) return
      isOver = true
      parser.pause()
    },
    onopentag(name, { property, name: label, content }) {
      if (name === 'title') isTitle = !statements.has('title')
      if (name !== 'meta') return
      const key = (property ?? label ?? '').trim().toLowerCase()
      const value = content?.trim().slice(0, longest.kept)
      if (value && properties.has(key) && !statements.has(key)) statements.set(key, value)
    },
    ontext(part) {
      const title = statements.get('title') ?? ''
      if (isTitle && title.length < longest.kept) statements.set('title', title + part)
    },
    onclosetag(name) {
      depth--
      if (name === 'title') isTitle = false
    },
  })
  for (let at = 0; at < text.length && !isOver; at += slice) {
    parser.write(text.slice(at, at + slice))
    // Yields to the event loop.
    await nextTurn()
  }
  if (!isOver) parser.end()
  return statements
}

/** One line without control characters and direction overrides. */
function oneLine(text: string, most: number): string | undefined {
  const line = text
    .slice(0, longest.kept)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Z}\s]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  const characters = [...line]
  if (characters.length > most) return `${characters.slice(0, most - 1).join('')}…`
  return line === '' ? undefined : line
}

function imageAddress(text: string, page: string): string | undefined {
  if (text === '' || text.length > longest.image || !URL.canParse(text, page)) return undefined
  const { protocol, username, password, href } = new URL(text, page)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  const isPlain = username === '' && password === '' && href.length <= longest.image
  return isWeb && isPlain ? href : undefined
}
