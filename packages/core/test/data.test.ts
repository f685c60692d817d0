import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emojiAlphabet } from '../src/index.ts'

const core = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, core), 'utf8')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Version 1 is frozen: existing ids depend on every entry. A change needs a new version, not a new
 * hash.
 */
const frozen = {
  'data/emoji-set.v1.json': 'ca56a2b08c7d687adf3dd1b44eea909a6e8d09c5a5ea3975dea1aeb519327f4a',
  'data/rhythm.v1.json': '107b38dbf57c4fa7474c027f12b92f734aef3e9dc3da7aaa19f05ac684819b87',
  'data/prices.v1.json': '4ea8d90bde6d33b61d193b6753b2d85df160a23d438d141275b291c962e67af0',
  'data/tags.v1.json': 'd663ee5ade9e332f15ce28fd42723da106b25300cf7073552c502cfb25933c50',
  'test-vectors/id-vectors.json':
    '75c5c494bf8362bd86099716733ff9ef3127ae8fedace38b7fe466a853a63f44',
}

describe('the data of version 1', () => {
  it.each(Object.entries(frozen))('%s is unchanged', (path, hash) => {
    expect(
      sha256(read(path)),
      'Existing ids and records depend on every row. Add a record category in ' +
        'src/records/tag-additions.ts. For anything else write a new version: data/NAME.v2.json ' +
        'beside this one, read by scripts/generate-data.mjs, with its hash in this test.',
    ).toBe(hash)
  })

  it('hashes its own code points', () => {
    const { entries, code_points_sha256 } = JSON.parse(read('data/emoji-set.v1.json'))
    const lines = entries.map((entry: { code_points: string[] }) => entry.code_points.join(' '))
    expect(sha256(lines.join('\n'))).toBe(code_points_sha256)
    const spelled = emojiAlphabet.map((emoji) =>
      [...emoji].map((c) => c.codePointAt(0)?.toString(16).toUpperCase()).join(' '),
    )
    expect(sha256(spelled.join('\n'))).toBe(code_points_sha256)
  })

  it('equals the generated modules (npm run generate writes them)', async () => {
    const script = new URL('scripts/generate-data.mjs', core).href
    const { generatedModules } = await import(/* @vite-ignore */ script)
    const modules: Record<string, string> = generatedModules()
    for (const [path, text] of Object.entries(modules)) expect(read(`src/${path}`), path).toBe(text)
    const folders = ['src/ids/generated', 'src/records/generated']
    const present = folders.flatMap((folder) => readdirSync(new URL(folder, core)))
    expect(present).toHaveLength(Object.keys(modules).length)
  })
})

describe('the package', () => {
  it('runs in browsers: no source uses Node', () => {
    const sources = readdirSync(new URL('src', core), { recursive: true, encoding: 'utf8' })
    const own = sources.filter((path) => path.endsWith('.ts') && !/\.test\.|generated/.test(path))
    expect(own.length).toBeGreaterThan(40)
    const impure = own.filter((path) =>
      /from 'node:|\bBuffer\b|\bprocess\.|\brequire\(|\bfetch\(|\bdocument\b|\bwindow\b/.test(
        read(`src/${path}`),
      ),
    )
    expect(impure).toEqual([])
  })
})
