// Measures public pages in a browser on a slow phone, and rates them with Lighthouse: npm run bench:web
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { type Browser, launchAt, openSlowPage } from '../packages/server/test/support/slow-phone.ts'
import { report } from './report.ts'

/** Slow 3G. The latency is that of every request. */
const network = { down_kbps: 400, up_kbps: 400, latency_ms: 400 }
const cpuSlowdown = 4
/** The page is quiet after this time without requests and long tasks. */
const quietMs = 3_000
const runs = 3

const id = encodeURIComponent('🔥🐍')
const pages = { start: '/', id: `/${id}`, sign_in: '/sign-in', report: `/report/${id}` }
type PageName = keyof typeof pages

type Figures = { lcp_ms: number; tbt_ms: number; requests: number; kb: number }

/** The promised figures of these pages on the slow phone. */
const promised: Partial<Record<PageName, Figures>> = {
  start: { lcp_ms: 1_800, tbt_ms: 300, requests: 25, kb: 250 },
  id: { lcp_ms: 1_200, tbt_ms: 300, requests: 25, kb: 60 },
}

const lighthouseFolder = new URL('lighthouse/', import.meta.url)
installLighthouse()
const here = await newPlace()
const service = await launchReady({ ...here.env, ROLES: 'api,auth,web,worker', LOG_LEVEL: 'error' })
const webUrl = `http://localhost:${here.env.PORT}`
const port = await freePort()
const browser = await launchAt(port)

const measured: Record<string, unknown> = {}
try {
  for (const [name, path] of Object.entries(pages) as [PageName, string][]) {
    const takenFigures: Figures[] = []
    for (let run = 0; run < runs; run++)
      takenFigures.push(await measure(browser, `${webUrl}${path}`))
    measured[name] = {
      slow_phone: medianOf(takenFigures),
      ...(promised[name] ? { promised: promised[name] } : {}),
      lighthouse: await rate(`${webUrl}${path}`),
    }
  }
  const first_touch = { until_the_price_of_a_typed_id_ms: await measureFirstTouch(browser) }
  report(new URL('.', import.meta.url), 'web', {
    network,
    cpuSlowdown,
    runs,
    ...measured,
    first_touch,
  })
} finally {
  await browser.close()
  service.child.kill('SIGTERM')
  await service.exited
  await here.clear()
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

/** The app starts at the first touch: from there to the price of an id that a person types. */
async function measureFirstTouch(launchedBrowser: Browser): Promise<number> {
  const { context, page } = await openSlowPage(launchedBrowser, { ...network, cpuSlowdown })
  await page.goto(webUrl)
  await sleep(quietMs)
  const start = performance.now()
  await page.locator('#start-field').fill('👑🦁🍕')
  await page.getByRole('button', { name: 'Get it' }).waitFor()
  await context.close()
  return Math.round(performance.now() - start)
}

/** The four scores of the mobile preset, and the failed audits. Lighthouse mixes module systems, so it runs in its own process. */
async function rate(url: string): Promise<unknown> {
  const program = fileURLToPath(new URL('rate.mjs', lighthouseFolder))
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(port), url])
  return JSON.parse(stdout)
}

function medianOf(takenFigures: readonly Figures[]): Figures {
  const of = (name: keyof Figures) =>
    takenFigures.map((one) => one[name]).sort((a, b) => a - b)[
      Math.floor(takenFigures.length / 2)
    ] ?? 0
  return { lcp_ms: of('lcp_ms'), tbt_ms: of('tbt_ms'), requests: of('requests'), kb: of('kb') }
}
