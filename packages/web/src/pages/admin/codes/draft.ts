import { clearableLimits, emojisOf, parseTonedEmojiId, type shapeNames } from '@emojid/core'
import { minuteMs } from '../../../time.ts'
import type { Code, CodeChange, NewCode } from './queries.ts'

type Shape = (typeof shapeNames)[number]

/** The form state of a code; an empty member means no limit. */
export type Draft = {
  name: string
  code_type: Code['code_type']
  redemption_code: string
  off: 'percent' | 'cents'
  percent: string
  dollars: string
  max_uses: string
  max_emojis_per_user: string
  start_date: string
  end_date: string
  min_length: string
  max_length: string
  min_score: string
  max_score: string
  shapes: readonly Shape[]
  emojis: string
  organization_id: string
  legacy_challenge: boolean
  combinable: boolean
}

export const emptyDraft: Draft = {
  name: '',
  code_type: 'Discount',
  redemption_code: '',
  off: 'percent',
  percent: '',
  dollars: '',
  max_uses: '',
  max_emojis_per_user: '',
  start_date: '',
  end_date: '',
  min_length: '',
  max_length: '',
  min_score: '',
  max_score: '',
  shapes: [],
  emojis: '',
  organization_id: '',
  legacy_challenge: false,
  combinable: false,
}

const text = (value: number | null | undefined): string => (value == null ? '' : String(value))

/** A moment for a date-time input, in the local time zone. */
function localMoment(at: string | null): string {
  if (!at) return ''
  const moment = new Date(at)
  const shiftedAt = new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs)
  return shiftedAt.toISOString().slice(0, 16)
}

export function draftOf(code: Code): Draft {
  const { pattern, discount_in_cents: cents } = code
  return {
    name: code.name,
    code_type: code.code_type,
    redemption_code: code.redemption_code ?? '',
    off: cents === null ? 'percent' : 'cents',
    percent: text(code.discount_as_percentage),
    dollars: cents === null ? '' : text(cents / 100),
    max_uses: text(code.max_uses),
    max_emojis_per_user: text(code.max_emojis_per_user),
    start_date: localMoment(code.start_date),
    end_date: localMoment(code.end_date),
    min_length: text(pattern?.min_length),
    max_length: text(pattern?.max_length),
    min_score: text(pattern?.min_score),
    max_score: text(pattern?.max_score),
    shapes: pattern?.shapes ?? [],
    emojis: pattern?.emojis?.join('') ?? '',
    organization_id: code.organization_id ?? '',
    legacy_challenge: code.legacy_challenge,
    combinable: code.combinable,
  }
}

const numberField = (name: string, value: string) => (value === '' ? {} : { [name]: Number(value) })
const momentOf = (name: string, value: string) =>
  value === '' ? {} : { [name]: new Date(value).toISOString() }

/** Splits typed emojis. Passes invalid characters on, so that the API reports them. */
function emojisIn(typedText: string): string[] {
  try {
    return [...new Set(emojisOf(parseTonedEmojiId(typedText).id))]
  } catch {
    return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(typedText)]
      .map(({ segment }) => segment)
      .filter((segment) => segment.trim() !== '')
  }
}

function patternOf(draft: Draft): NewCode['pattern'] {
  const emojis = draft.emojis.trim()
  const pattern = {
    ...numberField('min_length', draft.min_length),
    ...numberField('max_length', draft.max_length),
    ...numberField('min_score', draft.min_score),
    ...numberField('max_score', draft.max_score),
    ...(draft.shapes.length > 0 ? { shapes: [...draft.shapes] } : {}),
    ...(emojis === '' ? {} : { emojis: emojisIn(emojis) }),
  }
  return Object.keys(pattern).length === 0 ? undefined : pattern
}

function termsOf(draft: Draft): CodeChange {
  const pattern = patternOf(draft)
  return {
    name: draft.name.trim(),
    ...(draft.code_type === 'Discount' ? { redemption_code: draft.redemption_code.trim() } : {}),
    ...(draft.off === 'percent'
      ? { discount_as_percentage: Number(draft.percent) }
      : { discount_in_cents: Math.round(Number(draft.dollars) * 100) }),
    ...numberField('max_uses', draft.max_uses),
    ...numberField('max_emojis_per_user', draft.max_emojis_per_user),
    ...momentOf('start_date', draft.start_date),
    ...momentOf('end_date', draft.end_date),
    ...(pattern ? { pattern } : {}),
    ...(draft.code_type === 'RandomYat' ? { legacy_challenge: draft.legacy_challenge } : {}),
    combinable: draft.combinable,
  }
}

export function newCodeOf(draft: Draft): NewCode {
  const { code_type, organization_id } = draft
  return {
    ...(termsOf(draft) as CodeChange & { name: string }),
    code_type,
    activator: code_type === 'Discount' ? 'RedemptionCode' : 'SecretKey',
    ...(organization_id === '' ? {} : { organization_id }),
  }
}

/** Empty limits are removed. */
export function changeOf(draft: Draft): CodeChange {
  const terms = termsOf(draft)
  return { ...terms, clear: clearableLimits.filter((name) => !(name in terms)) }
}
