import { withQuery } from '../../../platform/http/pages/links.ts'
import type { OauthClient } from '../clients/clients.ts'
import type { Deps } from './grants.ts'
import * as rules from './rules.ts'

export type AuthorizationRequest = {
  client: OauthClient
  redirect_uri: string
  state: string | undefined
  code_challenge: string | undefined
  /** The chosen emoji id, as sent. */
  svc: string | undefined
}

/** Reads an authorization request. Returns its problem, which may be reported to the application. */
export async function readRequest({ clients }: Deps, receivedQuery: rules.Query) {
  // Empty parameters count as absent (RFC 6749 section 3.1).
  const query = Object.fromEntries(
    Object.entries(receivedQuery).filter(([, value]) => value !== ''),
  )
  const client_id = rules.text(query['client_id'])
  const client = client_id ? await clients.findClient(client_id) : undefined
  const problem = rules.problemOf(query, client)
  const optional = (name: string) => rules.text(query[name]) || undefined
  const request: AuthorizationRequest = {
    client: client as OauthClient,
    redirect_uri: rules.text(query['redirect_uri']),
    state: optional('state'),
    code_challenge: optional('code_challenge'),
    svc: optional('svc'),
  }
  return { request, problem }
}

/** The redirect address with an error for the application. */
export const refuseRequest = (
  { issuer }: Deps,
  { redirect_uri, state }: AuthorizationRequest,
  problem: rules.Problem,
) => withQuery(redirect_uri, { ...problem, state, iss: issuer })
