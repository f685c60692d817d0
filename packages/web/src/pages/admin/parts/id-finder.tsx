import { textLengths } from '@emojid/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { readTypedId } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'

const texts = adminTexts.finder

/** Opens the page of a typed id. */
export function IdFinder() {
  const [problem, setProblem] = useState<string>()
  const navigate = useNavigate()
  return (
    <search aria-label={texts.label}>
      <form
        className="grid justify-items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const id = readTypedId(valueIn(event.currentTarget, 'emoji_id'))
          setProblem(id ? undefined : texts.notAnId)
          if (id) navigate({ to: '/admin/ids/$id', params: { id } })
        }}
      >
        <Field
          label={texts.field}
          hint={texts.hint}
          problem={problem}
          name="emoji_id"
          type="search"
          required
          {...textLengths.search}
          autoCapitalize="none"
          spellCheck={false}
          className="w-full max-w-xl"
        />
        <Button type="submit">{texts.action}</Button>
      </form>
    </search>
  )
}
