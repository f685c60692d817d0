import { readProfile } from '@emojid/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type StoredData, storeQuery, writeStore } from '../../../../api/id-store.ts'
import { isRefusal, Problem } from '../../../../api/problem.ts'
import type { StoredRecord } from '../../../../api/records.ts'
import { sessionDraft } from '../../../../api/session-draft.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { Field } from '../../../../design/field.tsx'
import { TextArea } from '../../../../design/text-area.tsx'
import { Unsaved } from '../../../../design/unsaved.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { toCoreRecords } from '../../../../records/names.ts'
import { AvatarField } from './avatar-field.tsx'
import { LinkFields } from './link-fields.tsx'
import { Preview } from './preview.tsx'
import {
  isSameForm,
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
  const [kept] = useState(() => {
    const draft = sessionDraft.read<Draft>(key)
    return draft && !isSameForm(draft.form, firstForm) ? draft : undefined
  })
  const [form, setForm] = useState(() => kept?.form ?? firstForm)
  // A picture is read for a while: what the owner types meanwhile stays.
  const change = (part: Partial<ProfileForm>) => setForm((now) => ({ ...now, ...part }))
  /** Absent while the stored page is unknown: a save without a response may have changed it. */
  const [savedForm, setSavedForm] = useState<ProfileForm | undefined>(firstForm)
  const [versions, setVersions] = useState(() => kept?.versions ?? [storedVersion(stored)])
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
  const redirect = records.findLast(({ tag }) => tag === '0x0004')?.data
  return (
    <div className="grid items-start gap-5 xl:grid-cols-2">
      <Unsaved isThere={isChanged} isStored={() => sessionDraft.read(key) !== undefined} />
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
            hint={texts.nameHint}
            maxLength={120}
            value={form.title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          />
          <TextArea
            label={texts.about}
            maxLength={4_000}
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
