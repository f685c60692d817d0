import { sha3_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base32nopad } from '@scure/base'
import { RecordError } from './record-error.ts'
import { checkText, utf8 } from './text.ts'

export function checkIpv4(text: string): string {
  const part = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
  if (!new RegExp(`^${part}(?:\\.${part}){3}$`).test(text))
    throw malformedError('This is not an IPv4 address such as 192.0.2.1.')
  return text
}

/** Stored in the short form of RFC 5952. */
export function checkIpv6(text: string): string {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':'))
    throw malformedError('This is not an IPv6 address such as 2001:db8::1.')
  try {
    return new URL(`http://[${text}]/`).hostname.slice(1, -1)
  } catch {
    throw malformedError('This is not an IPv6 address such as 2001:db8::1.')
  }
}

/** Labels of letters, digits, hyphens and underscores; stored in lower case. */
export function checkHostName(text: string, maxBytes: number): string {
  const name = checkText(text, maxBytes, 'host name').toLowerCase()
  const labels = name.replace(/\.$/, '').split('.')
  const fits = (label: string) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
  if (name.length > 254 || !labels.every(fits))
    throw malformedError('This is not a host name such as www.example.com.')
  return name
}

/** Version 3: 32 bytes of key, two of SHA3-256, the version. Stored without `.onion`. */
export function checkOnion(text: string): string {
  const name = text.toLowerCase().replace(/\.onion$/, '')
  if (!/^[a-z2-7]{56}$/.test(name))
    throw malformedError(
      'This is not an onion address of version 3, which has 56 letters and digits.',
    )
  const raw = base32nopad.decode(name.toUpperCase())
  const covered = concatBytes(utf8('.onion checksum'), raw.subarray(0, 32), Uint8Array.of(3))
  const [first, second] = sha3_256(covered)
  if (raw[34] !== 3 || raw[32] !== first || raw[33] !== second)
    throw new RecordError(
      'malformed_data',
      'This onion address has a typo: its checksum is wrong. Copy it again.',
    )
  return name
}

function malformedError(message: string): RecordError {
  return new RecordError('malformed_data', message)
}
