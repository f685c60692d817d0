import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorKind } from '../../src/platform/errors.ts'
import { statusOf } from '../../src/platform/http/faults.ts'

type Refusal = { code: string; status: string; meaning: string }
/** `unread`: files that compute a code. */
type Refusals = { read: Refusal[]; unread: string[] }

const sources = ['server/src', 'core/src']
const packages = fileURLToPath(new URL('../../..', import.meta.url))
const madeBy = /\b(refusal|refusalIn|super)\(|\bnew (ServiceError|RecordError|AddressError)\(/g

/** Codes without a literal `refusal('kind', 'code', …)`. */
const computedRefusals: Refusal[] = [
  ['coming_soon', '422', 'An id of the box has an emoji that is not released.'],
  ['internal', '500', 'Something went wrong on our side.'],
  ['late_code', '422', 'This code has expired. Request a new one.'],
  ['method_not_allowed', '405', 'There is no such operation at this path.'],
  ['price_changed', '422', 'An item costs more than when it was added to the cart.'],
  ['unknown_path', '404', 'There is no such operation at this path.'],
].map(([code = '', status = '', meaning = '']) => ({ code, status, meaning }))

/** Every literal refusal in the sources, and the files that compute a code. */
export function findRefusals(): Refusals {
  const all: Refusals = { read: [...computedRefusals], unread: [] }
  for (const source of sources) {
    const folder = join(packages, source)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
      const text = readFileSync(join(folder, file), 'utf8')
      for (const call of text.matchAll(madeBy)) {
        const end = call.index + call[0].length
        const parsedCall = readCall(call[1] ?? call[2] ?? '', argumentsAt(text, end))
        if (parsedCall === 'computed') all.unread.push(file)
        else if (parsedCall) {
          const meaning = meaningOf(parsedCall.message, text, call.index)
          all.read.push({ code: parsedCall.code, status: parsedCall.status, meaning })
        }
      }
    }
  }
  return all
}

function readCall(name: string, parts: string[]) {
  if (name === 'refusalIn') parts.shift()
  // Invalid records cause 400 when read and 422 when written.
  const isOfRecord = name === 'RecordError' || name === 'AddressError'
  const [kind = '', code = '', message = ''] = isOfRecord ? ['', ...parts] : parts
  const status = isOfRecord ? '400, 422' : statusOf(literal(kind) as ErrorKind)
  if (literal(code) === undefined) return code && name !== 'super' ? 'computed' : undefined
  if (status === undefined) return undefined
  return { status: String(status), code: literal(code) ?? '', message }
}

const literal = (part: string): string | undefined => /^'([^']*)'$/.exec(part)?.[1]

/** The arguments of a call that opens just before `start`. */
function argumentsAt(text: string, start: number): string[] {
  const parts = ['']
  let depth = 1
  let quote = ''
  for (let at = start; depth > 0 && at < text.length; at += 1) {
    const sign = text[at] as string
    if (quote) quote = sign === quote && text[at - 1] !== '\\' ? '' : quote
    else if (/['"`]/.test(sign)) quote = sign
    else if (/[([{]/.test(sign)) depth += 1
    else if (/[)\]}]/.test(sign)) depth -= 1
    if (depth === 0) break
    if (sign === ',' && depth === 1 && !quote) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The sentences in an expression. Interpolations are shown as a gap. */
function textIn(expression: string): string {
  const literals = expression.matchAll(
    /'((?:[^'\\]|\\.)*)'|`((?:\$\{(?:[^{}`]|`[^`]*`)*\}|[^`])*)`/g,
  )
  return [...literals]
    .map(([, plain, filled = '']) => plain ?? filled.replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '…'))
    .map((sentence) => sentence.replaceAll(/…(\s?…)+/g, '…'))
    .filter((sentence) => sentence.trim().includes(' '))
    .join(' / ')
}

/** The text of a caught error or of another object is not in the sources. */
const meaningOf = (message: string, text: string, at: number): string =>
  textIn(message) || (/^\w+(\.\w+)+$/.test(message) ? '' : textBefore(text, at))

/** The sentences of the same declaration, such as `const message = …`, or else its last comment. */
function textBefore(text: string, at: number): string {
  const declaration = text.slice(text.lastIndexOf('\n\n', at), at)
  const comments = [...declaration.matchAll(/\/\*\*\s*([\s\S]*?)\s*\*\//g)]
  const sentences = comments.reduce((rest, [comment]) => rest.replace(comment, ''), declaration)
  return textIn(sentences) || (comments.at(-1)?.[1] ?? '').replaceAll(/\s*\n\s*\*\s*/g, ' ')
}

/** The reaction of a client to errors of a status. */
const advice: Record<string, string> = {
  '400': 'The request is malformed. Fix the program, or show the message at the field.',
  '400, 422': 'A record is invalid: 400 in a lookup, 422 in an edit.',
  '401': 'Sign in again, or refresh the token.',
  '403': 'The caller may not do this.',
  '404': 'It does not exist, or the caller may not see it.',
  '405': 'See the header `Allow`.',
  '409': 'Load the current state, then repeat the request.',
  '410': 'Start again without the old cursor or watch.',
  '413': 'Send or request less.',
  '422': 'A rule refuses a well-formed request. Show the message to the user.',
  '424': 'Ask for a code of the second factor, then repeat the request.',
  '429': 'Wait as long as `Retry-After` says.',
  '451': 'An operator suspended the id. Do not pay it.',
  '500': 'Report the `request_id`.',
  '503': 'Wait as long as `Retry-After` says, then repeat the request.',
}

export function errorsPage(refusals: readonly Refusal[]): string {
  const codes = [...new Set(refusals.map(({ code }) => code))].toSorted()
  const rows = codes.map((code) => {
    const own = refusals.filter((one) => one.code === code)
    const of = (member: keyof Refusal, between: string) =>
      [...new Set(own.map((one) => one[member]).filter(Boolean))].join(between)
    const meaning = of('meaning', '<br>').replaceAll('|', '\\|') || 'see the message'
    return { status: of('status', ', '), row: `| \`${code}\` | ${meaning} |` }
  })
  const tables = [...new Set(rows.map(({ status }) => status))].toSorted().map((status) => {
    if (!advice[status])
      throw new Error(`Say in ${import.meta.url} what a client does about ${status}`)
    const own = rows.filter((one) => one.status === status).map(({ row }) => row)
    return `## ${status}\n\n${advice[status]}\n\n| code | meaning |\n|---|---|\n${own.join('\n')}\n`
  })
  return `# Error codes

Generated from the sources by \`npm run generate\`; a test checks it.

Every error of the API is \`{"error": text, "code": code, "request_id": id}\`, with \`fields\` at a 422. The code stays the same, the text may change; … stands for a value. Codes that shipped clients read keep their names (\`cart_locked\`, \`two_factor_required\`, \`uniqueness\`, \`eligibility\`). Lookups (\`GET /emoji_id/{id}\`) answer 400 and 404 without a code. At \`/auth/token\` the error words are those of OAuth 2.0.

${tables.join('\n')}`
}
