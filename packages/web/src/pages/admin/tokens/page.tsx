import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { Badge } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { isFuture } from '../../../time.ts'
import { AskButton } from '../parts/ask-button.tsx'
import { PersonLink } from '../parts/links.tsx'
import { texts as adminTexts } from '../texts.ts'
import { markMinted, type Token, tokenPageQuery, tokenStates } from './queries.ts'
import { texts } from './texts.ts'

const stateOptions = optionsOf(tokenStates, texts.states)

export function TokensPage() {
  const { page, filters, field } = useList({ state: tokenStates })
  const answer = useQuery(tokenPageQuery({ page, ...filters }))
  return (
    <ListPage
      title={adminTexts.sections.tokens}
      filters={
        <Filters label={texts.filters}>
          <FilterSelect
            label={texts.state}
            all={texts.everyState}
            options={stateOptions}
            {...field('state')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={tokenColumns}
      csv={{ path: '/admin/tokens/export', name: 'tokens', filters: omitEmpty(filters) }}
      keyOf={({ canonical_format }) => canonical_format}
      empty={texts.none}
    />
  )
}

const tokenColumns: Column<Token>[] = [
  {
    title: texts.columns.id,
    show: ({ emoji_id, token_id }) => (
      <span className="grid justify-items-start gap-0.5">
        <EmojiId id={emoji_id} />
        <span className="text-sm text-soft">{texts.number(token_id)}</span>
      </span>
    ),
  },
  { title: texts.columns.owner, show: (token) => <Owner {...token} /> },
  { title: texts.columns.state, show: (token) => <State {...token} /> },
  { title: texts.columns.signatures, show: (token) => <Signatures {...token} /> },
  { title: texts.columns.actions, isAtEnd: true, show: (token) => <Actions {...token} /> },
]

function Owner({ owner_id, owner }: Token) {
  if (!owner_id) return <span className="wrap-anywhere">{owner ?? texts.noOwner}</span>
  return <PersonLink id={owner_id} email={owner} />
}

function State({ minted, signed_until, token_account }: Token) {
  const isSigned = isFuture(signed_until)
  return (
    <span className="grid justify-items-start gap-1.5">
      {minted ? <Badge tone="good">{texts.states.minted}</Badge> : null}
      {token_account ? (
        <span className="text-sm wrap-anywhere">
          {texts.holder} <span className="font-mono">{token_account}</span>
        </span>
      ) : null}
      {isSigned ? <Badge tone="main">{texts.states.signed}</Badge> : null}
      {minted || isSigned ? null : (
        <Badge>{signed_until ? texts.states.ended : texts.states.none}</Badge>
      )}
      {isSigned ? (
        <span className="text-sm text-soft">
          {texts.blocked} <When at={signed_until} isExact />
        </span>
      ) : null}
    </span>
  )
}

function Signatures({ signatures }: Token) {
  if (signatures.length === 0) return texts.noSignatures
  return (
    <ul className="grid gap-2">
      {signatures.map(({ account, until, signed_by, signed_by_name }) => (
        <li key={account} className="grid gap-0.5 text-sm">
          <span className="font-mono wrap-anywhere">{account}</span>
          <span className="text-soft">
            {texts.until} <When at={until} isExact />, {texts.by}{' '}
            <PersonLink id={signed_by} email={signed_by_name} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const Actions = ({ canonical_format, minted }: Token) =>
  minted ? (
    <AskButton
      {...texts.unmint}
      isDangerous
      asksReason
      run={(reason) => markMinted(canonical_format, false, reason)}
    />
  ) : (
    <AskButton
      {...texts.mint}
      asksReason
      run={(reason) => markMinted(canonical_format, true, reason)}
    />
  )
