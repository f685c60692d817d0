// R1: registrations, changes, confirmations and refreshes, while the service and its PostgreSQL are
// killed repeatedly. No acknowledged write is lost, and none is applied twice.
import { createChecks, type Person } from './account-checks.ts'
import { type Findings, inParallel, onStage, quantile, type Stage } from './account-stage.ts'
import { createWriters } from './account-writers.ts'

const atOnce = 8

type Victim = 'service' | 'service and PostgreSQL' | 'PostgreSQL'

export const measureWrites = (kills: number): Promise<Findings> =>
  onStage(async (stage) => {
    const broken: string[] = []
    const writers = createWriters(stage, atOnce, broken)
    const checks = createChecks(stage, broken)
    const victims = planOf(kills)
    for (const [n, victim] of victims.entries()) {
      process.stderr.write(`writes: kill ${n + 1} of ${victims.length}, ${victim}\n`)
      const touchedPeople = await writers.writeUntil(() => strike(stage, victim))
      if (victim !== 'PostgreSQL') await stage.restart()
      await inParallel(touchedPeople, atOnce, checks.check)
    }
    const { people, acknowledged } = writers
    await inParallel(people, atOnce, async (person) => {
      await checks.check(person)
      await checks.logIn(person)
    })
    await countRows(stage, people, broken)
    const figures = {
      kills: { service: kills, of_these_with_postgres: Math.floor(kills / 2) },
      kills_of_postgres_alone: victims.length - kills,
      acknowledged,
      not_acknowledged: writers.countOpen(),
      people: people.length,
      lost_or_doubled: broken.length,
      ready_after_ms: { median: quantile(stage.readyMs, 0.5), slowest: Math.max(...stage.readyMs) },
    }
    return { figures, broken }
  })

/** Every second kill includes PostgreSQL. After every fifth PostgreSQL is killed alone. */
function planOf(kills: number): Victim[] {
  return Array.from({ length: kills }, (_, n): Victim[] => [
    n % 2 === 0 ? 'service' : 'service and PostgreSQL',
    ...(n % 5 === 4 ? ['PostgreSQL' as const] : []),
  ]).flat()
}

async function strike(stage: Stage, victim: Victim): Promise<void> {
  if (victim === 'PostgreSQL') return stage.killPostgres()
  await stage.kill({ withPostgres: victim === 'service and PostgreSQL' })
}

/** No duplicates: users and changes are unique, and each email is queued once. */
async function countRows({ query }: Stage, people: Person[], broken: string[]): Promise<void> {
  const users = await query<Row>(rowsOfUsers)
  const rows = new Map(users.map((row) => [row.email, row]))
  for (const person of people) {
    const row = rows.get(person.email)
    if (!row || !isExactly(row, person)) {
      broken.push(`${person.email} is not what was written: ${JSON.stringify({ row, person })}`)
    }
  }
  const mails = `select count(*)::int as count from messages where kind = 'confirm_email'`
  const [queued] = await query<{ count: number }>(mails)
  if (users.length !== people.length || queued?.count !== people.length) {
    broken.push(`${people.length} people are ${users.length} rows with ${queued?.count} mails`)
  }
}

type Row = { email: string } & Record<
  'keys' | 'registered' | 'changed' | 'confirmed' | 'sessions' | 'tokens' | 'usable',
  number
>

const audited = (event: string): string =>
  `(select count(*)::int from audit_entries where subject_id = u.id and event = '${event}')`
const tokens = `refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = u.id`

const rowsOfUsers = `
  select email, ${audited('account.registered')} as registered,
    ${audited('account.changed')} as changed, ${audited('email.confirmed')} as confirmed,
    (select count(*)::int from keys where user_id = u.id) as keys,
    (select count(*)::int from sessions where user_id = u.id) as sessions,
    (select count(*)::int from ${tokens}) as tokens,
    (select count(*)::int from ${tokens} and t.rotated_at is null) as usable
  from users u where email like 'p-%'`

/** One account, one key, each change once, and one usable token per session. */
function isExactly(row: Row, { changes, confirmed, sessions, perhaps, refreshes }: Person) {
  return (
    row.registered === 1 &&
    row.keys === 1 &&
    row.changed === changes &&
    row.confirmed === Number(confirmed) &&
    row.sessions >= sessions &&
    row.sessions <= sessions + perhaps &&
    row.tokens === row.sessions + refreshes &&
    row.usable === row.sessions
  )
}
