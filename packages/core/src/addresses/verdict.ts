/** The strength of a check: `checksum` catches typos, `format` only the wrong kind of text. */
export type Strength = 'checksum' | 'format' | 'none'
export type NetworkKind = 'main' | 'test'

export type AddressMatch = {
  /** The stored spelling. */
  address: string
  strength: Strength
  network: NetworkKind
  kind: string
}

/** An address of the chain that must not be stored, with the reason for the person who typed it. */
type Refusal = { refused: string }

/** undefined: no address of this chain. `checksum`: one with wrong characters. */
export type Verdict = AddressMatch | Refusal | 'checksum' | undefined
export type AddressCheck = (text: string) => Verdict

export function isMatch(verdict: Verdict): verdict is AddressMatch {
  return typeof verdict === 'object' && 'address' in verdict
}

/** The first format that matches; otherwise the most specific failure. */
export function anyOf(...checks: AddressCheck[]): AddressCheck {
  return (text) => {
    const verdicts = checks.map((check) => check(text))
    return (
      verdicts.find(isMatch) ??
      verdicts.find((verdict) => typeof verdict === 'object') ??
      verdicts.find((verdict) => verdict === 'checksum')
    )
  }
}

/** Turns a match of the other check into a refusal with a reason. */
export function refuse(check: AddressCheck, refusal: string): AddressCheck {
  return (text) => (isMatch(check(text)) ? { refused: refusal } : undefined)
}
