// Measures public pages in a browser on a slow phone, and rates them with Lighthouse: npm run bench:web
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { wake } from '../packages/server/test/support/search-page.ts'
import { type Browser, launchAt, openSlowPage } from '../packages/server/test/support/slow-phone.ts'
import { report } from './report.ts'

/** Slow 3G. The latency is that of every request. */
const network = { down_kbps: 400, up_kbps: 400, latency_ms: 400 }
const cpuSlowdown = 4
/** The page is quiet after this time without requests and long tasks. */
const quietMs = 3_000
const runs = 3

const id = encodeURIComponent('🔥🐍')
/** Every page that a stranger can open. */
const pages = {
  start: '/',
  id: `/${id}`,
  sign_in: '/sign-in',
  register: '/sign-in?view=register',
  gift: '/gift',
}
type PageName = keyof typeof pages

type Rating = Record<string, number | boolean | string[]>
type Figures = { lcp_ms: number; tbt_ms: number; requests: number; kb: number }

/** The promised figures of these pages on the slow phone. */
const promised: Partial<Record<PageName, Figures>> = {
  start: { lcp_ms: 1_800, tbt_ms: 300, requests: 25, kb: 250 },
  id: { lcp_ms: 1_200, tbt_ms: 300, requests: 25, kb: 60 },
}

const lighthouseFolder = new URL('lighthouse/', import.meta.url)
installLighthouse()
const place = await newPlace()
const service = await launchReady({
  ...place.env,
  ROLES: 'api,auth,web,worker',
  LOG_LEVEL: 'error',
})
const webUrl = `http://localhost:${place.env.PORT}`
const port = await freePort()
const browser = await launchAt(port)

type Measurements = { slow_phone: Figures[]; lighthouse: Rating[] }
const names = Object.keys(pages) as PageName[]
const measurements = Object.fromEntries(
  names.map((name): [string, Measurements] => [name, { slow_phone: [], lighthouse: [] }]),
) as Record<PageName, Measurements>
const obstacles: Partial<Record<PageName, string[]>> = {}
const touches: number[] = []
const loads: number[] = []
try {
  // The first page after a start is slower than all others.
  for (const name of names)
    obstacles[name] = await findRestoreObstacles(browser, webUrl + pages[name])
  // Round by round, so that a busy minute of the machine does not hit all runs of one page.
  for (let run = 0; run < runs; run++) {
    for (const name of names) {
      measurements[name].slow_phone.push(await measure(browser, webUrl + pages[name]))
      measurements[name].lighthouse.push(await rate(webUrl + pages[name]))
    }
    touches.push(await measureFirstTouch(browser))
    loads.push(loadavg()[0] ?? 0)
  }
  const measured = names.map((name) => [
    name,
    {
      slow_phone: mediansOf(measurements[name].slow_phone),
      ...(promised[name] ? { promised: promised[name] } : {}),
      lighthouse: mediansOf(measurements[name].lighthouse),
      not_restorable_because: obstacles[name],
    },
  ])
  report(new URL('.', import.meta.url), 'web', {
    network,
    cpuSlowdown,
    runs,
    // Times mean little on a machine with more work than processors.
    machine_load: { highest: Math.max(...loads), processors: cpus().length },
    ...Object.fromEntries(measured),
    first_touch: { until_the_price_of_a_typed_id_ms: medianOf(touches) },
  })
} finally {
  await browser.close()
  service.child.kill('SIGTERM')
  await service.exited
  await place.clear()
}

/** Lighthouse has 200 packages that nothing else needs, so it is installed by its only user. */
function installLighthouse(): void {
  if (existsSync(new URL('node_modules/lighthouse', lighthouseFolder))) return
  const args = ['ci', '--ignore-scripts']
  const { status } = spawnSync('npm', args, {
    cwd: fileURLToPath(lighthouseFolder),
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('Could not install Lighthouse.')
}

async function measure(launchedBrowser: Browser, url: string): Promise<Figures> {
  const { context, page, devtools } = await openSlowPage(launchedBrowser, {
    ...network,
    cpuSlowdown,
  })
  let requests = 0
  let bytes = 0
  let lastAt = performance.now()
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    lastAt = performance.now()
    if (request.url.startsWith('http')) requests++
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    lastAt = performance.now()
    bytes += encodedDataLength
  })
  await page.addInitScript(() => {
    const figures = { lcp: 0, tasks: [] as { start: number; duration: number }[], fcp: 0 }
    Object.assign(globalThis, { figures })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) figures.lcp = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const { startTime, name } of list.getEntries())
        if (name === 'first-contentful-paint') figures.fcp = startTime
    }).observe({ type: 'paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        figures.tasks.push({ start: startTime, duration })
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(url, { waitUntil: 'load' })
  while (performance.now() - lastAt < quietMs) await sleep(200)
  const { lcp, tbt } = await page.evaluate(() => {
    const { figures } = globalThis as unknown as {
      figures: { lcp: number; fcp: number; tasks: { start: number; duration: number }[] }
    }
    const blocking = figures.tasks.filter(({ start }) => start >= figures.fcp)
    return {
      lcp: figures.lcp,
      tbt: blocking.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
    }
  })
  await context.close()
  return {
    lcp_ms: Math.round(lcp),
    tbt_ms: Math.round(tbt),
    requests,
    kb: Math.round(bytes / 1_000),
  }
}

/**
 * Finds the reasons that keep the page out of the back/forward cache. The headless browser has none and always says
 * so; Lighthouse does not check it there.
 */
async function findRestoreObstacles(launchedBrowser: Browser, url: string): Promise<string[]> {
  const context = await launchedBrowser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.enable')
  const reasons: string[] = []
  devtools.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
  )
  await page.goto(url)
  // The app runs, too.
  await wake(page)
  await page.waitForLoadState('networkidle')
  await page.goto(`http://127.0.0.1:${place.env.PORT}/robots.txt`)
  await page.goBack()
  for (let waits = 0; reasons.length === 0 && waits < 100; waits++) await sleep(50)
  await context.close()
  return reasons.filter((reason) => reason !== 'BackForwardCacheDisabledForDelegate')
}

/** The app starts at the first touch: from there to the price of an id that a person types. */
async function measureFirstTouch(launchedBrowser: Browser): Promise<number> {
  const { context, page } = await openSlowPage(launchedBrowser, { ...network, cpuSlowdown })
  await page.goto(webUrl)
  await sleep(quietMs)
  const begun = performance.now()
  await page.locator('#start-field').fill('👑🦁🍕')
  await page.getByRole('button', { name: 'Get it' }).waitFor()
  await context.close()
  return Math.round(performance.now() - begun)
}

/** The four scores of the mobile preset, and the audits that cost points. Its own process: Lighthouse mixes module systems. */
async function rate(url: string): Promise<Rating> {
  const program = fileURLToPath(new URL('rate.mjs', lighthouseFolder))
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(port), url])
  return JSON.parse(stdout)
}

function medianOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

/** The median of each figure; lists and answers are those of the last run. */
function mediansOf<Run extends object>(all: readonly Run[]): Run {
  const last = all.at(-1) as Run
  const figures = Object.entries(last).map(([name, value]) => [
    name,
    typeof value === 'number'
      ? medianOf(all.map((one) => (one as Record<string, number>)[name] ?? 0))
      : value,
  ])
  return Object.fromEntries(figures) as Run
}
