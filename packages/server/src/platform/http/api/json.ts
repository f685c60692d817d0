import type { FastifyReply } from 'fastify'
import { refusal } from '../../errors.ts'

const maxDepth = 64
const usualMembers = 2_000
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a JSON body, and rejects values that PostgreSQL or JavaScript cannot handle. */
export function parseJsonBody(bytes: Uint8Array, maxMembers = usualMembers): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  assertSmall(text, maxMembers)
  const value = parse(text)
  assertStorable(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw body('The body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw body(`The body is not valid JSON: ${(error as Error).message}.`)
  }
}

/** A number or text in an array costs a fraction of a member with its name. */
const elementsPerMember = 8

/**
 * Counts depth and members on the text, before JSON.parse: a member of eight bytes costs far more to
 * parse and validate than to send. Objects and arrays in an array count as members, eight of its
 * other elements as one.
 */
export function assertSmall(text: string, maxMembers: number): void {
  const atMost = maxMembers * elementsPerMember
  const arrays: boolean[] = []
  let eighths = 0
  let isQuoted = false
  let startsPart = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (isQuoted) {
      if (char === backslash) at++
      else if (char === quote) isQuoted = false
      continue
    }
    if (char <= space) continue
    const isOpen = char === openBrace || char === openBracket
    const isClose = char === closeBrace || char === closeBracket
    if (startsPart && !isClose) {
      eighths += arrays.at(-1) && !isOpen ? 1 : elementsPerMember
      if (eighths > atMost) throw tooManyMembers(maxMembers)
    }
    startsPart = isOpen || char === comma
    if (char === quote) isQuoted = true
    else if (isClose) arrays.pop()
    else if (isOpen && arrays.push(char === openBracket) > maxDepth + 1) {
      throw body(`The body nests deeper than ${maxDepth} levels.`)
    }
  }
}

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

function assertStorable(value: unknown): void {
  if (typeof value === 'string') assertText(value)
  else if (typeof value === 'number' && !Number.isFinite(value)) {
    throw body('The body contains a number that is too large.')
  } else if (Array.isArray(value)) value.forEach(assertStorable)
  else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      assertText(key)
      if (key === '__proto__' || isPrototypeOfConstructor(key, member)) {
        throw body(`The body contains a member "${key}", which is not accepted.`)
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
  if (text.includes('\u0000')) throw body('The body contains a NUL character.')
  if (!text.isWellFormed()) throw body('The body contains an unpaired surrogate.')
}

const tooManyMembers = (allowed: number) => {
  const message = `The body has more than ${allowed.toLocaleString('en')} members. Split it into smaller requests.`
  return refusal('too_large', 'too_large_body', message)
}

/** The body is not JSON that every parser reads alike. */
const body = (message: string) => refusal('invalid', 'invalid_body', message)

/** Sends JSON text without a serializer. */
export const sendJson = (reply: FastifyReply, json: string | Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json)

/**
 * A string as a JSON response. It is returned, not sent, so that the idempotency plugin can store
 * it.
 */
export function asJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(text)
}
