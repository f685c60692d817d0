import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: string | undefined
}

/** A checkbox or radio button with a target large enough for a finger. */
const Choice = ({ label, hint, className = '', type, ...input }: Props & { type: string }) => {
  const id = useId()
  return (
    <div className={className}>
      <label className="flex min-h-11 items-center gap-3 py-1 font-medium">
        <input
          {...input}
          type={type}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="size-5 shrink-0 accent-main"
        />
        {label}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="pl-8 text-sm wrap-anywhere text-soft">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

export const Checkbox = (props: Props) => <Choice {...props} type="checkbox" />

/** A radio button. Place it in a fieldset. */
export const Radio = (props: Props) => <Choice {...props} type="radio" />
