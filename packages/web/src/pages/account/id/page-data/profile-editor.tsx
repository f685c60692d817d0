import { newestShownAs, type Profile, profileLengths, readProfile, spokenNames } from '@emojid/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type StoredData, storeQuery, writeStore } from '../../../../api/id-store.ts'
import { isRefusal, Problem } from '../../../../api/problem.ts'
import type { StoredRecord } from '../../../../api/records.ts'
import { sessionDraft } from '../../../../api/session-draft.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { EmojiId } from '../../../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { Field, TextArea } from '../../../../design/field.tsx'
import { Unsaved } from '../../../../design/unsaved.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { toCoreRecords } from '../../../../records/names.ts'
import { AvatarField } from './avatar-field.tsx'
import {
  type FormLink,
  isSameForm,
  newLink,
  type ProfileForm,
  problemOf,
  readForm,
  versionOf,
  writeLinks,
  writePage,
} from './profile-form.ts'
import { texts } from './texts.ts'

/**
 * The versions that are no change elsewhere: the one that the draft began with, and what a save
 * sent. The response of a successful save can be lost.
 */
type Draft = { form: ProfileForm; versions: readonly string[] }
type Props = { id: string; stored: StoredData; records: readonly StoredRecord[] }

const formOf = ({ SvcPageData, SvcLinkData }: StoredData) =>
  readForm(SvcPageData.data, SvcLinkData.data)
const storedVersion = ({ SvcPageData, SvcLinkData }: StoredData) =>
  versionOf(SvcPageData.data, SvcLinkData.data)

/** The editor of name, text and links, with a preview. */
export function ProfileEditor({ id, stored, records }: Props) {
  const queries = useQueryClient()
  const key = `page ${id}`
  const [firstForm] = useState(() => formOf(stored))
  const [storedDraft] = useState(() => {
    const draft = sessionDraft.read<Draft>(key)
    return draft && !isSameForm(draft.form, firstForm) ? draft : undefined
  })
  const [form, setForm] = useState(() => storedDraft?.form ?? firstForm)
  // A picture is read for a while: what the owner types meanwhile stays.
  const change = (part: Partial<ProfileForm>) => setForm((now) => ({ ...now, ...part }))
  /** Absent while the stored page is unknown: a save without a response may have changed it. */
  const [savedForm, setSavedForm] = useState<ProfileForm | undefined>(firstForm)
  const [versions, setVersions] = useState(() => storedDraft?.versions ?? [storedVersion(stored)])
  // Not in the draft: after a reload, the owner no longer sees the warning.
  const [warnedVersion, setWarnedVersion] = useState<string>()
  const isChanged = !(savedForm && isSameForm(form, savedForm))
  useEffect(
    () => sessionDraft.write(key, isChanged ? ({ form, versions } satisfies Draft) : undefined),
    [key, isChanged, form, versions],
  )
  const [isAsked, setAsked] = useState(false)
  const readNow = () => queries.fetchQuery({ ...storeQuery(id), staleTime: 0 })
  const save = useAction({
    async mutationFn(form: ProfileForm) {
      const now = await readNow()
      const version = storedVersion(now)
      if (![...versions, warnedVersion].includes(version)) {
        setWarnedVersion(version)
        throw new Problem(409, { error: texts.changed, code: 'changed' })
      }
      // Save the links first: the page data may still hold them, and they must not disappear meanwhile.
      const [links, page] = [writeLinks(form), writePage(now.SvcPageData.data, form)]
      const [linkedVersion, savedVersion] = [
        versionOf(now.SvcPageData.data, links),
        versionOf(page, links),
      ]
      setVersions([version, linkedVersion])
      setSavedForm(undefined)
      await writeStore(id, 'SvcLinkData', links, now.SvcLinkData.updated_at).catch((error) => {
        // A refused write changed nothing.
        if (isRefusal(error)) setSavedForm(savedForm)
        throw error
      })
      setVersions([linkedVersion, savedVersion])
      await writeStore(id, 'SvcPageData', page, now.SvcPageData.updated_at)
      setSavedForm(form)
      // A read could return the version of another session, which the owner has not seen.
      setVersions([savedVersion])
      setWarnedVersion(undefined)
    },
    onSuccess: () => announce(texts.saved),
    onSettled: () => queries.invalidateQueries(storeQuery(id)),
  })
  const load = useAction({
    mutationFn: readNow,
    onSuccess(latest) {
      const latestForm = formOf(latest)
      setForm(latestForm)
      setSavedForm(latestForm)
      setVersions([storedVersion(latest)])
      setWarnedVersion(undefined)
      save.reset()
    },
  })
  const isLocked = stored.SvcPageData.is_locked || stored.SvcLinkData.is_locked
  const isStale = ['changed', 'outdated_entry'].includes((save.error as Problem | null)?.code ?? '')
  const page = writePage(stored.SvcPageData.data, form)
  const profile = readProfile(toCoreRecords(records), page, writeLinks(form))
  const redirect = newestShownAs(records, 'redirect')?.data
  return (
    <div className="grid items-start gap-5 xl:grid-cols-2">
      <Unsaved isUnsaved={isChanged} isStored={() => sessionDraft.read(key) !== undefined} />
      <Card className="grid gap-5">
        <div>
          <h2>{texts.title}</h2>
          <p className="text-soft">{texts.text}</p>
        </div>
        {isLocked ? <Alert>{texts.locked}</Alert> : null}
        <form
          aria-label={texts.title}
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            setAsked(true)
            load.reset()
            if (!form.links.some(problemOf)) save.mutate(form)
          }}
        >
          <AvatarField avatar={form.avatar} onChange={(avatar) => change({ avatar })} />
          <Field
            label={texts.name}
            hint={texts.nameHint(profileLengths.title)}
            maxLength={profileLengths.title}
            value={form.title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          />
          <TextArea
            label={texts.about}
            maxLength={profileLengths.text}
            rows={4}
            value={form.text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <LinkFields
            links={form.links}
            isAsked={isAsked}
            onChange={(links) => change({ links })}
          />
          <ErrorOf thrown={load.error ?? save.error} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" disabled={isLocked || load.isPending} isBusy={save.isPending}>
              {texts.save}
            </Button>
            {isStale ? (
              <Button look="second" isBusy={load.isPending} onClick={() => load.mutate()}>
                {texts.takeTheirs}
              </Button>
            ) : null}
          </div>
        </form>
      </Card>
      <Preview id={id} profile={profile} redirect={redirect} />
    </div>
  )
}

type LinkFieldsProps = {
  links: readonly FormLink[]
  /** Errors appear after the first attempt to save. */
  isAsked: boolean
  onChange: (links: readonly FormLink[]) => void
}

/** The links of a page with their names. */
const LinkFields = ({ links, isAsked, onChange }: LinkFieldsProps) => (
  <fieldset className="grid gap-4">
    <legend className="mb-2 font-semibold">{texts.links}</legend>
    {links.length === 0 ? <p className="text-soft">{texts.noLinks}</p> : null}
    {links.map((link, nth) => (
      <fieldset key={link.key} className="grid gap-3 rounded-card border border-hair p-4">
        <legend className="px-1 text-sm text-soft">{texts.link(nth + 1)}</legend>
        <Field
          label={texts.linkName}
          maxLength={profileLengths.linkName}
          autoFocus={link.name === '' && link.url === ''}
          value={link.name}
          onChange={({ currentTarget }) =>
            onChange(links.with(nth, { ...link, name: currentTarget.value }))
          }
        />
        <Field
          label={texts.linkUrl}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          value={link.url}
          problem={isAsked ? problemOf(link) : undefined}
          onChange={({ currentTarget }) =>
            onChange(links.with(nth, { ...link, url: currentTarget.value }))
          }
        />
        <div>
          <Button
            look="quiet"
            className="-ml-3"
            onClick={({ currentTarget }) => {
              currentTarget.closest('form')?.querySelector<HTMLElement>('[data-adds]')?.focus()
              onChange(links.filter((one) => one !== link))
            }}
          >
            {texts.removeLink}
            <span className="sr-only">: {link.name || texts.link(nth + 1)}</span>
          </Button>
        </div>
      </fieldset>
    ))}
    <div>
      <Button look="second" data-adds="" onClick={() => onChange([...links, newLink()])}>
        {texts.addLink}
      </Button>
    </div>
  </fieldset>
)

type PreviewProps = { id: string; profile: Profile; redirect: string | undefined }

/** The public page removes a broken picture, too. */
function Avatar({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return null
  return <img src={src} alt="" className="size-24 rounded-full" onError={() => setBroken(true)} />
}

/** A preview of the public page with inactive links. */
function Preview({ id, profile: { title, text, avatar, links }, redirect }: PreviewProps) {
  const isEmpty = !title && !text && !avatar && links.length === 0
  return (
    <Card className="grid gap-5">
      <div>
        <h2>{texts.preview}</h2>
        <p className="text-soft">{texts.previewText}</p>
      </div>
      {redirect ? (
        <p className="rounded-field bg-tint px-4 py-3 wrap-anywhere">{texts.redirect(redirect)}</p>
      ) : null}
      <div className="grid justify-items-center gap-2 rounded-card border border-hair bg-ground px-4 py-8 text-center">
        {avatar ? <Avatar key={avatar} src={avatar} /> : null}
        <EmojiId id={id} />
        <p aria-hidden="true" className="text-sm text-soft">
          {spokenNames(id)}
        </p>
        {title ? (
          <p dir="auto" className="text-2xl font-bold tracking-tight wrap-anywhere">
            {title}
          </p>
        ) : null}
        {text ? (
          <p dir="auto" className="whitespace-pre-line text-soft wrap-anywhere">
            {text}
          </p>
        ) : null}
        {links.length > 0 ? (
          <ul className="mt-2 flex flex-wrap justify-center gap-2">
            {links.map(({ name, url, host }) => (
              <li
                key={url}
                className="grid max-w-full rounded-field border border-line bg-card px-4 py-2 text-start font-semibold"
              >
                <span dir="auto" className="wrap-anywhere">
                  {name}
                </span>
                {name === host ? null : (
                  <span dir="ltr" className="text-sm font-normal text-soft wrap-anywhere">
                    {host}
                  </span>
                )}
              </li>
            ))}
          </ul>
        ) : null}
        {isEmpty ? <p className="text-soft">{texts.empty}</p> : null}
      </div>
    </Card>
  )
}
