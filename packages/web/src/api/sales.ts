const powerRoles: readonly string[] = ['OrgController', 'OrgOwner']

/** The organizations whose sales an account may see. */
export const sellersOf = (account: { organization_roles: Record<string, string> } | undefined) =>
  Object.entries(account?.organization_roles ?? {})
    .filter(([, role]) => powerRoles.includes(role))
    .map(([id]) => id)
