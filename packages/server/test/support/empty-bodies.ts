export const jsonType = { 'content-type': 'application/json' }
export type SentBody = { headers?: Record<string, string>; raw?: string }

/** Bodies that clients send where none is required, beside nothing and {}: most tests send these. */
export const emptyBodies: [what: string, sent: SentBody][] = [
  ['nothing, called JSON', { headers: jsonType }],
  ['null', { headers: jsonType, raw: 'null' }],
]
