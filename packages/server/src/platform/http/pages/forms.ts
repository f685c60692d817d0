import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, refusal } from '../../errors.ts'

type Form = Record<string, string>

export const formLimit = 16 * 1024
/** No form of this site has as many. */
const membersAtMost = 50

/** Parses a form. PostgreSQL rejects NUL characters in text. */
export function parseForm(body: string): URLSearchParams {
  // Checked first: parsing thousands of members is expensive.
  if (body.split('&', membersAtMost + 1).length > membersAtMost) throw tooManyMembers()
  const form = new URLSearchParams(body)
  if ([...form].flat().some((text) => text.includes('\u0000'))) throw nul()
  return form
}

/** The rate limit of routes that send emails or try links. */
export const formRate = { per_minute: 100 }

/** Accepts forms from our own pages only (CSRF). */
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
    // A page that sends no referrer sends the origin "null".
    const isForeign = site
      ? site !== 'same-origin'
      : headers.origin !== undefined && headers.origin !== 'null' && headers.origin !== ownOrigin
    if (isForeign) throw foreignForm()
  })
}

/** A member of the form or of the query; empty if absent. */
export const field = (from: unknown, name: string): string => {
  const value = (from as Partial<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const nul = () => invalidRequest('The form contains a NUL character.')

const tooManyMembers = () =>
  refusal('invalid', 'too_many_members', `A form can have at most ${membersAtMost} members.`)

const foreignForm = () =>
  refusal(
    'forbidden',
    'foreign_form',
    'This form was sent from another site. Open the page on this site and try again.',
  )
