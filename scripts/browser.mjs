import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { succeeds } from './install.mjs'

const paths = [
  // The headless shell takes a third less CPU time per page.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
// Without the fonts, pages show boxes instead of letters and emojis.
const packages = ['chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji']
const timeoutMs = 10 * 60_000
/** Exit status of `timeout` after it killed the command. */
const timeoutStatus = 124

/** Returns the path of Chromium, or undefined if it is not installed. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env
  return (CHROMIUM_PATH ? [CHROMIUM_PATH] : paths).find((path) => existsSync(path))
}

/** Returns instructions for a machine without Chromium. */
export function chromiumAdvice() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return `CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`
  return `The browser tests need Chromium. Install it (on Debian, as root: ${command}), or set CHROMIUM_PATH to its path.`
}

/** Installs Chromium from Debian's packages if it is missing; prints instructions if that is not permitted. */
export async function installChromium() {
  if (findChromium()) return
  const rootPrefix = process.env.CHROMIUM_PATH ? undefined : rootCommand()
  if (rootPrefix) {
    console.log('Installing Chromium from Debian’s packages …')
    console.log((await installPackages(rootPrefix)) ?? 'Chromium is installed.')
  }
  if (!findChromium()) console.log(`${chromiumAdvice()} The browser tests fail until then.`)
}

/** Returns the prefix that runs a command as root without a prompt; undefined without root or apt-get. */
function rootCommand() {
  if (!succeeds('apt-get', ['--version'])) return undefined
  if (process.getuid() === 0) return []
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined
}

/** Returns the error, or undefined. One shell runs both commands while npm blocks this process. */
function installPackages(rootPrefix) {
  const aptGet = 'apt-get -qq -o DPkg::Lock::Timeout=120'
  const install = `${aptGet} install -y --no-install-recommends ${packages.join(' ')}`
  // The package list may be outdated or empty.
  const script = `${install} || { ${aptGet} update && ${install}; }`
  const limit = ['timeout', '--kill-after=30', String(timeoutMs / 1_000)]
  const [command, ...args] = [
    ...rootPrefix,
    ...limit,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'sh',
    '-c',
    script,
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (status) => {
      if (status === 0) resolve(undefined)
      else if (status === timeoutStatus) resolve('apt-get did not finish within ten minutes.')
      else resolve(errors.trim().split('\n').slice(-10).join('\n'))
    })
  })
}
