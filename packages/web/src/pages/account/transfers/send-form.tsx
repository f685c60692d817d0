import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Checkbox, Radio } from '../../../design/choice.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { Field, TextArea, valueIn } from '../../../design/field.tsx'
import { SearchField } from '../../../design/filters.tsx'
import { Part } from '../../../design/section.tsx'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { ownId } from '../../partner/own-id.ts'
import { type NewTransfer, startTransfer, type Transfer } from './queries.ts'
import { texts } from './texts.ts'

type Props = {
  /** The id in the link. */
  first: string | undefined
  onBegun: (transfer: Transfer) => void
  onCancel: () => void
}

const draftKey = 'transfer'

export function SendForm({ first, onBegun, onCancel }: Props) {
  const linkedId = useLinkedId(first)
  const [chosenId, setChosenId] = useSessionDraft(`${draftKey} id`, '')
  const id = chosenId || linkedId
  const [by, setBy] = useSessionDraft<'email' | 'pubkey'>(`${draftKey} by`, 'email')
  const draft = useFormDraft(draftKey, ['to', 'message', 'show_sender', 'contents'])
  const end = () => {
    setChosenId('')
    setBy('email')
    draft.clear()
  }
  const [isUnchosen, setUnchosen] = useState(false)
  const [transfer, setWanted] = useState<NewTransfer>()
  return (
    <Part title={texts.form.title}>
      <form
        {...draft.form}
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          setUnchosen(!id)
          if (id) setWanted(readForm(event.currentTarget, id, by))
        }}
      >
        <ChooseOwnId
          {...(first ? { first } : {})}
          chosenId={id}
          onChoose={(one) => {
            setChosenId(one)
            setUnchosen(false)
          }}
        />
        <fieldset className="grid gap-3">
          <legend className="font-semibold">{texts.form.to}</legend>
          <div className="flex flex-wrap gap-x-6">
            <Radio
              name="by"
              label={texts.form.byEmail}
              checked={by === 'email'}
              onChange={() => setBy('email')}
            />
            <Radio
              name="by"
              label={texts.form.byKey}
              checked={by === 'pubkey'}
              onChange={() => setBy('pubkey')}
            />
          </div>
          {by === 'email' ? <EmailField /> : <KeyField />}
        </fieldset>
        <TextArea
          label={texts.form.message}
          hint={texts.form.messageHint}
          name="message"
          {...textLengths.transferMessage}
        />
        <Checkbox
          label={texts.form.showSender}
          hint={texts.form.showSenderHint}
          name="show_sender"
        />
        <fieldset>
          <legend className="font-semibold">{texts.form.contents}</legend>
          <Radio
            name="contents"
            value="without"
            defaultChecked
            label={texts.form.without}
            hint={texts.form.withoutHint}
          />
          <Radio name="contents" value="with" label={texts.form.with} hint={texts.form.withHint} />
        </fieldset>
        {isUnchosen ? <Alert>{texts.form.notChosen}</Alert> : null}
        <div className="flex flex-wrap gap-3">
          <Button type="submit">{texts.form.next}</Button>
          <Button
            look="second"
            onClick={() => {
              end()
              onCancel()
            }}
          >
            {texts.form.cancel}
          </Button>
        </div>
      </form>
      {transfer ? (
        <ConfirmDialog
          title={texts.confirm.title}
          text={<Summary {...transfer} />}
          action={texts.confirm.action}
          isDangerous
          run={() => startTransfer(transfer)}
          onDone={(begun) => {
            end()
            onBegun(begun)
          }}
          onClose={() => setWanted(undefined)}
        />
      ) : null}
    </Part>
  )
}

/** Ignores an id in the link that cannot be sent. Accepts any spelling. */
function useLinkedId(first: string | undefined): string | undefined {
  const { data } = useQuery({
    ...ownIdPageQuery({ page: 0, q: first }),
    enabled: first !== undefined,
  })
  const ready = data?.data.filter((one) => !isResting(one)).map(({ emoji_id }) => emoji_id)
  return first === undefined ? undefined : ownId(ready ?? [], first)
}

function readForm(form: HTMLFormElement, eid: string, by: 'email' | 'pubkey'): NewTransfer {
  const message = valueIn(form, 'message')
  return {
    eid,
    ...(by === 'email' ? { email: valueIn(form, 'to') } : { pubkey: valueIn(form, 'to') }),
    ...(message ? { message } : {}),
    clear_on_transfer: valueIn(form, 'contents') !== 'with',
    show_sender: new FormData(form).has('show_sender'),
  }
}

const EmailField = () => (
  <Field
    label={texts.form.email}
    hint={texts.form.emailHint}
    name="to"
    type="email"
    required
    autoComplete="off"
  />
)

const KeyField = () => (
  <Field
    label={texts.form.key}
    hint={texts.form.keyHint}
    name="to"
    required
    pattern="\s*[0-9a-fA-F]{64}\s*"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
  />
)

const Summary = ({ eid, email, pubkey, clear_on_transfer, show_sender }: NewTransfer) => (
  <div className="grid gap-3">
    <EmojiId id={eid} />
    <p className="font-semibold wrap-anywhere text-ink">
      {texts.confirm.to(email ?? pubkey ?? '')}
    </p>
    <p>{clear_on_transfer ? texts.confirm.empty : texts.confirm.full}</p>
    {show_sender ? <p>{texts.confirm.shown}</p> : null}
    <p>{texts.confirm.final}</p>
  </div>
)

const formTexts = texts.form

/** Received ids cannot be sent for some days. */
const isResting = ({ blocked_until }: { blocked_until: string | null }): boolean =>
  blocked_until !== null && new Date(blocked_until) > new Date()

type ChooseOwnIdProps = {
  chosenId: string | undefined
  onChoose: (id: string) => void
  first?: string
}

/** Chooses one own id: the first page of them, and a search for others. */
function ChooseOwnId({ chosenId, onChoose, first = '' }: ChooseOwnIdProps) {
  const [q, setQ] = useState(first)
  const { data, error } = useQuery(ownIdPageQuery({ page: 0, q: q || undefined }))
  if (!data) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { total } = data.paging
  const isSearched = total > data.data.length || q !== ''
  if (total === 0 && q === '') {
    return (
      <div className="grid justify-items-start gap-3">
        <p>{formTexts.none}</p>
        <Link to="/" className={buttonLook('second')}>
          {formTexts.get}
        </Link>
      </div>
    )
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{formTexts.which}</legend>
      {isSearched ? (
        <SearchField label={formTexts.find} hint={formTexts.findHint} value={q} onChange={setQ} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {data.data.map((one) => {
          const { emoji_id, blocked_until, minted } = one
          const rests = isResting(one)
          return (
            <label
              key={emoji_id}
              className="flex min-h-14 items-center gap-3 rounded-field border border-line bg-card px-4 py-2 has-checked:border-main has-checked:bg-tint"
            >
              <input
                type="radio"
                name="eid"
                value={emoji_id}
                checked={chosenId === emoji_id}
                disabled={rests}
                onChange={() => onChoose(emoji_id)}
                className="size-5 accent-main"
              />
              <span className={rests ? 'opacity-60' : ''}>
                <EmojiId id={emoji_id} size="small" />
              </span>
              {minted ? <span className="text-sm text-soft">{formTexts.minted}</span> : null}
              {rests && blocked_until ? (
                <span className="text-sm text-soft">
                  {formTexts.resting} <When at={blocked_until} isExact />
                </span>
              ) : null}
            </label>
          )
        })}
      </div>
      <p role="status" className="text-sm text-soft">
        {total === 0 ? formTexts.notFound : ''}
        {total > data.data.length ? formTexts.more(data.data.length, total) : ''}
      </p>
    </fieldset>
  )
}
