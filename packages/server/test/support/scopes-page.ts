import {
  type MemberRole,
  type Scope,
  scopesOfMember,
  scopesOfRole,
} from '../../src/features/operations/access/index.ts'

type Operation = Partial<Record<'x-scope' | 'x-key-scopes' | 'x-more-scopes', Scope[]>> & {
  description?: string
}
type Description = { paths: Record<string, Record<string, Operation>> }

/** The operations of each scope, as the routes declare them. */
export function guardedBy({ paths }: Description): Map<Scope, string[]> {
  const guarded = new Map<Scope, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `\`${method.toUpperCase()} ${path}\``
      const add = (scopes: Scope[] = [], note = '') => {
        for (const scope of scopes) {
          guarded.set(scope, [...(guarded.get(scope) ?? []), `${name}${note}`])
        }
      }
      add(operation['x-scope'])
      const takesKeys = !operation.description?.includes('API keys are refused')
      add(operation['x-key-scopes'], takesKeys ? ' (keys)' : ' (people)')
      add(operation['x-more-scopes'], ' (in part)')
    }
  }
  return guarded
}

const globalRoles = ['User', 'Bot', 'Admin', 'Super'] as const
const memberRoles: readonly MemberRole[] = ['OrgMember', 'OrgController', 'OrgOwner']

function holdersOf(scope: Scope): string {
  const everywhere = globalRoles.filter((role) => scopesOfRole(role).has(scope))
  const asMember = memberRoles.filter((role) => scopesOfMember(role).has(scope))
  return [...everywhere, ...asMember].join(', ')
}

export function scopesPage(scopes: readonly Scope[], description: Description): string {
  const guarded = guardedBy(description)
  const rows = scopes.map((scope) => {
    const operations = guarded.get(scope)?.join('<br>') ?? 'reserved: accepted, without effect'
    return `| \`${scope}\` | ${holdersOf(scope)} | ${operations} |`
  })
  return `# Scopes

Made from the declarations of the routes by \`npm run generate\`; a test keeps it true.

What somebody may do is their role's, and in an organization that of their membership. An API key holds the scopes it was made with, and of those at any moment only what its maker may at that moment: whoever leaves an organization, or gets a lower role, takes it from their keys too. Scopes of an organization are only in a key that names them.

- An operation without a remark asks for one of its scopes from everybody.
- **(keys)**: any account may call it while signed in; an API key needs one of these scopes. What a scope of an organization gives counts in organizations of its maker, and nowhere else. Where an operation answers many things, parts whose scope is missing are empty. At \`POST /users\` and the catalog, which need no account, a key without the scope counts as nobody.
- **(people)**: any account may call it while signed in, in an organization as its membership goes. API keys are refused, whatever their scopes.
- **(in part)**: asked for by a part of the operation, beside what the whole asks for.
- **reserved: accepted, without effect**: keys may name it, and no operation asks for it.

| scope | roles that have it | operations |
|---|---|---|
${rows.join('\n')}
`
}
