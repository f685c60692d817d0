import { ServiceError } from '../errors.ts'

const maxDepth = 64
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a JSON body, or refuses what PostgreSQL or JavaScript would later stumble over. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  assertShallow(text)
  const value = parse(text)
  assertStorable(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new BodyError('The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BodyError(`The body is not valid JSON: ${(error as Error).message}.`)
  }
}

/** Counted on the text, before any parser or recursive function meets the nesting. */
function assertShallow(text: string): void {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === backslash) at++
      else if (char === quote) quoted = false
    } else if (char === quote) quoted = true
    else if (char === openBrace || char === openBracket) {
      if (++depth > maxDepth + 1)
        throw new BodyError(`The body nests deeper than ${maxDepth} levels.`)
    } else if (char === closeBrace || char === closeBracket) depth--
  }
}

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

function assertStorable(value: unknown): void {
  if (typeof value === 'string') assertText(value)
  else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new BodyError('The body has a number that is too large.')
  } else if (Array.isArray(value)) value.forEach(assertStorable)
  else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      assertText(key)
      if (key === '__proto__' || isPrototypeOfConstructor(key, member)) {
        throw new BodyError(`The body has a member "${key}", which is not accepted.`)
      }
      assertStorable(member)
    }
  }
}

function isPrototypeOfConstructor(key: string, member: unknown): boolean {
  return (
    key === 'constructor' &&
    typeof member === 'object' &&
    member !== null &&
    Object.hasOwn(member, 'prototype')
  )
}

function assertText(text: string): void {
  if (text.includes('\u0000')) throw new BodyError('The body has a NUL character.')
  if (!text.isWellFormed()) throw new BodyError('The body has half of a surrogate pair.')
}

class BodyError extends ServiceError {
  override readonly name = 'BodyError'
  constructor(message: string) {
    super('invalid', 'invalid_body', message)
  }
}
