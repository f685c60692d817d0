import { Button } from '../../../../design/button.tsx'
import { Field } from '../../../../design/field.tsx'
import { type FormLink, newLink, problemOf } from './profile-form.ts'
import { texts } from './texts.ts'

type Props = {
  links: readonly FormLink[]
  /** Errors appear after the first attempt to save. */
  isAsked: boolean
  onChange: (links: readonly FormLink[]) => void
}

/** The links of a page with their names. */
export const LinkFields = ({ links, isAsked, onChange }: Props) => (
  <fieldset className="grid gap-4">
    <legend className="mb-2 font-semibold">{texts.links}</legend>
    {links.length === 0 ? <p className="text-soft">{texts.noLinks}</p> : null}
    {links.map((link, nth) => (
      <fieldset key={link.key} className="grid gap-3 rounded-card border border-hair p-4">
        <legend className="px-1 text-sm text-soft">{texts.link(nth + 1)}</legend>
        <Field
          label={texts.linkName}
          maxLength={120}
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
