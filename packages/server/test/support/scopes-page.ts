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
export function operationsByScope({ paths }: Description): Map<Scope, string[]> {
  const guarded = new Map<Scope, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `\`${method.toUpperCase()} ${path}\``
      const add = (scopes: Scope[] = [], note = '') => {
        for (const scope of scopes) {
          guarded.set(scope, [...(guarded.get(scope) ?? []), `${name}${note}`])
        }
      }
      const takesKeys = !operation.description?.includes('API keys are refused')
      add(operation['x-scope'], takesKeys ? '' : ' (no keys)')
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
  const guarded = operationsByScope(description)
  const rows = scopes.map((scope) => {
    const operations = guarded.get(scope)?.join('<br>') ?? 'reserved: accepted, without effect'
    return `| \`${scope}\` | ${holdersOf(scope)} | ${operations} |`
  })
  return `# Scopes

Generated from the routes by \`npm run generate\`; a test checks it.

A user's role gives scopes for the whole service, and a membership gives scopes in its organization. An API key has the scopes it was made with, limited to those that its maker has at the time of a request. A maker who loses a role or a membership takes it from their keys too. A key gets organization scopes only if it names them.

- Without a remark an operation requires one of its scopes from every caller.
- **(no keys)**: API keys are refused with any scope, because what the operation makes outlives them.
- **(keys)**: any signed-in account may call it; an API key needs one of these scopes. An organization scope counts only in organizations of the key's maker. In responses with several parts, the parts whose scope is missing are empty. At \`POST /users\` and the catalog, which need no account, a key without the scope counts as anonymous.
- **(people)**: any signed-in account may call it, in an organization with the rights of its membership. API keys are refused with any scope.
- **(in part)**: required by a part of the operation, in addition to the scopes of the whole.
- **reserved: accepted, without effect**: keys may name it, and no operation requires it.

| scope | roles that have it | operations |
|---|---|---|
${rows.join('\n')}
`
}
