import { spawn, spawnSync } from 'node:child_process'
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

/** Installs Chromium from Debian's packages where it is missing and we may; else says what to do. */
export async function installChromium() {
  if (findChromium()) return
  const asRoot = process.env.CHROMIUM_PATH ? undefined : rootCommand()
  if (asRoot) {
    console.log('Installing Chromium from Debian’s packages …')
    console.log((await installPackages(asRoot)) ?? 'Chromium is installed.')
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

/** Returns what went wrong, or undefined. One shell, so that it goes on while npm installs its packages. */
function installPackages(asRoot) {
  const aptGet = 'apt-get -qq -o DPkg::Lock::Timeout=120'
  const install = `${aptGet} install -y --no-install-recommends ${packages.join(' ')}`
  // The list of packages may be old, or empty.
  const script = `${install} || { ${aptGet} update && ${install}; }`
  const limit = ['timeout', '--kill-after=30', String(patienceMs / 1_000)]
  const [command, ...args] = [
    ...asRoot,
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
      else if (status === timedOut) resolve('apt-get was not done after ten minutes.')
      else resolve(errors.trim().split('\n').slice(-10).join('\n'))
    })
  })
}
