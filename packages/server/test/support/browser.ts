import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import { chromiumAdvice, findChromium } from '../../../../scripts/browser.mjs'
import { webServer } from './outside.ts'

export type TestPage = Page & {
  /** Console errors, exceptions and dialogs, which no page may cause. */
  problems: string[]
}

type Look = {
  dark?: boolean
  /** A phone of this width, with a touch screen. */
  phoneWidth?: number
  /** Disables scripts. */
  script?: boolean
  /** Starts with an empty browser cache. */
  isFresh?: boolean
  /** Draws the page, for screenshots. */
  isDrawn?: boolean
}

/** One Chromium per worker process. */
let launched: Promise<Browser> | undefined
/**
 * Pages of finished tests. Their renderer has the scripts compiled, which halves the cost of a page
 * load.
 */
const idle: PageState[] = []

/** Chromium for the tests of a file. */
export function openBrowser() {
  beforeAll(async () => {
    launched ??= launch()
    await launched
  })

  return {
    /**
     * A page without cookies and storage of other tests. It is returned to the pool after the test.
     */
    async newPage(look: Look = {}): Promise<TestPage> {
      if (!launched) throw new Error('The browser is open during tests only.')
      const { dark, phoneWidth, script = true, isFresh = false, isDrawn = false } = look
      const canReuse = script && !isFresh && !phoneWidth && !isDrawn
      const reused = canReuse ? idle.pop() : undefined
      const pageState = reused ?? (await openPage(await launched, { script, phoneWidth, isDrawn }))
      const { page } = pageState
      await page.emulateMedia({
        colorScheme: dark ? 'dark' : 'light',
        // Animation frames cost more than the pages themselves. Tests about motion enable them.
        reducedMotion: 'reduce',
        media: null,
      })
      onTestFinished(async ({ task }) => {
        const isGood = canReuse && task.result?.state === 'pass'
        if (isGood && (await emptyPage(pageState).catch(() => false))) idle.push(pageState)
        else await page.context().close()
      })
      return collectProblems(page)
    },
  }
}

type PageState = {
  page: Page
  /** Origins whose storage the current test may have filled. */
  origins: Set<string>
  /** The page has an addition that cannot be removed. */
  isMarked: boolean
}

type Kind = { script: boolean; phoneWidth: number | undefined; isDrawn: boolean }

async function openPage(
  browser: Browser,
  { script, phoneWidth, isDrawn }: Kind,
): Promise<PageState> {
  const isPhone = phoneWidth !== undefined
  const context = await browser.newContext({
    viewport: isPhone ? { width: phoneWidth, height: 700 } : wide,
    isMobile: isPhone,
    hasTouch: isPhone,
    javaScriptEnabled: script,
  })
  // Shorter than the timeout of a test, so that the error names the step.
  context.setDefaultTimeout(4 * 60_000)
  if (!isDrawn) await context.addInitScript(makeTransparent)
  await context.addInitScript(collectAnnouncements)
  const origins = new Set<string>()
  context.on('page', (one) =>
    one.on('framenavigated', (frame) => {
      if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin)
    }),
  )
  const page = await context.newPage()
  const pageState: PageState = { page, origins, isMarked: false }
  for (const name of ['addInitScript', 'exposeFunction'] as const) {
    const add = page[name] as (...args: unknown[]) => Promise<unknown>
    const addMarked = (...args: unknown[]) => {
      pageState.isMarked = true
      return add.apply(page, args)
    }
    Object.assign(page, { [name]: addMarked })
  }
  return pageState
}

/**
 * Runs in the page: Chromium does not draw a transparent page, which saves a quarter of its work.
 * Layout, visibility for Playwright and input stay the same. The page's CSP does not apply.
 */
function makeTransparent() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { opacity: 0 }')
  document.adoptedStyleSheets = [sheet]
}

/**
 * Runs in the page: lists the texts that appear in live regions, for `waitForAnnouncement`. The
 * list is empty after a navigation.
 */
function collectAnnouncements() {
  const announcements: string[] = []
  Object.assign(globalThis, { announcements })
  const collect = (node: Node) => {
    const text = node.textContent?.trim()
    if (text) announcements.push(text)
  }
  const region = '[role=status]'
  const isInside = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest(region) != null
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target instanceof Text) {
        if (isInside(target)) collect(target)
      } else if (isInside(target)) addedNodes.forEach(collect)
      else
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          if (node.matches(region)) collect(node)
          else node.querySelectorAll(region).forEach(collect)
        }
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

const wide = { width: 1280, height: 800 }
const heardEvents = ['console', 'pageerror', 'dialog', 'request', 'requestfailed', 'response']

/** Removes all state of a test. Returns false if another test could notice it. */
async function emptyPage({ page, origins, isMarked }: PageState): Promise<boolean> {
  const context = page.context()
  if (isMarked || page.isClosed()) return false
  for (const event of heardEvents) page.removeAllListeners(event)
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)])
  for (const other of context.pages()) if (other !== page) await other.close()
  // A small page of the same site: on `about:blank` Chromium would start another renderer.
  const ownOrigins = [...origins].filter((origin) => origin.startsWith('http://localhost:'))
  if (!(await openFirst(page, ownOrigins))) return false
  await page.evaluate(() => sessionStorage.clear())
  const devtools = await devtoolsOf(page)
  for (const origin of origins)
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.send('Page.resetNavigationHistory')
  await Promise.all([context.clearCookies(), context.clearPermissions()])
  await page.setViewportSize(wide)
  origins.clear()
  return true
}

/** Opens the first of these that is a service of ours. Returns false if none is. */
async function openFirst(page: Page, origins: string[]): Promise<boolean> {
  for (const origin of origins) {
    const answer = await page.goto(`${origin}/health/live`).catch(() => undefined)
    if (answer?.ok()) return true
  }
  return false
}

async function launch(): Promise<Browser> {
  // Playwright stops Chromium when this process exits. Nothing else stops it if vitest was killed.
  process.once('disconnect', () => process.exit())
  const executablePath = findChromium()
  if (!executablePath) throw new Error(chromiumAdvice())
  return chromium.launch({
    executablePath,
    // In addition to Playwright's flags: disables background network requests.
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
      // Few large tiles render faster than many small ones.
      '--default-tile-width=2048',
      '--default-tile-height=2048',
      // Pages are too short-lived for optimizing compilers and extra processes: saves a fifth of
      // the work.
      '--js-flags=--max-lazy --no-turbofan --no-maglev',
      '--in-process-gpu',
      '--num-raster-threads=1',
    ],
  })
}

function collectProblems(page: Page): TestPage {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error')
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`))
  page.on('dialog', async (dialog) => {
    problems.push(`${dialog.type()}: ${dialog.message()}`)
    await dialog.dismiss()
  })
  return Object.assign(page, { problems })
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
const wantedRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules that depend on colours or on the width of the window. */
const rulesOfLooks = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
]

type Extent = {
  /** Only the rules that depend on colours or width: an earlier check covered the others. */
  isAnotherLook?: boolean
}

/** The parts that this process has checked. */
const checkedParts = new Set<string>()

/**
 * Fails with a list of accessibility violations. Parts with the same position, appearance and
 * markup are checked once. Another look depends on the styles of an element and its ancestors, so
 * the same styles with other texts are checked once.
 */
export async function assertAccessible(
  page: Page,
  { isAnotherLook = false }: Extent = {},
): Promise<void> {
  const { look, parts, styles } = await page.evaluate(findParts)
  const keys = (isAnotherLook ? styles : parts).map((key) => `${isAnotherLook} ${look} ${key}`)
  const isChecked = (key: string) => checkedParts.has(key)
  // The first part is the whole page.
  if (isAnotherLook ? keys.every(isChecked) : keys.slice(0, 1).every(isChecked)) return
  const checkedPlaces = keys.flatMap((key, nth) => (isChecked(key) ? nth : []))
  // The debugger's evaluations are not page scripts, so the page's CSP does not apply.
  const devtools = await devtoolsOf(page)
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await devtools.send('Runtime.evaluate', { expression: axeSource })
  const violations = await page.evaluate(
    async ({ runOnly, checked, isAnotherLook }) => {
      const { axe, axeParts } = globalThis as unknown as {
        axe: typeof axeCore
        axeParts: Element[]
      }
      if (!axeParts.every(({ isConnected }) => isConnected)) return undefined
      const exclude = new Set(checked.flatMap((nth) => axeParts[nth] ?? []))
      // All styles inside an element with new styles are new. Inside an element with known styles,
      // some may be new.
      const hasKnownParent = ({ parentElement: parent }: Element) =>
        parent === null || parent === document.documentElement || exclude.has(parent)
      const context = isAnotherLook
        ? { include: axeParts.filter((part) => !exclude.has(part) && hasKnownParent(part)) }
        : { exclude: [...exclude] }
      // The colours behind `makeTransparent`. Removing its style would draw the page.
      const { getComputedStyle } = window
      const readOpaque = (style: CSSStyleDeclaration) =>
        new Proxy(style, {
          get: (_, name) => {
            if (name === 'opacity') return '1'
            if (name !== 'getPropertyValue') return Reflect.get(style, name, style)
            return (wanted: string) => (wanted === 'opacity' ? '1' : style.getPropertyValue(wanted))
          },
        })
      window.getComputedStyle = (element, pseudo) => {
        const style = getComputedStyle(element, pseudo)
        return element === document.documentElement && !pseudo ? readOpaque(style) : style
      }
      // A search page has thousands of passing elements: listing them took most of the time. No
      // rule reads the parsed style sheets.
      const options = { resultTypes: ['violations' as const], preload: { assets: ['media'] } }
      const { violations } = await axe.run(context, { runOnly, ...options })
      window.getComputedStyle = getComputedStyle
      return violations
    },
    {
      runOnly: isAnotherLook ? rulesOfLooks : wantedRules,
      checked: checkedPlaces,
      isAnotherLook,
    },
  )
  // The page has changed since its parts were found.
  if (!violations) return assertAccessible(page, { isAnotherLook })
  if (violations.length === 0) for (const key of keys) checkedParts.add(key)
  if (violations.length === 0) return
  const lines = violations.flatMap(({ id, impact, help, nodes }) => [
    `${id} (${impact}): ${help}`,
    ...nodes.map(({ html, failureSummary = '' }) =>
      [html, ...failureSummary.split('\n')].map((line) => `    ${line}`).join('\n'),
    ),
  ])
  throw new Error(`${await page.title()} (${page.url()}) is not accessible:\n${lines.join('\n')}`)
}

/** Runs in the page: hashes every element by its markup and the styles around it. */
function findParts() {
  /** Two numbers of 32 bits, mixed with each character. */
  const digest = (text: string): string => {
    let [one, two] = [0xdeadbeef, 0x41c6ce57]
    for (let nth = 0; nth < text.length; nth++) {
      const code = text.charCodeAt(nth)
      one = Math.imul(one ^ code, 2_654_435_761)
      two = Math.imul(two ^ code, 1_597_334_677)
    }
    return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
  }
  /** Names, ids and numbers differ from test to test. */
  const masked = (text: string): string =>
    text
      .replace(/[\w.-]+@[\w.-]+|emoji id: [^.;$]*|[\w-]*\d[\w-]*/g, '0')
      .replace(/\p{Extended_Pictographic}+/gu, '1')
      .trim()
  const spokenPattern = /^(class|role|type|lang|alt|tabindex|style|aria-.*)$/
  const references = /^(for|aria-(labelledby|describedby|controls|owns|errormessage))$/
  const exists = (id: string) => document.getElementById(id) !== null
  const readAttribute = ({ name, value }: Attr): string => {
    if (references.test(name)) return value.split(/\s+/).every(exists) ? 'found' : 'missing'
    if (spokenPattern.test(name)) return masked(value)
    return value === '' ? '' : 'set'
  }
  /** Attributes whose values no style sheet selects by. */
  const unstyled = /^(id|name|for|href|src|srcset|value|alt|title|d|aria-(label|.*by|controls))$/
  const parts: { element: Element; part: string }[] = []
  const styles: string[] = []
  const visit = (element: Element, place: string, placeStyle: string): string => {
    const nth = parts.push({ element, part: '' }) - 1
    const all = [...element.attributes]
    const attributes = all.map((one) => `${one.name}=${readAttribute(one)}`)
    const elementDigest = digest(`${place} ${element.tagName} ${element.getAttribute('class')}`)
    const styling = all.map(({ name, value }) => (unstyled.test(name) ? name : `${name}=${value}`))
    const style = digest([placeStyle, element.tagName, ...styling.sort()].join('\n'))
    styles.push(style)
    const content = [...element.childNodes].map((child) => {
      if (child instanceof Element) return visit(child, elementDigest, style)
      return child instanceof Text ? masked(child.data) : ''
    })
    const markup = digest([element.tagName, ...attributes.sort(), ...content].join('\n'))
    const one = parts[nth]
    if (one) one.part = `${elementDigest} ${markup}`
    return markup
  }
  const page = document.title === '' ? 'untitled' : document.documentElement.lang
  visit(document.body, page, page)
  Object.assign(globalThis, { axeParts: parts.map(({ element }) => element) })
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const look = `${isDark} ${innerWidth}`
  return { look, parts: parts.map(({ part }) => part), styles }
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

function devtoolsOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** Fails if the page scrolls horizontally. */
export async function assertFits(page: Page): Promise<void> {
  const { content, room } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { content: scrollWidth, room: clientWidth }
  })
  if (content > room) throw new Error(`${page.url()} is ${content} px wide, and has ${room} px.`)
}

/**
 * A third-party page. For the service at localhost it is of another site, or only of another
 * origin.
 */
export async function foreignPage(html: string, port?: number) {
  const server = await webServer(
    (_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
    port,
  )
  onTestFinished(() => server.close())
  return {
    crossSite: `http://127.0.0.1:${server.port}`,
    sameSite: `http://localhost:${server.port}`,
    asked: server.asked,
  }
}
