// Makes the pictures of the README from a service of its own: npm run screenshots
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/browser.mjs'
import { build } from '../../../scripts/build.mjs'
import { install, root } from '../../../scripts/install.mjs'

const pictures = join(root, 'docs/pictures')
const [port, metrics, sandbox] = [3901, 3902, 3903]
const site = `http://localhost:${port}`

install()
await build()
const data = mkdtempSync(join(tmpdir(), 'emojid-pictures-'))
const service = spawn(process.execPath, ['packages/server/dist/main.js'], {
  cwd: root,
  env: {
    ...process.env,
    PORT: `${port}`,
    METRICS_PORT: `${metrics}`,
    SANDBOX_PORT: `${sandbox}`,
    DATA_DIR: data,
  },
})
let output = ''
service.stdout.on('data', (text) => {
  output += text
})
try {
  await takeAll()
} finally {
  service.kill('SIGTERM')
  await new Promise((ended) => service.once('exit', ended))
  rmSync(data, { recursive: true, force: true })
}

async function takeAll() {
  const { email, password } = await waitUntilReady()
  const browser = await chromium.launch({ executablePath: findChromium() })
  const open = async (address, look) => {
    const page = await browser.newPage({ reducedMotion: 'reduce', ...look })
    await page.goto(`${site}${address}`, { waitUntil: 'networkidle' })
    return page
  }
  const take = async (page, name) => {
    await page.screenshot({ path: join(pictures, `${name}.png`) })
    await page.close()
    console.log(`docs/pictures/${name}.png`)
  }
  const wide = { viewport: { width: 1100, height: 760 } }
  const phone = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 1.5 }

  await take(await open(`/?q=${encodeURIComponent('🌵🌮🌶️')}`, wide), 'search')
  await take(
    await open(`/?q=${encodeURIComponent('🌵🌮🌶️')}`, { ...phone, colorScheme: 'dark' }),
    'search-phone',
  )
  await take(
    await open(`/${encodeURIComponent('🔥🐍')}`, { ...phone, colorScheme: 'dark' }),
    'id-phone',
  )

  const login = await open('/dev/login', phone)
  await login.fill('form[action*="/password"] input[name=email]', email)
  await login.fill('input[name=password]', password)
  await login.click('form[action*="/password"] button')
  await login.waitForSelector('.choices')
  await take(login, 'log-in-phone')
  await browser.close()
}

async function waitUntilReady() {
  for (let waited = 0; waited < 60_000; waited += 250) {
    const [, email, password] = /Administrator: (\S+) with the password (\S+)/.exec(output) ?? []
    if (email && output.includes('is ready.')) return { email, password }
    await sleep(250)
  }
  throw new Error(`The service did not start: ${output}`)
}
