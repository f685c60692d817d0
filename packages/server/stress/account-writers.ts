import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tokens } from '../test/support/people.ts'
import { logInOrRegister, noteChange, type Person } from './account-checks.ts'
import { newPerson, type Stage } from './account-stage.ts'

const recent = 10

/** Each user has one writer, which writes without pause. */
export function createWriters(stage: Stage, crewCount: number, broken: string[]) {
  const { call, post } = stage
  const people: Person[] = []
  const crews = Array.from({ length: crewCount }, (): Person[] => [])
  const touched = new Set<Person>()
  const acknowledged = { registrations: 0, changes: 0, confirmations: 0, refreshes: 0 }
  let open = 0
  const countAcknowledged = () => Object.values(acknowledged).reduce((sum, n) => sum + n, 0)
  const linkOf = readLinks(stage)

  const register = async (crew: Person[]) => {
    const person: Person = {
      ...newPerson(),
      tokens: undefined,
      name: null,
      tried: undefined,
      confirmed: false,
      changes: 0,
      refreshes: 0,
      sessions: 0,
      perhaps: 0,
    }
    people.push(person)
    touched.add(person)
    const { email, password } = person
    const answer = await post('/api/users', { email, password })
    if (answer?.status !== 200) return answer
    logInOrRegister(person, answer.text)
    crew.push(person)
    acknowledged.registrations++
    return answer
  }
  const change = async (person: Person, token: string) => {
    const name = randomUUID()
    person.tried = name
    const answer = await call('PATCH', '/api/account', { token, body: { first_name: name } })
    if (answer?.status !== 200) return answer
    noteChange(person, name)
    acknowledged.changes++
    return answer
  }
  const refresh = async (person: Person, { refresh_token }: Tokens) => {
    const answer = await post('/api/auth/token/refresh', { refresh_token })
    if (answer?.status !== 200) return answer
    person.tokens = JSON.parse(answer.text)
    person.refreshes++
    acknowledged.refreshes++
    return answer
  }
  const confirm = async (person: Person, token: string) => {
    const answer = await call('POST', '/auth/confirm_email', { form: { token } })
    if (answer?.status !== 200) return answer
    person.confirmed = true
    acknowledged.confirmations++
    return answer
  }

  const writeOnce = (crew: Person[]) => {
    const person = crew.at(-1 - randomInt(Math.min(recent, crew.length + 1)))
    const dice = randomInt(8)
    if (!person?.tokens || dice === 0) return register(crew)
    touched.add(person)
    if (dice <= 2) return refresh(person, person.tokens)
    const link = dice <= 4 && !person.confirmed ? linkOf(person.email) : undefined
    return link ? confirm(person, link) : change(person, person.tokens.access_token)
  }
  /** Stops at the first unacknowledged write: its outcome is checked before the next. */
  const work = async (crew: Person[]) => {
    for (;;) {
      const answer = await writeOnce(crew)
      if (answer?.status === 200) continue
      open++
      if (answer && answer.status !== 503) {
        broken.push(`A write was answered ${answer.status}: ${answer.text}`)
      }
      return
    }
  }

  return {
    people,
    acknowledged,
    countOpen: () => open,
    /**
     * Kills after a random number of writes. Returns the users who wrote since the previous kill.
     */
    async writeUntil(strike: () => Promise<void>): Promise<Person[]> {
      const enough = countAcknowledged() + 20 + randomInt(80)
      const working = crews.map(work)
      for (const giveUpAt = Date.now() + 5_000; Date.now() < giveUpAt; await sleep(1)) {
        if (countAcknowledged() >= enough) break
      }
      await strike()
      await Promise.all(working)
      const writers = [...touched]
      touched.clear()
      return writers
    },
  }
}

/** The token of the link in the latest mail to an address. */
function readLinks({ sink }: Stage) {
  const tokens = new Map<string, string>()
  let read = 0
  return (address: string): string | undefined => {
    for (const { envelope, mail } of sink.received.slice(read)) {
      const token = /\/auth\/confirm_email\?token=([\w-]+)/.exec(mail.text ?? '')?.[1]
      if (token) tokens.set(envelope.to[0] ?? '', token)
      read++
    }
    return tokens.get(address)
  }
}
