let common: Promise<ReadonlySet<string>> | undefined

/**
 * True for a password that attackers try first: on the list, also with signs at its end, or a
 * repetition of a few characters. The list is loaded on first use.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set<string>(dictionary['passwords-common']),
  )
  const lower = password.toLowerCase()
  const stem = lower.replace(/[^\p{L}\p{N}]+$/u, '')
  const isMonotone = new Set(lower).size < 4
  return isMonotone || (await common).has(lower) || (await common).has(stem)
}
