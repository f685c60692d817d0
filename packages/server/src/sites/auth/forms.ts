import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, refusal } from '../../platform/errors.ts'
import { minuteMs } from '../../platform/time.ts'

type Form = Record<string, string>

export const formLimit = 16 * 1024
/** More than any form of ours has, and few enough to read. */
const membersAtMost = 50

/** What a form says. No text of ours has a NUL in it, and the database takes none. */
export function parseForm(body: string): URLSearchParams {
  // Counted before it is parsed: parsing thousands of members is the cost.
  if (body.split('&', membersAtMost + 1).length > membersAtMost) throw tooManyMembers()
  const form = new URLSearchParams(body)
  if ([...form].flat().some((text) => text.includes('\u0000'))) throw nul()
  return form
}

/** What sends mails or tries links, per client address. */
export const limited = { rateLimit: { max: 100, timeWindow: minuteMs } }

/** Reads what forms send, and only from our own pages: no other site makes a person do things here. */
export function readForms(app: FastifyInstance, ownOrigin: string): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    async (_request: FastifyRequest, body: string): Promise<Form> =>
      Object.fromEntries(parseForm(body)),
  )
  app.addHook('onRequest', async ({ method, headers }) => {
    if (method !== 'POST') return
    const site = headers['sec-fetch-site']
    // A page that sends no referrer also sends no origin, but "null".
    const isForeign = site
      ? site !== 'same-origin'
      : headers.origin !== undefined && headers.origin !== 'null' && headers.origin !== ownOrigin
    if (isForeign) throw foreignForm()
  })
}

/** A member of the form, or of the query; absent is empty. */
export const field = (from: unknown, name: string): string => {
  const value = (from as Partial<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const nul = () => invalidRequest('The form has a NUL character.')

const tooManyMembers = () =>
  refusal('invalid', 'too_many_members', `A form has at most ${membersAtMost} members.`)

const foreignForm = () =>
  refusal(
    'forbidden',
    'foreign_form',
    'This form was sent from another site. Open the page itself.',
  )
