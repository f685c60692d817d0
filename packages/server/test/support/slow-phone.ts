import { type Browser, chromium } from 'playwright-core'
import { chromiumAdvice, findChromium } from '../../../../scripts/browser.mjs'

export type { Browser }

/** Chromium that another program can steer at this port. */
export function launchAt(port: number): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(chromiumAdvice())
  const args = [`--remote-debugging-port=${port}`, '--disable-gpu']
  // Playwright switches the back/forward cache off, which Lighthouse checks.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  return chromium.launch({ executablePath, args, ignoreDefaultArgs })
}

type Slowness = { down_kbps: number; up_kbps: number; latency_ms: number; cpuSlowdown: number }

const phone = { width: 390, height: 844 }

/** A page with an empty cache on a slow phone. */
export async function openSlowPage(browser: Browser, slowness: Slowness) {
  const context = await browser.newContext({ viewport: phone, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowness.latency_ms,
    downloadThroughput: (slowness.down_kbps * 1_000) / 8,
    uploadThroughput: (slowness.up_kbps * 1_000) / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpuSlowdown })
  return { context, page, devtools }
}
