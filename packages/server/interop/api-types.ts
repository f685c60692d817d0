import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { description, root, run, strict, withPackages } from './tools.ts'

const comparison = `
import type { operations as Ours } from './ours.ts'
import type { operations as Theirs } from './theirs.ts'

type IsSame<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Name = keyof (Ours & Theirs)
type Different = { [Each in Name]: IsSame<Ours[Each], Theirs[Each]> extends true ? never : Each }
export const different: [Different[Name]] extends [never] ? 'none' : Different[Name] = 'none'
`

/** The web and the SDK have types of our own generator, so that the install has one TypeScript. */
export const apiTypesCheck: Check = {
  name: 'openapi-typescript: generates the same types as scripts/api-types.mjs',
  run: () =>
    withPackages(['openapi-typescript@7.13.0', 'typescript@5.9.3'], async (folder) => {
      const generate = ['openapi-typescript', description, '-o', join(folder, 'theirs.ts')]
      await run('npx', [...generate, '--default-non-nullable=false'], folder)
      copyFileSync(join(root, 'packages/sdk/src/generated/api.ts'), join(folder, 'ours.ts'))
      writeFileSync(join(folder, 'comparison.ts'), comparison)
      await run('npx', ['tsc', ...strict, '--allowImportingTsExtensions', 'comparison.ts'], folder)
      return { different: 'none' }
    }),
}
