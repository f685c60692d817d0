import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'
import { describe, expect, it } from 'vitest'

const index = fileURLToPath(new URL('../src/index.ts', import.meta.url))

describe('a bundle of the package', () => {
  it('that only parses ids contains neither names nor address checks', async () => {
    const code = await bundle('parseEmojiId, parseEmojiIdSegment, chainFormat')
    expect(code).toContain('🐶')
    expect(code).not.toContain('baby-bottle')
    expect(code).not.toContain('puppy')
    expect(code).not.toContain('bitcoincash')
    expect(gzipSync(code).length).toBeLessThan(5_000)
  })

  it('that parses tags and tickers contains no address checks', async () => {
    const code = await bundle('parseTag, tagsOfTicker, paymentAddresses')
    expect(code).toContain('Bitcoin Cash')
    expect(code).not.toContain('bitcoincash')
    expect(gzipSync(code).length).toBeLessThan(5_000)
  })
})

async function bundle(names: string): Promise<string> {
  const entry = '\0entry.js'
  const output = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'virtual-entry',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith('/virtual-entry') ? entry : undefined),
        load: (id) =>
          id === entry ? `export { ${names} } from ${JSON.stringify(index)}` : undefined,
      },
    ],
    build: { write: false, lib: { entry: '/virtual-entry', formats: ['es'] }, minify: true },
  })
  return (output as Rollup.RollupOutput[])[0]?.output[0].code ?? ''
}
