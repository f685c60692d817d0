/** The members that say something: what is not asked for is left out of a question. */
export function omitEmpty<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(kept) as ReturnType<typeof omitEmpty<Members>>
}
