import { describe, expect, it } from 'vitest'
import * as rules from './rules.ts'

const report = (text: string, email = '') => rules.readReport({ category: 'scam', text, email })
const open = (nth: number, more: Partial<rules.OpenReport> = {}): rules.OpenReport => ({
  id: String(nth),
  category: 'other',
  text_hash: report(`open report number ${nth}`).text_hash,
  email: null,
  network: `10.0.${nth}`,
  folded_texts: [],
  ...more,
})

describe('folding of reports', () => {
  it.each([
    ['the same text', report('Open report number 1'), '9.9.9'],
    ['other letter case, spaces and punctuation', report('  OPEN, report\n number: 1!!'), '9.9.9'],
  ])('folds %s', (_what, incomingReport, network) => {
    const knownReport = open(1, { email: 'anna@example.com' })
    expect(rules.findFold([open(2), knownReport], incomingReport, network)).toBe(knownReport)
  })

  it('stores a different report until the limit of a network, and of the id, is reached', () => {
    const incomingReport = report('a report of its own')
    const network = '10.1.1'
    const ofNetwork = [1, 2, 3].map((nth) => open(nth, { network }))
    expect(rules.findFold(ofNetwork.slice(1), incomingReport, network)).toBeUndefined()
    expect(rules.findFold(ofNetwork, incomingReport, network)).toBe(ofNetwork[0])
    expect(rules.findFold(ofNetwork, incomingReport, '10.1.2')).toBeUndefined()
    expect(rules.findFold(ofNetwork, incomingReport, null)).toBeUndefined()
    // The mailbox decides nothing: it would tell a stranger who reported the id.
    const withMailbox = open(4, { email: 'anna@example.com' })
    const sameMailbox = report('something different', 'anna@example.com')
    expect(rules.findFold([withMailbox], sameMailbox, network)).toBeUndefined()
    const full = Array.from({ length: rules.openAtMost }, (_, nth) => open(nth))
    expect(rules.findFold(full, incomingReport, network)).toBe(full[0])
    const scam = { ...open(7), category: 'scam' as const }
    expect(rules.findFold([...full, scam], incomingReport, network)).toBe(scam)
  })

  it('keeps the first two and the last three different texts, each cut to 500 characters', () => {
    const at = new Date(0)
    let known = open(1)
    const fold = (text: string) => {
      known = { ...known, folded_texts: rules.foldText(known, report(text), at) }
    }
    fold('OPEN report, number 1')
    fold('🔥'.repeat(501))
    fold('🔥'.repeat(502))
    expect(known.folded_texts).toEqual([{ text: `${'🔥'.repeat(499)}…`, at: at.toISOString() }])
    for (let nth = 2; nth < 9; nth++) fold(`another text number ${nth}`)
    expect(known.folded_texts.map(({ text }) => text.slice(-1))).toEqual(['…', '2', '6', '7', '8'])
  })

  it('keeps texts of different symbols apart', () => {
    expect(report('🔥'.repeat(10)).text_hash).not.toEqual(report('🐍'.repeat(10)).text_hash)
    expect(report('-'.repeat(10)).text_hash).not.toEqual(report('?'.repeat(10)).text_hash)
  })
})

describe('the text of a report', () => {
  it('loses control characters and direction overrides', () => {
    expect(report('first\r\nsecond\u202e\u0007 third line').text).toBe('first\nsecond   third line')
  })

  it.each(['short', '         x         ', '\u200b'.repeat(20), 'x'.repeat(2_001)])(
    'refuses %j',
    (text) => {
      expect(() => report(text)).toThrow('10 to 2000 characters')
    },
  )
})
