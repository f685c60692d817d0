import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Emoji, EmojiId } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Field } from '../../../design/field.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import { texts as adminTexts } from '../texts.ts'
import { CodeForm } from './code-form.tsx'
import { CodeAmount, CodeState } from './code-state.tsx'
import { changeOf, draftOf } from './draft.ts'
import { type Code, codeActions, codeQuery, codeUsesQuery } from './queries.ts'
import { formTexts, texts } from './texts.ts'

/** One code with its terms, keys and uses. */
export function CodePage({ id }: { id: string }) {
  const { data: code, error } = useQuery(codeQuery(id))
  const [isChanging, setChanging] = useState(false)
  if (!code) {
    return (
      <Section title={adminTexts.sections.codes}>
        {code === null ? <NotFoundNotice /> : error ? <ErrorOf thrown={error} /> : <Waiting />}
      </Section>
    )
  }
  if (isChanging) return <ChangeCode code={code} onClose={() => setChanging(false)} />
  return (
    <Section
      title={code.name}
      actions={code.deleted_at ? null : <Actions code={code} onChange={() => setChanging(true)} />}
    >
      <CodeFacts code={code} />
      {code.activator === 'SecretKey' ? <CodeKeys code={code} /> : null}
      <CodeUses code={code} />
    </Section>
  )
}

const Actions = ({ code: { id }, onChange }: { code: Code; onChange: () => void }) => (
  <>
    <Button look="second" onClick={onChange}>
      {texts.change}
    </Button>
    <AskButton
      {...texts.remove}
      look="danger"
      isDangerous
      asksReason
      run={(reason) => codeActions.remove(id, reason)}
    />
  </>
)

const NotFoundNotice = () => (
  <Card className="grid justify-items-start gap-4">
    <p>{texts.missing}</p>
    <Link to="/admin/codes" search={{}} className={buttonLook()}>
      {texts.back}
    </Link>
  </Card>
)

const ChangeCode = ({ code, onClose }: { code: Code; onClose: () => void }) => (
  <Section title={formTexts.changeTitle(code.name)}>
    <CodeForm
      start={draftOf(code)}
      isNew={false}
      action={formTexts.save}
      save={(draft, reason) => codeActions.change(code.id, { ...changeOf(draft), reason })}
      onSaved={async () => {
        await queries.invalidateQueries({ queryKey: ['codes'] })
        announce(formTexts.saved)
        onClose()
      }}
      onCancel={onClose}
    />
  </Section>
)

const CodeFacts = ({ code }: { code: Code }) => (
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

const givenTexts = texts.given
type Use = AnswerOf<'listCodeUses'>['data'][number]

function CodeUses({ code }: { code: Code }) {
  const { page } = useList({})
  const answer = useQuery(codeUsesQuery(code.id, page))
  return (
    <ListPanel title={givenTexts.titles[code.code_type]}>
      <PagedTable
        answer={answer}
        texts={givenTexts}
        columns={usageColumns}
        csv={{ path: '/admin/codes/{id}/uses/export', name: 'code-uses', id: code.id }}
        keyOf={({ order_id }) => order_id}
        empty={givenTexts.none}
      />
    </ListPanel>
  )
}

const usageColumns: Column<Use>[] = [
  {
    title: givenTexts.columns.order,
    show: ({ order_id, order_number }) => (
      <OrderLink id={order_id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
    ),
  },
  {
    title: givenTexts.columns.who,
    show: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
  },
  {
    title: givenTexts.columns.ids,
    show: ({ emoji_ids }) =>
      emoji_ids.length === 0 ? (
        givenTexts.noIds
      ) : (
        <span className="flex flex-wrap justify-end gap-3 md:justify-start">
          {emoji_ids.map((id) => (
            <EmojiId key={id} id={id} size="small" />
          ))}
        </span>
      ),
  },
  {
    title: givenTexts.columns.state,
    show: ({ counted_at }) =>
      counted_at ? (
        <Badge tone="good">{givenTexts.paid}</Badge>
      ) : (
        <Badge>{givenTexts.reserved}</Badge>
      ),
  },
  {
    title: givenTexts.columns.when,
    show: ({ counted_at, created_at }) => <When at={counted_at ?? created_at} />,
  },
]

const keysTexts = texts.keys
type Row = { code_id: string; pubkey: string; isOpen: boolean }

/** The signing keys of a code for random ids. */
function CodeKeys({ code }: { code: Code }) {
  const isOpen = code.deleted_at === null
  const rows = code.pubkeys.map((pubkey) => ({ code_id: code.id, pubkey, isOpen }))
  return (
    <ListPanel
      title={keysTexts.title}
      text={keysTexts.text}
      actions={isOpen ? <AddKey id={code.id} /> : null}
    >
      <DataTable
        caption={keysTexts.caption}
        columns={keyColumns}
        rows={rows}
        keyOf={({ pubkey }) => pubkey}
        empty={keysTexts.none}
      />
    </ListPanel>
  )
}

const keyColumns: Column<Row>[] = [
  { title: keysTexts.column, show: ({ pubkey }) => <Mono>{pubkey}</Mono> },
  {
    title: keysTexts.actions,
    isAtEnd: true,
    show: ({ code_id, pubkey, isOpen }) =>
      isOpen ? (
        <AskButton
          {...keysTexts.revoke}
          isDangerous
          asksReason
          run={(reason) => codeActions.revokeKey({ code_id, pubkey }, reason)}
        >
          <Mono>{pubkey}</Mono>
        </AskButton>
      ) : (
        '—'
      ),
  },
]

function AddKey({ id }: { id: string }) {
  const [pubkey, setPubkey] = useState('')
  return (
    <AskButton
      {...keysTexts.add}
      onOpen={() => setPubkey('')}
      asksReason
      run={(reason) => codeActions.addKey({ code_id: id, pubkey: pubkey.trim() }, reason)}
    >
      <Field
        label={keysTexts.add.field}
        hint={keysTexts.add.hint}
        required
        pattern="\s*[0-9a-fA-F]{64}\s*"
        spellCheck={false}
        autoCapitalize="none"
        value={pubkey}
        onChange={({ currentTarget }) => setPubkey(currentTarget.value)}
      />
    </AskButton>
  )
}
