// Runs the commands of docs/operations.md on this machine as written: npm run stress:deploy
// Needs Debian and root, and no existing installation. Removes everything it installs.
// PACKAGES=copied uses the installed packages where no registry is reachable. This program replaces
// manual edits of the operator and the work of systemd.
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { Agent, fetch as request } from 'undici'
import type { Findings } from './account-stage.ts'
import { blocksUnder, headings, runner } from './deploy-commands.ts'
import { clearMachine, copyRepository, editFile, refuseIfInUse } from './deploy-machine.ts'
import { emulateSystemd } from './deploy-systemd.ts'
import { runParts } from './parts.ts'

const admin = { email: 'admin@example.com', password: 'seven blue herons at dawn' }
const id = '🦀🔥🐍🌊'
const packages = process.argv.includes('PACKAGES=copied') ? 'copied' : 'from the registry'
const processes = ['http://127.0.0.1:3001', 'http://127.0.0.1:3002'] as const

async function deploy(): Promise<Findings> {
  refuseIfInUse()
  const broken: string[] = []
  const systemd = emulateSystemd()
  const commands = runner(systemd)
  const check = (title: string, actual: unknown, expected: unknown) => {
    if (actual !== expected) broken.push(`${title}: ${actual} instead of ${expected}`)
  }
  const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  try {
    copyRepository({ withPackages: packages === 'copied' })
    for (const block of blocksUnder(text, headings.one)) {
      await commands.run(block)
      if (block.includes('deploy/env/common.env')) fillIn()
    }
    const token = await logIn(processes[0])
    await write(processes[0], token, 'of the one machine')
    check('a lookup through nginx', await readThroughNginx(), 'of the one machine')
    check('a stream of events through nginx', await openStreamThroughNginx(), 'at once')

    for (const block of blocksUnder(text, headings.several)) {
      await commands.run(block, withTheseAddresses)
    }
    check('what was brought along', await read(processes[1]), 'of the one machine')
    const later = await logIn(processes[0])
    await write(processes[0], later, 'written on the first')
    check('the same immediately on the first', await read(processes[0]), 'written on the first')
    check(
      'within a second on the second',
      await fetchAfterPause(processes[1]),
      'written on the first',
    )
    check('the replica of the first', await replicaOf(processes[0]), 'in use')
    check('the replica of the second', await replicaOf(processes[1]), 'in use')
    await write(processes[1], later, 'written on the second')
    check(
      'within a second on the first',
      await fetchAfterPause(processes[0]),
      'written on the second',
    )
  } catch (error) {
    broken.push((error as Error).message)
  } finally {
    await systemd.stopAll()
    clearMachine()
  }
  const { ran, warnings } = commands
  broken.push(...warnings)
  return {
    figures: {
      packages,
      commands_run: ran.length,
      warnings: warnings.length,
      failed: broken.length,
      without_systemd_done_by_the_program: systemd.asked,
      filled_in_by_hand: ['SMTP_URL', 'ADMIN_PASSWORD', 'addresses and passwords of the databases'],
      commands: ran,
    },
    broken,
  }
}

/** The names stay api.example.com and so on: curl --resolve maps them to this machine. */
function fillIn(): void {
  editFile('/etc/emojid/common.env', (text) =>
    text
      .replace(/^SMTP_URL=.*/m, 'SMTP_URL=smtp://127.0.0.1:9')
      .replace(/^ADMIN_PASSWORD=.*/m, `ADMIN_PASSWORD="${admin.password}"`),
  )
}

/** Both databases are on this machine. */
const withTheseAddresses = (block: string): string =>
  block
    .replace('PRIMARY=10.0.0.1 REPLICA=10.0.0.2', 'PRIMARY=127.0.0.1 REPLICA=127.0.0.1')
    .replace('NETWORK=10.0.0.0/24', 'NETWORK=127.0.0.0/8')
    .replace('choose-one', 'only-for-this-run')
    .replace('choose-another', 'only-for-this-run-too')

async function send(method: string, url: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const answer = await request(url, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, string>
}

/** Of the administrator's authenticator app, once it is set up. */
let app: TOTP | undefined

/** Signs in and passes the second factor; the first sign-in sets it up, as the documentation says. */
async function logIn(url: string): Promise<string> {
  const tokens = await send('POST', `${url}/api/auth/token`, admin)
  const token = tokens['access_token'] ?? ''
  if (!app) {
    const provider = { provider: 'AuthenticatorApp' }
    const { ga_secret = '' } = await send('POST', `${url}/api/account/2fa/enable`, provider, token)
    app = new TOTP({ secret: Secret.fromBase32(ga_secret) })
    await send('POST', `${url}/api/account/2fa/confirm`, { code: app.generate() }, token)
    return token
  }
  const code = { refresh_token: tokens['refresh_token'], code: app.generate() }
  return (await send('POST', `${url}/api/auth/2fa`, code))['access_token'] ?? ''
}

const pathOf = `/emoji_id/${encodeURIComponent(id)}`

/** The administrator owns the id and writes a record. */
async function write(url: string, token: string, data: string): Promise<void> {
  if ((await request(`${url}/api${pathOf}`)).status === 404) {
    const account = await request(`${url}/api/account`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { user } = (await account.json()) as { user: { id: string } }
    await send('POST', `${url}/api/admin/emoji_ids`, { emoji_id: id, user_id: user.id }, token)
  }
  const edit = { delete: await hashesAt(url), insert: [{ tag: '0x5001', data }] }
  await send('PATCH', `${url}/api${pathOf}`, edit, token)
}

type LookupAnswer = { result?: { data: string; hash: string }[] }

async function hashesAt(url: string): Promise<string[]> {
  const lookupResult = (await (await request(`${url}/api${pathOf}`)).json()) as LookupAnswer
  return (lookupResult.result ?? []).map(({ hash }) => hash)
}

async function read(url: string, dispatcher?: Agent): Promise<string> {
  const answer = await request(url + (dispatcher ? '' : '/api') + pathOf, {
    ...(dispatcher ? { dispatcher } : {}),
  })
  const { result } = (await answer.json()) as LookupAnswer
  return result?.map(({ data }) => data).join() ?? `status ${answer.status}`
}

function agentOfNginx(): Agent {
  const ca = readFileSync('/etc/emojid/tls/fullchain.pem', 'utf8')
  return new Agent({
    connect: {
      ca,
      lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  })
}

async function readThroughNginx(): Promise<string> {
  const localAgent = agentOfNginx()
  return read('https://api.example.com', localAgent).finally(() => localAgent.destroy())
}

/** A proxy that collects responses passes the first cursor on only when the stream ends. */
async function openStreamThroughNginx(): Promise<string> {
  const localAgent = agentOfNginx()
  try {
    const answer = await request('https://api.example.com/events', {
      dispatcher: localAgent,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.timeout(5_000),
    })
    const first = await answer.body?.getReader().read()
    return Buffer.from(first?.value ?? []).includes('id: ') ? 'at once' : `with ${answer.status}`
  } catch (error) {
    return `not at all: ${(error as Error).message}`
  } finally {
    await localAgent.destroy()
  }
}

/** The value after one second, when every process has it. */
async function fetchAfterPause(url: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return read(url)
}

async function replicaOf(url: string): Promise<string> {
  const health = (await (await request(`${url}/health/ready`)).json()) as {
    replica?: { state: string }
  }
  return health.replica?.state ?? 'none'
}

await runParts('deploy', { as_written: deploy })
