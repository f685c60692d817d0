import { expect, it } from 'vitest'
import { csvHead, csvLine } from './csv.ts'

it.each([
  ['=1+2', "'=1+2"],
  ['+49', "'+49"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', `"'\tx"`],
  ['\rx', ' x'],
  ['\n=1', " '=1"],
  ['gone;=1+1;\n=cmd|x!A1; "@x";rest', `"gone;'=1+1; '=cmd|x!A1; ""'@x"";rest"`],
  ['a\t-1', `"a\t'-1"`],
  ['＝1', "'＝1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['a "quoted", text', '"a ""quoted"", text"'],
  ['two\r\nlines', 'two lines'],
  ['plain 🦀🌴', 'plain 🦀🌴'],
  [-500, '-500'],
  [true, 'true'],
  [null, ''],
  [undefined, ''],
  [new Date('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z'],
  [['=a', 'b'], "'=a b"],
  [[{ a: 1 }], '"{""a"":1}"'],
])('a CSV export writes %j as the cell %j', (value, cell) => {
  expect(csvLine({ value }, ['value'])).toBe(`${cell}\r\n`)
})

it('a CSV export follows paths through objects and lists', () => {
  const row = { user: { email: 'a@b.example' }, items: [{ id: '🦀' }, { id: null }, { id: '🌴' }] }
  const paths = ['user.email', 'items.id', 'user.name.first']
  expect(csvHead(paths)).toBe('user.email,items.id,user.name.first\r\n')
  expect(csvLine(row, paths)).toBe('a@b.example,🦀 🌴,\r\n')
})

it.each(['\t', '"', '=', ' ='])(
  'a CSV export writes a million times %j without backtracking',
  (part) => {
    const text = part.repeat(1_000_000)
    const isFormula = part.includes('=')
    expect(csvLine({ text }, ['text']).includes("'=")).toBe(isFormula)
  },
)
