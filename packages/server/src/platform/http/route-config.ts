import 'fastify'

declare module 'fastify' {
  interface FastifySchema {
    /** Left out of the API description. */
    hide?: boolean
  }
  interface FastifyContextConfig {
    /** Who may call: `'public'`, or what the caller must hold. A route without it stops the boot. */
    access?: string | readonly string[]
    /**
     * Where `access` asks for no scope: what an API key must hold one of, everywhere or in an
     * organization of its maker. Without it such a route stops the boot.
     */
    key_scopes?: readonly string[]
    /** What parts of the operation ask for beyond that; the service checks. */
    more_scopes?: readonly string[]
    /**
     * Whether `Idempotency-Key` is honoured. `'secret'`: the answer holds a secret and is never
     * kept, so a repeat has no second effect but is told to look elsewhere.
     */
    idempotent?: true | 'secret'
    /** Needs a fresh second factor of those who have one; `'for_keys_too'`: a key made with a code will do; `'recent_login'`: no key, and others log in anew. */
    sensitive?: true | 'for_keys_too' | 'recent_login'
    /** Open to operators who have no second factor yet: what they need to set one up. */
    without_second_factor?: true
    /** Counts what requests of a network cost, and may refuse them (429). */
    limited?: true
    /** Also for applications that a user logs in at, as far as their one id goes. */
    for_applications?: true
    /** The limit of members in the JSON body, over all levels; 2,000 by default. */
    members?: number
    /** The query may be anything: nobody on this side reads it. */
    any_query?: true
    /** `'lookup'`: refusals of the public lookup have a body of their own, with one member. */
    errors?: 'lookup'
    /** Answers the methods that its path does not take: they are not told as allowed. */
    refuses_methods?: true
    /** Time limit of the handler in milliseconds, where it is another than usual. */
    time_limit_ms?: number
    /** Pages of other origins may read the answer (public reads that are not GET). */
    readable_everywhere?: true
  }
}
