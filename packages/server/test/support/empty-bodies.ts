export const jsonType = { 'content-type': 'application/json' }
export type Sent = { headers?: Record<string, string>; raw?: string }

/** Bodies that clients send where none is required. */
export const empty: [what: string, sent: Sent][] = [
  ['nothing', {}],
  ['nothing, called JSON', { headers: jsonType }],
  ['null', { headers: jsonType, raw: 'null' }],
  ['{}', { headers: jsonType, raw: '{}' }],
]
