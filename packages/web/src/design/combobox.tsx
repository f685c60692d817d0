import { Combobox as Base } from '@base-ui/react/combobox'
import type { Ref } from 'react'
import { FieldFrame, type FieldTexts, fieldLook, type Option } from './field.tsx'

type Props = FieldTexts & {
  options: readonly Option[]
  value: Option | null
  onChange: (value: Option | null) => void
  /** Shown when no option matches. */
  empty: string
  ref?: Ref<HTMLInputElement>
}

/** A select with text search for many options. */
export const Combobox = ({ options, value, onChange, empty, ref, ...field }: Props) => (
  <Base.Root
    items={options}
    value={value}
    onValueChange={onChange}
    itemToStringLabel={({ text }: Option) => text}
    isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
    autoHighlight
  >
    <FieldFrame {...field}>
      {(attributes) => (
        <Base.Input
          {...attributes}
          ref={ref}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={fieldLook}
        />
      )}
    </FieldFrame>
    <Base.Portal>
      <Base.Positioner sideOffset={4} className="z-30">
        <Base.Popup className="w-(--anchor-width) rounded-field border border-line bg-card text-ink shadow-xl">
          <Base.Empty>
            <p className="px-3 py-3 text-soft">{empty}</p>
          </Base.Empty>
          <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto py-1 data-empty:hidden">
            {(option: Option) => (
              <Base.Item
                key={option.value}
                value={option}
                className="flex min-h-11 cursor-pointer items-center px-3 data-highlighted:bg-main data-highlighted:text-on-main"
              >
                {option.text}
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
