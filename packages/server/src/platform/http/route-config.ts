import 'fastify'
import type { Cost, PerMinute } from './limits.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Left out of the API description. */
    hide?: boolean
  }
  interface FastifyContextConfig {
    /**
     * A scope, or a list of which one is enough; or `public` (credentials are not read), `anybody`
     * (invalid credentials are ignored), `optional` (credentials must be valid if present), `user`,
     * `session` (no API key), `any_session` (also one that owes a code). A route without it stops the
     * start.
     */
    access?: string | readonly string[]
    /**
     * Where `access` requires no scope: an API key needs one of these, globally or in an
     * organization of its creator. Without it such a route stops the start.
     */
    key_scopes?: readonly string[]
    /** Further scopes of parts of the operation; the service checks them. */
    more_scopes?: readonly string[]
    /**
     * Supports `Idempotency-Key`. `'secret'`: the response holds a secret and is never stored, so a
     * repeat has no second effect and gets an error that names the list.
     */
    idempotent?: true | 'secret'
    /**
     * Requires a fresh code from accounts with a second factor. From the others `code_or_sign_in`
     * requires a sign-in within 15 minutes, and no API key; `code_or_nothing` requires nothing.
     * `keys_too`: an API key that was made with a code is enough.
     */
    sensitive?: 'code_or_sign_in' | 'code_or_nothing' | 'code_or_nothing_keys_too'
    /** Open to operators without a second factor: needed to set one up. */
    without_second_factor?: true
    /** The cost that a request takes from a budget of its network (429). */
    cost?: Cost
    /** The rate limit of the route: requests per minute of a network (429), reported in headers. */
    per_minute?: PerMinute
    /** Accepts access tokens of applications (“Log in with your emoji id”), limited to their one id. */
    for_applications?: true
    /** The limit of members in the JSON body, over all levels; 2,000 by default. */
    members?: number
    /** Accepts any query, since the server ignores it. */
    any_query?: true
    /** `'lookup'`: errors of the public lookup have a body with one member. */
    errors?: 'lookup'
    /** Answers unsupported methods with 405; not listed as allowed. */
    refuses_methods?: true
    /** Time limit of the handler in milliseconds, if it differs from the default. */
    time_limit_ms?: number
    /** The columns of the list as CSV, as paths in its rows; adds `{url}/export`. */
    csv?: readonly string[]
    /** The last part of the path of the CSV, where `export` is taken. */
    csv_path?: 'csv'
    /** Can answer with a stream of server-sent events, which is open for minutes. */
    streams?: true
    /** Pages of other origins may read the response, also if it is not a public GET. */
    readable_everywhere?: true
  }
}
