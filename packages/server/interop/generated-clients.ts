import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'
import type { Check } from './check.ts'
import { description, run, strict, withPackages } from './tools.ts'

const fireSnake = '🔥🐍'

export const lintCheck: Check = {
  name: 'Redocly: docs/openapi.json keeps the OpenAPI specification',
  run: () =>
    withPackages(['@redocly/cli@2.73.0'], async (folder) => {
      const config = join(folder, 'redocly.yaml')
      writeFileSync(config, 'extends: [spec]\n')
      await run('npx', ['redocly', 'lint', description, '--config', config], folder)
      return { rules: 'spec' }
    }),
}

/** A client generated from the OpenAPI description type-checks and looks up an id. */
export const generatedClientCheck: Check = {
  name: 'swagger-typescript-api: a generated client compiles and looks an id up',
  run: ({ url }) =>
    withPackages(['swagger-typescript-api@13.13.0', 'typescript@5.9.3'], async (folder) => {
      const generate = ['swagger-typescript-api', 'generate', '-p', description]
      await run(
        'npx',
        [...generate, '-o', folder, '-n', 'client.ts', '--module-name-index', '0'],
        folder,
      )
      const source = join(folder, 'client.ts')
      await run('npx', ['tsc', ...strict, source], folder)
      const { code } = await transformWithOxc(readFileSync(source, 'utf8'), 'client.ts')
      const built = join(folder, 'client.mjs')
      writeFileSync(built, code)
      const { Api } = await import(/* @vite-ignore */ pathToFileURL(built).href)
      const client = new Api({ baseUrl: url })
      const { data } = await client.request({
        path: `/emoji_id/${encodeURIComponent(fireSnake)}/BTC`,
        method: 'GET',
        format: 'json',
      })
      const address = data?.result?.[0]?.data
      if (typeof address !== 'string') throw new Error(`It answered ${JSON.stringify(data)}`)
      return { operations: (code.match(/this\.request\(/g) ?? []).length, address }
    }),
}
