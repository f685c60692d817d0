import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'

export type Systemd = ReturnType<typeof emulateSystemd>

/**
 * Test machines run no systemd: `systemctl` records its calls, and this module carries them out.
 */
export function emulateSystemd() {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-systemctl-'))
  chmodSync(folder, 0o755)
  const notes = join(folder, 'asked')
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$*" >> ${notes}\n`, { mode: 0o755 })
  const calls: string[] = []
  const processes = new Map<string, ChildProcess>()

  const stop = async (name: string) => {
    const child = processes.get(name)
    processes.delete(name)
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  const carryOut = async (line: string) => {
    const [verb, ...units] = line.split(' ').filter((word) => !word.startsWith('--'))
    for (const name of units) {
      if (name === 'nginx') reloadNginx()
      else if (verb === 'enable') processes.set(name, startUnit(name))
      else if (verb === 'stop') await stop(name)
      else throw new Error(`Unsupported: systemctl ${line}`)
    }
    // nginx reloads its configuration asynchronously.
    await sleep(500)
  }
  return {
    folder,
    asked: calls,
    async doWhatWasAsked(): Promise<void> {
      if (!existsSync(notes)) return
      const lines = readFileSync(notes, 'utf8').trim().split('\n')
      rmSync(notes)
      for (const line of lines) {
        calls.push(`systemctl ${line}`)
        await carryOut(line)
      }
    },
    async stopAll(): Promise<void> {
      for (const name of processes.keys()) await stop(name)
      if (calls.some((line) => line.endsWith(' nginx'))) spawnSync('nginx', ['-s', 'quit'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function reloadNginx(): void {
  const isRunning = existsSync('/run/nginx.pid') && readFileSync('/run/nginx.pid', 'utf8').trim()
  const { status, stderr } = spawnSync('nginx', isRunning ? ['-s', 'reload'] : [], {
    encoding: 'utf8',
    // nginx continues in the background and would keep these open.
    stdio: ['ignore', 'ignore', isRunning ? 'pipe' : 'inherit'],
  })
  if (status !== 0) throw new Error(`nginx does not start: ${stderr}`)
}

/** Reads the settings of the installed unit from its file. */
function startUnit(name: string): ChildProcess {
  const [, instance = ''] = name.split('@')
  const unit = readFileSync('/etc/systemd/system/emojid@.service', 'utf8').replaceAll(
    '%i',
    instance,
  )
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const [command = ''] = valuesOf('ExecStart')
  const [account = ''] = valuesOf('User')
  const files = valuesOf('EnvironmentFile').map((path) => parseEnv(readFileSync(path, 'utf8')))
  return spawn(
    'setpriv',
    ['--reuid', account, '--regid', account, '--init-groups', ...command.split(' ')],
    {
      cwd: valuesOf('WorkingDirectory')[0] ?? '/',
      env: Object.assign({ PATH: '/usr/bin:/bin', HOME: '/var/lib/emojid' }, ...files),
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}
