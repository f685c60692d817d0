import type { ButtonHTMLAttributes, MouseEvent } from 'react'

type Look = 'main' | 'second' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  main: 'bg-main text-on-main hover:bg-main-hover font-semibold px-5',
  second: 'border border-line hover:bg-tint font-medium px-5',
  danger: 'bg-danger text-white hover:bg-danger-hover font-semibold px-5',
  quiet: 'text-main underline underline-offset-4 hover:bg-tint font-medium px-3',
}

export const buttonLook = (look: Look = 'main'): string =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-field py-2 text-center wrap-normal no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-progress aria-disabled:opacity-60 ${looks[look]}`

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look
  /** Shows progress and ignores further presses. */
  isBusy?: boolean
}

export function Button(props: Props) {
  const { look, isBusy, className = '', children, onClick, type = 'button', ...rest } = props
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // A double click submits a form once, even if the first response was fast.
    if (isBusy || (type === 'submit' && event.detail > 1)) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      // A disabled button loses focus, and keyboard users lose their place.
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={press}
      className={`${buttonLook(look)} ${className}`}
    >
      {children}
      {isBusy ? <Spinner /> : null}
    </button>
  )
}

export const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
  />
)
