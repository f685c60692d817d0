import { queryOptions } from '@tanstack/react-query'
import { messages } from '../language.ts'
import { askForProof, proofFor } from './code-question.ts'
import { Problem } from './problem.ts'
import { queries } from './query-client.ts'
import { callSite, session } from './session.ts'
import type { Progress } from './sign-in.ts'

export type Passkey = {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
  /** Older than the second factor, so that a code is asked for besides. */
  needs_code: boolean
}

type Options = { challenge: string }

/** Whether this browser can use passkeys at all. */
export const canUsePasskeys = (): boolean => window.PublicKeyCredential !== undefined

/** Loaded on the first use. The person may close the dialog of the browser: that is no fault. */
async function withBrowser<Response>(
  run: (library: typeof import('@simplewebauthn/browser')) => Promise<Response>,
): Promise<Response> {
  const library = await import('@simplewebauthn/browser')
  return run(library).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new Problem(422, { error: isKnown ? passkeyTexts.known : passkeyTexts.aborted })
  })
}

const sign = async (path: string) => {
  const optionsJSON = await callSite<Options>('POST', path)
  return withBrowser(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: optionsJSON as never }),
  )
}

export async function signInByPasskey(): Promise<Progress> {
  const response = await sign('/session/passkey/options')
  if (!(await session.follow('/session/passkey', { response }))) return 'owing'
  void queries.invalidateQueries()
  return 'in'
}

/** Confirms a sensitive action in the place of a code. */
export async function confirmByPasskey(): Promise<void> {
  const response = await sign('/session/passkey/confirm/options')
  await session.follow('/session/passkey/confirm', { response })
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => withProof(() => callSite<Passkey[]>('GET', '/session/passkeys')),
  staleTime: 0,
})

/** Asks for a code or a sign-in where the site requires one, then tries again. */
async function withProof<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  return run().catch(async (error) => {
    const proof = error instanceof Problem ? proofFor(error.status, error) : undefined
    if (!proof || !(await askForProof(proof))) throw error
    return run()
  })
}

const refresh = () => void queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await withProof(() =>
    callSite<Options>('POST', '/session/passkeys/options', {}),
  )
  const response = await withBrowser(({ startRegistration }) =>
    startRegistration({ optionsJSON: optionsJSON as never }),
  )
  await callSite('POST', '/session/passkeys', { response, name })
  refresh()
}

/** Lets a passkey that is older than the second factor take the place of a code. */
export async function confirmPasskey(id: string): Promise<void> {
  await withProof(() => callSite('POST', `/session/passkeys/${id}/confirm`, {}))
  refresh()
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await callSite('PATCH', `/session/passkeys/${id}`, { name })
  refresh()
}

export async function removePasskey(id: string): Promise<void> {
  await withProof(() => callSite('POST', `/session/passkeys/${id}/remove`, {}))
  refresh()
}

/** Separate from the texts of every page, because their script is at its size limit. */
export const passkeyTexts = messages({
  en: {
    aborted: 'No passkey was used. Try again, or choose another way.',
    use: 'Use a passkey',
    known: 'This device already has a passkey for your account.',
  },
})
