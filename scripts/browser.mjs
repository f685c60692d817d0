import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  // The same browser without windows: a page takes a third less of the processor.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
// Letters of every width, and emojis: without these pages are full of boxes.
const packages = ['chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji']
const patienceMs = 10 * 60_000
/** What the command `timeout` ends with, when it had to end another. */
const timedOut = 124

/** Where Chromium is; undefined when this machine has none. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env
  return (CHROMIUM_PATH ? [CHROMIUM_PATH] : places).find((place) => existsSync(place))
}

/** What to do about a machine without Chromium. */
export function chromiumAdvice() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return `CHROMIUM_PATH is ${CHROMIUM_PATH}, where there is no file.`
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`
  return `There is no Chromium, which the tests in a browser need. Install it (on Debian, as root: ${command}), or say with CHROMIUM_PATH where it is.`
}

/** Fetches Chromium from Debian's packages, where it is missing and we may; else says what to do. */
export function installChromium() {
  if (findChromium()) return
  const asRoot = process.env.CHROMIUM_PATH ? undefined : rootCommand()
  if (asRoot) {
    console.log('Installing Chromium from Debian’s packages …')
    const problem = installPackages(asRoot)
    if (problem) console.log(problem)
    else console.log('Chromium is installed.')
  }
  if (!findChromium()) console.log(`${chromiumAdvice()} Until then those tests fail.`)
}

/** What makes a command run as root without a question; undefined when nothing does, or where there is no apt-get. */
function rootCommand() {
  if (!succeeds('apt-get', ['--version'])) return undefined
  if (process.getuid() === 0) return []
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined
}

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Tells what went wrong; undefined when nothing did. */
function installPackages(asRoot) {
  const until = Date.now() + patienceMs
  const aptGet = (...args) => {
    const seconds = Math.max(Math.ceil((until - Date.now()) / 1_000), 1)
    // Not the time limit of spawnSync: we may not end what runs as root.
    const limited = [...asRoot, 'timeout', '--kill-after=30', String(seconds)]
    const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
    const [command, ...rest] = [...limited, ...quiet, '-o', 'DPkg::Lock::Timeout=120', ...args]
    return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  }
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...packages)
  if (install().status === 0) return undefined
  // The list of packages is old, or empty.
  console.log('Asking Debian which packages there are …')
  const updated = aptGet('update')
  const { status, error, stderr } = updated.status === 0 ? install() : updated
  if (status === 0) return undefined
  if (status === timedOut) return `apt-get was not done after ${patienceMs / 60_000} minutes.`
  return error?.message ?? stderr.trim().split('\n').slice(-10).join('\n')
}
