let common: Promise<ReadonlySet<string>> | undefined

/** Whether it stands on the lists that guessers begin with. The list is read when it is first needed. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set<string>(dictionary['passwords-common']),
  )
  return (await common).has(password.toLowerCase())
}
