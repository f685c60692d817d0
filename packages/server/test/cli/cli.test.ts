import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { machine } from '../support/cli.ts'
import { at, newId as freeId, grant } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import { goodPassword, logIn, register } from '../support/people.ts'
import { freePort } from '../support/process.ts'
import { textHash } from '../support/schnorr.ts'
import { authenticator, enableApp } from '../support/second-factor.ts'
import { sharedSite } from '../support/shared-site.ts'
import { bitcoin, createPayable, otherBitcoin } from '../support/wallet.ts'

const service = await sharedSite()
const { admin, anna, api, newId, edit } = await createPayable(service)
const { type, path, remove } = machine(api)
afterAll(remove)
const logInAs = ({ email }: { email: string }) =>
  type(['login', '--email', email], { input: [goodPassword] })

describe('the output of a command', () => {
  it('the output of a command is JSON in a pipe, and text on a terminal', async () => {
    const id = await newId()
    const piped = await type(['lookup', id])
    expect(piped.json()).toMatchObject({ id, records: [{ data: bitcoin }, {}] })
    const output = await type(['lookup', id], { terminal: true })
    expect(output.out).toMatch(new RegExp(`BTC +${bitcoin}`))
    expect(output.out).toContain('\u001b[1m')
    const plain = await type(['lookup', id], { terminal: true, env: { NO_COLOR: '1' } })
    expect(plain.out).not.toContain('\u001b')
    expect((await type(['lookup', id, '--json'], { terminal: true })).json()).toMatchObject({ id })
  })

  it('the output of a command cannot inject terminal control sequences', async () => {
    const id = await newId()
    const attack = 'Crab \u009b31m\u202e red'
    const record = { tag: '0x0005', data: attack, hash: textHash(5, attack) }
    await service.db
      .updateTable('record_sets')
      .set({ records: JSON.stringify([record]) })
      .where('emoji_id', '=', id)
      .execute()
    await service.db
      .updateTable('emoji_ids')
      .set({ updated_at: new Date() })
      .where('emoji_id', '=', id)
      .execute()
    await expect.poll(async () => (await type(['lookup', id])).out).toContain('\\u009b31m\\u202e')
    const output = await type(['lookup', id], { terminal: true, env: { NO_COLOR: '1' } })
    expect(output.out).toContain('Crab �31m� red')
  })

  it('the output of a command cannot inject them through any other response', async () => {
    const attack = '\u001b]0;owned\u0007\u009b2J\nfake line'
    const id = freeId()
    const hostile = await webServer(({ url = '' }, response) => {
      const answers: [RegExp, unknown][] = [
        [/tags/, [{ tag: '0x0005', ticker: attack, name: attack, single_value: true }]],
        [/search/, { result: searched(attack, id), alternates: [searched(attack, attack)] }],
        [/pubkeys/, attack],
        [/api_keys/, { api_key: attack }],
        [/transfers/, { email: attack, eid: attack }],
        [/auth\/token/, { access_token: 'a.b.c', refresh_token: 'r', requires_2fa: null }],
        [/account/, { user: { id: '1', email: attack } }],
        [
          /emoji_id/,
          {
            status: true,
            stats: [{ key: id, metric: 'api_emoji_lookups', value: 1 }],
            result: [{ tag: '0x0005', data: attack, hash: textHash(5, attack) }],
          },
        ],
      ]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answers.find(([path]) => path.test(url))?.[1] ?? {}))
    })
    onTestFinished(() => hostile.close())
    for (const args of [
      ['search', id],
      ['lookup', id],
      ['keys', 'new'],
      ['api-keys', 'new', 'x'],
      ['transfer', 'confirm', '1', '2'],
      ['login', '--email', 'x@example.com'],
    ]) {
      const argumentsWithApi = [...args, '--api', hostile.address]
      const key = args[0] === 'login' ? [] : ['--api-key', 'k']
      const output = await type([...argumentsWithApi, ...key], {
        terminal: true,
        input: ['password'],
        env: { NO_COLOR: '1' },
      })
      for (const steering of ['\u001b', '\u0007', '\u009b']) {
        expect(output.out + output.err, args.join(' ')).not.toContain(steering)
      }
      expect(output.out, args.join(' ')).toContain('owned')
      expect(output.out).not.toMatch(/^fake line/m)
    }
    await type(['logout', '--here', '--api', hostile.address])
  })

  it('the output of a command shows a QR code to pay', async () => {
    const id = await newId()
    const { out } = await type(['pay', id, 'btc', '--amount', '0.5'], { terminal: true })
    expect(out).toContain(`bitcoin:${bitcoin}?amount=0.5`)
    expect(out).toMatch(/[█▀▄]{5}/)
    const piped = await type(['pay', id, 'BTC', '--verify'])
    expect(piped.json()).toMatchObject({ address: bitcoin, source: 'coin_record' })
  })
})

const searched = (text: string, emoji_id: string) => ({
  emoji_id,
  availability: text,
  available: false,
  price: 1,
  rhythm_score: text,
})

describe('exit codes', () => {
  it.each([
    [2, 'an id that cannot be one', ['lookup', '🔥🈵'], '🈵'],
    [2, 'an unknown command', ['fly'], 'Unknown command “fly”'],
    [2, 'an unknown option', ['lookup', '🔥', '--fast'], '--fast'],
    [2, 'an option of another command', ['lookup', '🔥', '--amount', '1'], '--amount'],
    [2, 'a missing parameter', ['pay', '🔥🐍'], 'needs <currency>'],
    [2, 'one parameter too many', ['lookup', '🔥', '🐍'], 'does not accept “🐍”'],
    [2, 'half a command', ['oauth-client'], 'emojid oauth-client list'],
    [2, 'an amount that is none', ['pay', '🔥🐍', 'BTC', '--amount', 'much'], ''],
    [4, 'an id without an owner', ['lookup', freeId()], 'registered'],
    [6, 'who is not logged in', ['ids'], 'emojid login'],
    [1, 'a restore of nothing', ['restore', 'nowhere'], 'The restore failed'],
  ])('%i: %s', async (status, _what, args, expectedText) => {
    // Without it, a restore starts its own database.
    const env = { DATABASE_URL: 'postgres://127.0.0.1:9/none' }
    const answer = await type(args, { env })
    expect([answer.status, answer.out]).toEqual([status, ''])
    expect(answer.err).toContain(expectedText)
  })

  it('exit codes are 3 for an unreachable service and 5 for a missing address', async () => {
    const away = `http://localhost:${await freePort()}/api`
    const offlineRun = await type(['lookup', '🔥🐍', '--api', away])
    expect([offlineRun.status, offlineRun.out]).toEqual([3, ''])
    expect((await type(['pay', await newId(), 'XMR'])).status).toBe(5)
    // A web page is not an API response: it is ignored.
    const page = await type(['lookup', '🔥🐍', '--api', `${service.address}/dev`])
    expect(page.status).toBe(7)
    expect(page.err).toContain('not the address of the directory’s API')
  })
})

describe('the login command', () => {
  it('stores credentials that only the user can read, and removes them on logout', async () => {
    const { email } = await register(service)
    const answer = await logInAs({ email })
    expect(answer.json()).toMatchObject({ email })
    const file = path('config/emojid/credentials.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path('config/emojid')).mode & 0o777).toBe(0o700)
    expect((await type(['ids'], { terminal: true })).out).toContain('You have no ids yet')
    expect((await type(['logout'])).status).toBe(0)
    expect(() => statSync(file)).toThrow()
    expect((await type(['ids'])).status).toBe(6)
  })

  it('asks for the second-factor code', async () => {
    const person = await register(service)
    const { ga_secret } = await enableApp(service, person)
    const app = authenticator(service, ga_secret)
    const [name, args] = [person.email, ['login', '--email', person.email]]
    const wrong = await type(args, { input: [goodPassword, app.wrong()] })
    expect(wrong.status).not.toBe(0)
    expect((await type(['ids'])).status).toBe(6)
    const right = await type(args, { input: [goodPassword, app.next()] })
    expect(right.json()).toMatchObject({ email: name })
    expect((await type(['logout'])).status).toBe(0)
  })

  it('reports a wrong password, and needs none with a key', async () => {
    const wrong = await type(['login', '--email', anna.email], { input: ['not the password'] })
    expect([wrong.status, wrong.out]).toEqual([6, ''])
    const { post } = await logIn(service, anna)
    const keyResponse = (await post('/api/api_keys', { name: 'cli' })).json<{ api_key: string }>()
    const listRun = await type(['keys'], { env: { EMOJID_KEY: keyResponse.api_key } })
    expect(listRun.lines()).toHaveLength(1)
  })
})

describe('the key in the environment', () => {
  it('the key in the environment is sent only to the service in the environment', async () => {
    const other = await webServer((_request, response) => response.end('[]'))
    onTestFinished(() => other.close())
    const env = { EMOJID_KEY: 'secret' }
    const keyAt = async (args: string[], more: Record<string, string> = {}) => {
      await type(['keys', ...args], { env: { ...env, ...more } })
      return other.asked.at(-1)?.headers['x-api-key']
    }
    expect(await keyAt(['--api', other.address])).toBeUndefined()
    expect(await keyAt(['--api', other.address, '--api-key', 'mine'])).toBe('mine')
    expect(await keyAt([], { EMOJID_API: other.address })).toBe('secret')
    expect(await keyAt(['--api', `${other.address}/`], { EMOJID_API: other.address })).toBe(
      'secret',
    )
    expect((await type(['help'])).out).toContain('is sent to no other --api')
  })
})

describe('the record commands', () => {
  it('show the difference and require confirmation', async () => {
    const id = await newId()
    await logInAs(anna)
    const args = ['records', 'set', id, 'BTC', otherBitcoin]
    const unsure = await type(args, { terminal: true })
    expect(unsure.status).toBe(2)
    expect(unsure.out).toContain(`- BTC  ${bitcoin}`)
    expect(unsure.out).toContain(`+ BTC  ${otherBitcoin}`)
    expect((await type(['pay', id, 'BTC'])).json()).toMatchObject({ address: bitcoin })
    const sure = await type([...args, '--yes'])
    expect(sure.json()).toMatchObject({ changed: true, removed: [{ data: bitcoin }] })
    expect((await type(['pay', id, 'BTC'])).json()).toMatchObject({ address: otherBitcoin })
    expect((await type([...args, '--yes'])).json()).toMatchObject({ changed: false })
    expect((await type(['records', 'remove', id, 'BTC', '--yes'])).status).toBe(0)
    expect((await type(['pay', id, 'BTC'])).status).toBe(5)
  })

  it('report when changes behind a delay lock take effect', async () => {
    const id = await newId()
    await logInAs(anna)
    expect((await anna.put(at(id, '/delay_lock'), { hours: 24 })).status).toBe(200)
    const waitingRun = await type(['records', 'set', id, 'BTC', otherBitcoin, '--yes'])
    const { changes_at } = waitingRun.json<{ changes_at: string }>()
    expect(waitingRun.json()).toMatchObject({ changed: false, changes_at })
    expect((await type(['lookup', id])).json()).toMatchObject({ changes_at })
    expect((await type(['lookup', id], { terminal: true })).out).toContain(changes_at)
    expect((await type(['pay', id, 'BTC'])).json()).toMatchObject({ address: bitcoin })
  })

  it('report records that an addition replaces, before and in the output', async () => {
    const id = await newId()
    await logInAs(anna)
    const args = ['records', 'add', id, 'BTC', otherBitcoin]
    const unsure = await type(args, { terminal: true })
    expect(unsure.out).toContain(`- BTC  ${bitcoin}`)
    // Also when the output is not the terminal.
    const declinedOutput = await type(args, { keys: 'n\r' })
    expect(declinedOutput.err).toContain(`- BTC  ${bitcoin}`)
    expect(declinedOutput.json()).toMatchObject({ changed: false })
    const sure = await type([...args, '--yes'])
    expect(sure.json()).toMatchObject({
      added: [{ data: otherBitcoin }],
      removed: [{ data: bitcoin }],
    })
    const link = ['records', 'add', id, '0x4001', 'https://example.com/', '--yes']
    expect((await type(link)).json()).toMatchObject({ removed: [] })
  })

  it('report a refusal for other users’ ids, only on standard error', async () => {
    const id = await grant(admin, { user_id: admin.id })
    const answer = await type(['records', 'add', id, '0x0005', 'Mine', '--yes'])
    expect([answer.status, answer.out]).toEqual([1, ''])
    expect(answer.err).toContain('not yours')
    await edit(await newId(), {})
  })
})

describe('the installed program', () => {
  const program = fileURLToPath(new URL('../../../cli/bin/emojid.js', import.meta.url))
  const start = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], HOME: path('.'), ...env },
    })
    const output = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      output.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      output.err += chunk
    })
    const exit = new Promise<number | null>((done) => child.once('close', done))
    return { child, output, exit }
  }

  it('the installed program ends with Ctrl-C at a prompt', async () => {
    const answer = await type(['login'], { keys: '\u0003' })
    expect([answer.status, answer.out]).toEqual([130, ''])
    expect(answer.err).toContain('Interrupted.')
  })

  it('the installed program ends immediately with Ctrl-C, without printing the code', async () => {
    let isAsked: (value?: unknown) => void = () => {}
    const prompted = new Promise((resolve) => {
      isAsked = resolve
    })
    // It never responds.
    const silent = await webServer(() => isAsked())
    onTestFinished(() => silent.close())
    const { child, output, exit } = start(['lookup', '🔥🐍', '--api', silent.address])
    await prompted
    child.kill('SIGINT')
    expect(await exit).toBe(130)
    expect([output.out, output.err.trim()]).toEqual(['', 'Interrupted.'])
  })
})

describe('events', () => {
  type Reply = [status: number, body: object]
  const page = (next: string, data: object[] = []): Reply => [200, { data, next }]
  const error = (status: number, code: string): Reply => [status, { error: 'No.', code }]

  it('continue after passing errors and an expired watch', async () => {
    const controller = new AbortController()
    const released = {
      id: 'evt_1',
      type: 'emoji_id.released',
      timestamp: new Date(),
      cursor: 'a-2',
    }
    const replies = [
      page('a-1'),
      error(500, 'internal'),
      error(410, 'unknown_watch'),
      page('a-2', [{ ...released, data: { emoji_id: '🔥🐍', version: 1, tags: [] } }]),
    ]
    let watchCount = 0
    const feed = await webServer((request, response) => {
      const isWatch = request.method === 'POST'
      if (isWatch) watchCount++
      const watch = { watch: `watch_${watchCount}`, expires_at: new Date(Date.now() + 3_600_000) }
      const reply = isWatch ? ([200, watch] as const) : replies.shift()
      // The last reply was read.
      if (!reply) return controller.abort()
      response.writeHead(reply[0], { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply[1]))
    })
    onTestFinished(() => feed.close())
    const args = ['events', '--watch', '🔥🐍', '--follow', '--after', 'a-0', '--api', feed.address]
    const { status, out, err } = await type(args, { signal: controller.signal })
    expect(JSON.parse(out)).toMatchObject({ type: 'emoji_id.released' })
    expect([status, watchCount]).toEqual([130, 2])
    expect(err).toContain('Continue with: emojid events --after a-2')
  })
})

describe('webhooks', () => {
  it('webhooks are deleted and get a new secret only after a confirmation', async () => {
    for (const command of ['delete', 'rotate']) {
      const answer = await type(['webhooks', command, crypto.randomUUID()])
      expect([answer.status, answer.err], command).toEqual([2, expect.stringContaining('--yes')])
    }
  })

  it('show where a replay continues after an error in the middle', async () => {
    const replies = [
      [200, { queued: 1_000, next: 'a-7', is_complete: false }],
      [403, { error: 'No.', code: 'forbidden' }],
    ] as const
    let count = 0
    const api = await webServer((_request, response) => {
      const [status, body] = replies[count++] ?? replies[1]
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    onTestFinished(() => api.close())
    const id = crypto.randomUUID()
    const args = ['webhooks', 'replay', id, '--after', 'a-0', '--api', api.address]
    const { status, err } = await type([...args, '--api-key', 'a key'])
    expect(status).not.toBe(0)
    expect(err).toContain(`Continue with: emojid webhooks replay ${id} --after a-7`)
  })
})
