import { describe, expect, it } from 'vitest'
import { summaryOf } from './page-summary.ts'

const url = 'https://pages.example.com/a/b?c'
const summary = (body: string | Buffer, content_type = 'text/html') =>
  summaryOf({ url, content_type, bytes: Buffer.from(body) })
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`
const emptySummary = { url, title: null, description: null, image: null }

describe('the summary of a page', () => {
  it.each([
    ['og:title before title', `<title>a</title>${meta('og:title', 'b')}`, 'b'],
    ['the first of two', '<title>a</title><title>b</title>', 'a'],
    ['title when og:title is empty', `<title>a</title>${meta('og:title', ' ')}`, 'a'],
    ['entities', '<title>&lt;b&gt; &amp;amp; &#128013; &#xD800; &#0;</title>', '<b> &amp; 🐍 � �'],
    ['markup as text', '<title><script>alert(1)</script></title>', '<script>alert(1)</script>'],
    ['line breaks and controls', '<title>\n a\u0007\t b\u0000c\u2028d\n</title>', 'a b c d'],
    ['writing directions', '<title>a\u202Egpj.exe\u2066b\u200F</title>', 'agpj.exeb'],
    ['families stay whole', '<title>👨‍👩‍👧‍👦</title>', '👨‍👩‍👧‍👦'],
    ['never closed', '<title>a &amp; b', 'a & b'],
    ['in capitals', '<TITLE>a</TITLE>', 'a'],
    ['name instead of property', '<meta name="OG:Title" content=b>', 'b'],
  ])('title: %s', async (_what, body, title) => {
    expect((await summary(body)).title).toBe(title)
  })

  it('the summary of a page is truncated between characters', async () => {
    const long = '🦀'.repeat(100_000)
    const body = `<title>${long}</title>${meta('description', long)}`
    const { title, description } = await summary(body)
    expect(title).toBe(`${'🦀'.repeat(199)}…`)
    expect(description).toBe(`${'🦀'.repeat(499)}…`)
  })

  it.each([
    ['/x.png', 'https://pages.example.com/x.png'],
    ['x.png', 'https://pages.example.com/a/x.png'],
    ['//cdn.example.com/x.png', 'https://cdn.example.com/x.png'],
    ['http://cdn.example.com/ä b.png', 'http://cdn.example.com/%C3%A4%20b.png'],
    ['javascript:alert(1)', null],
    ['JaVaScRiPt:alert(1)', null],
    ['data:image/png;base64,AAAA', null],
    ['file:///etc/passwd', null],
    ['ftp://example.com/x.png', null],
    ['https://user:pw@example.com/x.png', null],
    ['https://', null],
    ['http://[::1', null],
    ['', null],
    [`https://cdn.example.com/${'x'.repeat(2_048)}`, null],
    [`https://cdn.example.com/${'🦀'.repeat(500)}`, null],
  ])('image: %s → %s', async (content, image) => {
    expect((await summary(meta('og:image', content))).image).toBe(image)
  })

  it('skips an invalid image', async () => {
    const body = meta('og:image', 'data:x') + meta('twitter:image', '/y.png')
    expect((await summary(body)).image).toBe('https://pages.example.com/y.png')
  })
})

describe('the encoding of a page', () => {
  const latin = Buffer.from('<title>Z\xfcrich</title>', 'latin1')
  const wide = Buffer.from('\ufeff<title>Zürich</title>', 'utf16le')
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
  const inMeta = (charset: string, bytes: Buffer) =>
    Buffer.concat([Buffer.from(`<meta charset="${charset}"><title>`), bytes])
  it.each<[string, Buffer, string, string]>([
    ['said by the header', latin, 'text/html; charset="ISO-8859-1"', 'Zürich'],
    ['said by the first bytes', wide, 'text/html; charset=utf-8', 'Zürich'],
    ['said by a meta', inMeta('Shift_JIS', japanese), 'text/html', '日本'],
    ['said wrongly by a meta', inMeta('utf-16', Buffer.from('ü')), 'text/html', 'ü'],
    ['unknown', Buffer.from('<title>ü</title>'), 'text/html; charset=klingon', 'ü'],
    ['not said', Buffer.from('<title>ü</title>'), 'text/html', 'ü'],
    ['not kept to', latin, 'text/html; charset=utf-8', 'Z�rich'],
  ])('%s', async (_what, bytes, content_type, title) => {
    expect((await summary(bytes, content_type)).title).toBe(title)
  })
})

describe('a malformed page', () => {
  const random = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251))
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['bytes', random],
    ['NULs', Buffer.alloc(100_000)],
    ['one open tag', '<'],
    ['open tags alone', '<b>'.repeat(300_000)],
    ['one tag with many members', `<meta ${'a=b '.repeat(200_000)}>`],
    ['a member without end', `<meta content="${'x'.repeat(500_000)}`],
    ['a comment without end', `<!--${'-'.repeat(500_000)}`],
    ['a script without end', `<script>${'</scrip'.repeat(100_000)}`],
    ['entities without end', '&amp'.repeat(200_000)],
    ['members of prototypes', '<meta __proto__=x constructor=y property=__proto__ content=z>'],
  ])('yields no summary: %s', async (_what, body) => {
    expect(await summary(body)).toEqual(emptySummary)
  })

  it.each([
    ['unclosed and unopened', '<b>'.repeat(150_000) + '</x>'.repeat(120_000)],
    ['at the limit of depth', '<b>'.repeat(99) + '</x>'.repeat(250_000)],
    ['drawings in drawings', '<svg><title>'.repeat(80_000)],
  ])(
    'a malformed page is parsed, or abandoned, without quadratic cost: %s',
    async (_what, body) => {
      expect(await summary(body)).toMatchObject({ url })
    },
  )

  it('a malformed page is abandoned at 100 open tags, since closing each costs more', async () => {
    const below = (depth: number) => `${'<b>'.repeat(depth)}<title>found</title>`
    expect((await summary(below(99))).title).toBe('found')
    expect((await summary(below(100))).title).toBeNull()
  })

  it('a malformed page is parsed despite broken markup', async () => {
    const body = `<html><head></html><p><title>a</b></title><meta property='og:description' content='b
      <c>'><meta property="og:image" content=/d.png/></body></html><`
    expect(await summary(body)).toEqual({
      url,
      title: 'a</b>',
      description: 'b <c>',
      image: 'https://pages.example.com/d.png/',
    })
  })
})
