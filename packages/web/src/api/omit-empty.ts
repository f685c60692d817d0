/** Drops empty members, so that query parameters are sent only if they have a value. */
export function omitEmpty<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as ReturnType<typeof omitEmpty<Members>>
}
