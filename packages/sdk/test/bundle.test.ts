import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'
import { describe, expect, it } from 'vitest'

/** The output of a wallet's bundler for an import. */
async function bundle(names: string, entry: string): Promise<string> {
  const source = fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url))
  const virtual = '\0entry.js'
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'virtual-entry',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith('/virtual-entry') ? virtual : undefined),
        load: (id) =>
          id === virtual ? `export { ${names} } from ${JSON.stringify(source)}` : undefined,
      },
    ],
    build: { write: false, lib: { entry: '/virtual-entry', formats: ['es'] }, minify: true },
  })
  return (output as Rollup.RollupOutput[])[0]?.output[0].code ?? ''
}

const curves = /Ristretto|ristretto/
const errors =
  'InvalidIdError, UnregisteredError, NetworkError, RefusedError, UnexpectedAnswerError'

describe('a bundle', () => {
  it('for lookups has at most 15 kB, without address checks, names and curves', async () => {
    const code = await bundle(`createLookup, parseId, ${errors}`, 'lookup')
    expect(gzipSync(code).length).toBeLessThan(15_000)
    for (const foreign of [curves, /bitcoincash/, /baby-bottle/, /requestTransfer/]) {
      expect(code).not.toMatch(foreign)
    }
  })

  it('for payments contains no curves, and only the imported code', async () => {
    const code = await bundle('createClient, memoryTokens', 'index')
    expect(code).not.toMatch(curves)
    expect(code).not.toMatch(/baby-bottle/)
    expect(gzipSync(code).length).toBeLessThan(50_000)
  })

  it('for verification contains the curves', async () => {
    const code = await bundle('verifyProof', 'verify')
    expect(code).toMatch(curves)
    expect(gzipSync(code).length).toBeLessThan(30_000)
  })
})
