import type { Tokens } from '../test/support/people.ts'
import type { newPerson, Stage } from './account-stage.ts'

/** A user, and the writes that the service acknowledged. */
export type Person = ReturnType<typeof newPerson> & {
  /** Set once the registration or a login is acknowledged. */
  tokens: Tokens | undefined
  name: string | null
  /** The name of an unacknowledged change. */
  tried: string | undefined
  confirmed: boolean
  changes: number
  refreshes: number
  sessions: number
  /** Unacknowledged logins. */
  perhaps: number
}

export function logInOrRegister(person: Person, text: string): void {
  person.tokens = JSON.parse(text)
  person.sessions++
}

export function noteChange(person: Person, name: string): void {
  person.name = name
  person.tried = undefined
  person.changes++
}

/** Checks that every acknowledged write exists. An unacknowledged write may exist or not. */
export function createChecks({ call, post, patiently }: Stage, broken: string[]) {
  /**
   * After an unacknowledged registration the user registers again and gets a new account or a
   * login.
   */
  const settleRegistration = async (person: Person) => {
    const { email, password } = person
    const secondAnswer = await patiently(() => post('/api/users', { email, password }))
    if (secondAnswer?.status === 200) return logInOrRegister(person, secondAnswer.text)
    if (secondAnswer?.status !== 422)
      return void broken.push(`${email} can neither register nor log in`)
    person.sessions++
    await logIn(person)
  }
  const logIn = async (person: Person) => {
    const { email, password } = person
    const answer = await patiently(async () => {
      const outcome = await post('/api/auth/token', { email, password })
      if (outcome?.status !== 200) person.perhaps++
      return outcome
    })
    if (answer?.status === 200) logInOrRegister(person, answer.text)
    else broken.push(`${email} registered and cannot log in: ${answer?.status}`)
  }
  /**
   * An acknowledged token works. A repeated refresh within the grace period returns the same
   * successor.
   */
  const checkRefresh = async (person: Person, { refresh_token }: Tokens) => {
    const ask = () => patiently(() => post('/api/auth/token/refresh', { refresh_token }))
    const [first, second] = [await ask(), await ask()]
    if (first?.status !== 200 || second?.status !== 200) {
      broken.push(`An acknowledged refresh token of ${person.email} does not work`)
      return
    }
    const [tokens, repeatedTokens]: Tokens[] = [JSON.parse(first.text), JSON.parse(second.text)]
    if (tokens?.refresh_token !== repeatedTokens?.refresh_token) {
      broken.push(`A refresh token of ${person.email} has two successors`)
    }
    person.tokens = tokens
    person.refreshes++
  }
  const checkAccount = async (person: Person, token: string) => {
    const answer = await patiently(() => call('GET', '/api/account', { token }))
    if (answer?.status !== 200) return void broken.push(`${person.email} cannot see their account`)
    const { user } = JSON.parse(answer.text)
    if (person.tried !== undefined && user.first_name === person.tried) {
      noteChange(person, person.tried)
    }
    person.tried = undefined
    if (user.first_name !== person.name) broken.push(`A change of ${person.email} is gone`)
    const isConfirmed = user.email_verified_at !== null
    if (person.confirmed && !isConfirmed) broken.push(`A confirmation of ${person.email} is gone`)
    person.confirmed ||= isConfirmed
  }
  const check = async (person: Person) => {
    if (!person.tokens) await settleRegistration(person)
    if (person.tokens) await checkRefresh(person, person.tokens)
    if (person.tokens) await checkAccount(person, person.tokens.access_token)
  }

  return { check, logIn }
}
