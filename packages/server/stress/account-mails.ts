// R7: repeated kill −9 between the commit and the mail server. Every email arrives once or twice,
// unchanged. Without a mail server the API works normally.
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, newPerson, onStage, quantile, round, type Stage } from './account-stage.ts'

const promisedMs = 10_000
const mailsPerKill = 5
/** The mail server's behaviour until the kill: no greeting, no acknowledgement, or fast. */
const moments = ['hang', 'take silently', 'accept'] as const

export const measureMails = (kills: number): Promise<Findings> =>
  onStage(async (stage) => {
    const broken: string[] = []
    const arrivals: number[] = []
    let acknowledgedCount = 0
    for (let n = 0; n < kills; n++) {
      process.stderr.write(`mails: kill ${n + 1} of ${kills}\n`)
      const addresses = await registerAndKill(stage, moments[n % moments.length] ?? 'hang', n)
      acknowledgedCount += addresses.length
      const restartedAt = Date.now()
      await stage.restart()
      const missing = await waitFor(stage, addresses, restartedAt + promisedMs)
      arrivals.push(Date.now() - restartedAt)
      const queuedCount = await settle(stage, restartedAt + promisedMs)
      if (missing > 0 || queuedCount > 0) {
        broken.push(
          `${missing} mails did not arrive and ${queuedCount} wait 10 s after restart ${n + 1}`,
        )
      }
    }
    const twice = findRepeated(stage, broken)
    const figures = {
      kills,
      mails_acknowledged: acknowledgedCount,
      mails_received_twice: twice,
      last_arrived_after_restart_ms: {
        median: quantile(arrivals, 0.5),
        slowest: Math.max(...arrivals),
        promised: promisedMs,
      },
    }
    return { figures, broken }
  })

/** Users whose registration was acknowledged before the kill: their mail is committed. */
async function registerAndKill(stage: Stage, moment: (typeof moments)[number], n: number) {
  const { sink, post, kill } = stage
  sink.behave(moment)
  const [receivedCount, connectedCount] = [sink.received.length, sink.connections()]
  const acknowledged: string[] = []
  const registering = Array.from({ length: mailsPerKill }, async () => {
    const { email } = newPerson()
    if ((await post('/api/users', { email }))?.status === 200) acknowledged.push(email)
  })
  const isMoment = {
    hang: () => sink.connections() > connectedCount,
    'take silently': () => sink.received.length > receivedCount,
    accept: () => acknowledged.length > randomInt(mailsPerKill),
  }[moment]
  for (const giveUpAt = Date.now() + 5_000; !isMoment() && Date.now() < giveUpAt; ) await sleep(1)
  await kill({ withPostgres: n % 2 === 1 })
  await Promise.all(registering)
  sink.behave('accept')
  return acknowledged
}

/** Counts emails that did not arrive in time. */
async function waitFor({ sink }: Stage, addresses: string[], giveUpAt: number): Promise<number> {
  const missing = new Set(addresses)
  for (;;) {
    for (const { envelope } of sink.received) missing.delete(envelope.to[0] ?? '')
    if (missing.size === 0 || Date.now() > giveUpAt) return missing.size
    await sleep(20)
  }
}

/**
 * Counts emails not sent in time, including those of unacknowledged registrations. At zero no mail
 * can repeat.
 */
async function settle({ query }: Stage, giveUpAt: number): Promise<number> {
  const queuedQuery = `select count(*)::int as count from messages where status = 'queued'`
  for (;;) {
    const [{ count } = { count: 0 }] = await query<{ count: number }>(queuedQuery)
    if (count === 0 || Date.now() > giveUpAt) return count
    await sleep(50)
  }
}

/** Each address gets one email here. At most one identical repetition is allowed. */
function findRepeated({ sink }: Stage, broken: string[]): number {
  const ids = new Map<string, string[]>()
  for (const { envelope, mail } of sink.received) {
    const address = envelope.to[0] ?? ''
    ids.set(address, [...(ids.get(address) ?? []), mail.messageId ?? ''])
  }
  for (const [address, received] of ids) {
    if (received.length > 2) broken.push(`${address} got the same mail ${received.length} times`)
    if (new Set(received).size > 1) broken.push(`${address} got one mail as two different ones`)
  }
  return [...ids.values()].filter(({ length }) => length > 1).length
}

const people = 4
const mailsPerPerson = 2

/** At first no server listens on the email port; later one accepts connections and stays silent. */
export const measureWithoutMailServer = (seconds: number): Promise<Findings> =>
  onStage(async (stage) => {
    const { sink } = stage
    const phase = async (ms: number, prepare: () => unknown) => {
      await prepare()
      return useApi(stage, ms)
    }
    await phase(3_000, () => {})
    const withServer = await phase(Math.min(20_000, seconds * 500), () => {})
    const refusing = await phase(seconds * 500, () => sink.down())
    const silent = await phase(seconds * 500, () => {
      sink.behave('hang')
      return sink.up()
    })
    sink.behave('accept')
    const returnedAt = Date.now()
    const late = [...refusing.addresses, ...silent.addresses]
    const missing = await waitForAll(stage, late, returnedAt + seconds * 2_000 + 60_000)
    const lastAfterMs = Date.now() - returnedAt

    const allowed = Math.max(100, 2 * withServer.p99_ms)
    const broken = [refusing, silent].flatMap(({ failed, p99_ms }) => [
      ...(failed > 0 ? [`${failed} requests failed without a mail server`] : []),
      ...(p99_ms > allowed ? [`Without a mail server p99 is ${p99_ms} ms, over ${allowed}`] : []),
    ])
    if (missing > 0) broken.push(`${missing} mails never came after the mail server was back`)
    const withoutAddresses = ({ addresses: _, ...figures }: typeof silent) => figures
    const figures = {
      seconds_without: seconds,
      promised_seconds: 600,
      with_mail_server: withoutAddresses(withServer),
      while_its_port_is_closed: withoutAddresses(refusing),
      while_it_says_nothing: withoutAddresses(silent),
      mails_that_waited: late.length * mailsPerPerson,
      last_arrived_after_its_return_ms: lastAfterMs,
    }
    return { figures, broken }
  })

async function useApi(stage: Stage, ms: number) {
  const endsAt = Date.now() + ms
  const times: number[] = []
  const addresses: string[] = []
  let failed = 0
  const timed = async (method: string, path: string, request: Parameters<Stage['call']>[2]) => {
    const answer = await stage.call(method, path, request)
    if (answer?.status !== 200) failed++
    if (answer) times.push(answer.ms)
    return answer
  }
  const behaveLikeAPerson = async () => {
    const { email } = newPerson()
    const answer = await timed('POST', '/api/users', { body: { email } })
    if (answer?.status !== 200) return
    const { access_token: token, refresh_token } = JSON.parse(answer.text)
    await timed('PATCH', '/api/account', { token, body: { first_name: randomUUID() } })
    await timed('POST', '/api/auth/token/refresh', { body: { refresh_token } })
    await timed('GET', '/api/account', { token })
    const linkResponse = await timed('POST', '/api/auth/magic_link', { body: { email } })
    if (linkResponse?.status === 200) addresses.push(email)
  }
  const live = async () => {
    for (; Date.now() < endsAt; await sleep(400)) await behaveLikeAPerson()
  }
  await Promise.all(Array.from({ length: people }, live))
  return {
    requests: times.length,
    failed,
    p50_ms: round(quantile(times, 0.5)),
    p99_ms: round(quantile(times, 0.99)),
    addresses,
  }
}

/** Counts missing emails: each user asked for two different ones. */
async function waitForAll({ sink }: Stage, addresses: string[], giveUpAt: number) {
  for (;;) {
    const ids = new Map(addresses.map((address) => [address, new Set<string>()]))
    for (const { envelope, mail } of sink.received) {
      ids.get(envelope.to[0] ?? '')?.add(mail.messageId ?? '')
    }
    const arrived = [...ids.values()].reduce((sum, { size }) => sum + size, 0)
    const missing = addresses.length * mailsPerPerson - arrived
    if (missing <= 0 || Date.now() > giveUpAt) return missing
    await sleep(100)
  }
}
