import type { ReactNode } from 'react'
import { When } from '../../../design/date.tsx'
import { Emoji } from '../../../design/emoji-id.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { CodeAmount, CodeState } from './code-state.tsx'
import type { Code } from './queries.ts'
import { texts } from './texts.ts'

export const CodeFacts = ({ code }: { code: Code }) => (
  <Panel title={texts.summary}>
    <Facts facts={factsOf(code)} />
  </Panel>
)

function factsOf(code: Code) {
  const { facts } = texts
  const moment = (at: string | null): ReactNode => (at ? <When at={at} isExact /> : texts.always)
  return [
    { name: facts.state, value: <CodeState {...code} /> },
    { name: facts.kind, value: texts.kinds[code.code_type] },
    ...(code.redemption_code
      ? [{ name: facts.typed, value: <Mono>{code.redemption_code}</Mono> }]
      : []),
    { name: facts.off, value: <CodeAmount {...code} /> },
    { name: facts.uses, value: texts.uses(code.total_uses, code.max_uses) },
    { name: facts.available, value: code.available ?? texts.unlimited },
    { name: facts.perUser, value: code.max_emojis_per_user ?? texts.unlimited },
    { name: facts.from, value: moment(code.start_date) },
    { name: facts.until, value: moment(code.end_date) },
    { name: facts.pattern, value: <MatchingIds {...code} /> },
    ...(code.organization_id
      ? [{ name: facts.partner, value: <Mono>{code.organization_id}</Mono> }]
      : []),
    { name: facts.combinable, value: texts.combinable[code.combinable ? 'yes' : 'no'] },
    ...(code.limited_to_fee ? [{ name: facts.limited, value: texts.limited }] : []),
    ...(code.legacy_challenge ? [{ name: facts.legacy, value: texts.taken }] : []),
    { name: facts.made, value: <When at={code.created_at} isExact /> },
    { name: facts.id, value: <Mono>{code.id}</Mono> },
  ]
}

/** The ids that a code applies to. */
function MatchingIds({ pattern }: Pick<Code, 'pattern'>) {
  if (!pattern) return texts.anyId
  const { min_length, max_length, min_score, max_score, shapes, emojis } = pattern
  const words = [
    ...(min_length || max_length ? [texts.pattern.length(min_length ?? 1, max_length ?? 6)] : []),
    ...(min_score || max_score ? [texts.pattern.score(min_score ?? 1, max_score ?? 100)] : []),
    ...(shapes ? [texts.pattern.shapes(shapes.join(', '))] : []),
  ].join('; ')
  return (
    <span className="grid gap-1">
      {words === '' ? null : <span>{words}</span>}
      {emojis ? (
        <span className="flex flex-wrap items-center gap-1">
          {texts.pattern.emojis}
          {emojis.map((emoji) => (
            <span key={emoji} className="text-2xl">
              <Emoji emoji={emoji} />
            </span>
          ))}
        </span>
      ) : null}
    </span>
  )
}
