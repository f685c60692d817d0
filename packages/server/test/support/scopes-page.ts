import {
  type MemberRole,
  type Scope,
  scopesOfMember,
  scopesOfRole,
} from '../../src/features/operations/access/access.ts'

type Operation = Partial<Record<'x-scope' | 'x-key-scopes' | 'x-more-scopes', Scope[]>> & {
  description?: string
}
type Description = { paths: Record<string, Record<string, Operation>> }

type Guarded = { method: string; path: string; note: string }

/** The operations of each scope, as the routes declare them. */
export function operationsByScope({ paths }: Description): Map<Scope, Guarded[]> {
  const guarded = new Map<Scope, Guarded[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const add = (scopes: Scope[] = [], note = '') => {
        for (const scope of scopes) {
          const one = { method: method.toUpperCase(), path, note }
          guarded.set(scope, [...(guarded.get(scope) ?? []), one])
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

/** One line per method and remark. An export is left out beside its list with the same remark. */
function linesOf(operations: readonly Guarded[]): string {
  const paths = new Map<string, Set<string>>()
  for (const { method, path, note } of operations) {
    const key = `${method}|${note}`
    paths.set(key, (paths.get(key) ?? new Set()).add(path))
  }
  const lines = [...paths].map(([key, all]) => {
    const [method, note] = key.split('|')
    const isOfShownList = (path: string) =>
      path.endsWith('/export') && all.has(path.slice(0, -'/export'.length))
    const shown = [...all].filter((path) => !isOfShownList(path))
    return `\`${method} ${shown.join(', ')}\`${note}`
  })
  return lines.join('<br>')
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
  const rows = scopes
    .filter((scope) => guarded.has(scope))
    .map((scope) => `| \`${scope}\` | ${holdersOf(scope)} | ${linesOf(guarded.get(scope) ?? [])} |`)
  const reserved = scopes.filter((scope) => !guarded.has(scope))
  return `# Scopes

Generated from the routes by \`npm run generate\`; a test checks it.

A user's role gives scopes for the whole service, and a membership gives scopes in its organization. An API key has the scopes it was made with, limited to those that its maker has at the time of a request. A key gets organization scopes only if it names them.

- Without a remark an operation requires one of its scopes from every caller.
- **(no keys)**: API keys are refused with any scope, because what the operation makes outlives them.
- **(keys)**: any signed-in account may call it; an API key needs one of these scopes. An organization scope counts only in organizations of the key's maker. In responses with several parts, the parts whose scope is missing are empty. At \`POST /users\` and the catalog, which need no account, a key without the scope counts as anonymous.
- **(people)**: any signed-in account may call it, in an organization with the rights of its membership. API keys are refused with any scope.
- **(in part)**: required by a part of the operation, in addition to the scopes of the whole.
- The CSV export of a list (\`{list}/export\`) requires the scopes of the list.

| scope | roles that have it | operations |
|---|---|---|
${rows.join('\n')}

**Reserved** scopes are accepted in API keys, and no operation requires them: ${reserved.map((scope) => `\`${scope}\``).join(', ')}.
`
}
