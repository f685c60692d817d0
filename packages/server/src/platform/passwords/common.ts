let common: Promise<ReadonlySet<string>> | undefined

/**
 * Whether guessers try it first: it stands on their lists, also with signs at its end, or repeats
 * a few characters. The list is read when it is first needed.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set<string>(dictionary['passwords-common']),
  )
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+$/u, '')
  const isMonotone = new Set(lower).size < 4
  return isMonotone || (await common).has(lower) || (await common).has(bare)
}
