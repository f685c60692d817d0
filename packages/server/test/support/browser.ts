import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { chromiumAdvice, findChromium } from '../../../../scripts/browser.mjs'
import { webServer } from './outside.ts'

export type TestPage = Page & {
  /** Errors on the console, thrown ones, and dialogs: what nobody should see. */
  problems: string[]
}

type Look = {
  dark?: boolean
  /** As wide as a telephone. */
  narrow?: boolean
  reducedMotion?: boolean
  /** Without it no script runs. */
  script?: boolean
}

/** Chromium for the tests of a file: opened before them, closed after. */
export function openBrowser() {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(async () => browser?.close())

  return {
    /** A page that knows nothing of the others; it is closed after the test. */
    async newPage({ dark, narrow, reducedMotion, script }: Look = {}): Promise<TestPage> {
      if (!browser) throw new Error('The browser is open during tests only.')
      const context = await browser.newContext({
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        viewport: narrow ? { width: 390, height: 844 } : { width: 1280, height: 800 },
        isMobile: narrow ?? false,
        javaScriptEnabled: script ?? true,
      })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      return collectProblems(page)
    },
  }
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(chromiumAdvice())
  return chromium.launch({
    executablePath,
    // Beside what Playwright gives: nothing that asks the network of its own accord.
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
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

/** Fails with a list of what stands in people's way; not in the parts that were looked at before. */
export async function assertAccessible(page: Page, seenBefore: string[] = []): Promise<void> {
  // What the debugger evaluates is no script of the page, so that its policy does not matter.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async ({ runOnly, exclude }) => {
      const { axe } = globalThis as unknown as { axe: typeof axeCore }
      // A search page has thousands of things that are right: naming them all took most of the time.
      return (await axe.run({ exclude }, { runOnly, resultTypes: ['violations'] })).violations
    },
    { runOnly: wantedRules, exclude: seenBefore },
  )
  if (violations.length === 0) return
  const lines = violations.flatMap(({ id, impact, help, nodes }) => [
    `${id} (${impact}): ${help}`,
    ...nodes.map(({ html, failureSummary = '' }) =>
      [html, ...failureSummary.split('\n')].map((line) => `    ${line}`).join('\n'),
    ),
  ])
  throw new Error(`${await page.title()} (${page.url()}) is not accessible:\n${lines.join('\n')}`)
}

/** Fails when people have to scroll sideways. */
export async function assertFits(page: Page): Promise<void> {
  const { wanted, given } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { wanted: scrollWidth, given: clientWidth }
  })
  if (wanted > given) throw new Error(`${page.url()} is ${wanted} px wide, and has ${given} px.`)
}

/** A page of somebody else. To the service at localhost it is of another site, or only of another origin. */
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
