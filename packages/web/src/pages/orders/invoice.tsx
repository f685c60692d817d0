import { useState } from 'react'
import type { Order } from '../../api/shop.ts'
import { seller } from '../../api/site-links.ts'
import { Button } from '../../design/button.tsx'
import { Field, TextArea, valueIn } from '../../design/field.tsx'
import { useFormDraft, useSessionDraft } from '../../design/use-session-draft.ts'
import { invoiceTexts as texts } from './texts.ts'

type Buyer = { company: string; taxId: string; address: string }

const storage = 'invoice'
const emptyBuyer: Buyer = { company: '', taxId: '', address: '' }

/** Kept in this browser only: the service does not need it. */
function readBuyer(): Buyer {
  try {
    return { ...emptyBuyer, ...JSON.parse(window.localStorage.getItem(storage) ?? '{}') }
  } catch {
    return emptyBuyer
  }
}

/** The receipt as an invoice: who sold, who bought, and their tax ids. */
export function Invoice({ order }: { order: Order }) {
  const [buyer, setBuyer] = useState(readBuyer)
  const [isAsking, setAsking] = useSessionDraft(`invoice form ${order.id}`, false)
  const draft = useFormDraft(`invoice ${order.id}`, ['company', 'tax_id', 'address'])
  const keep = (form: HTMLFormElement) => {
    const [company, taxId] = [valueIn(form, 'company'), valueIn(form, 'tax_id')]
    const next = { company, taxId, address: valueIn(form, 'address') }
    setBuyer(next)
    draft.clear()
    try {
      window.localStorage.setItem(storage, JSON.stringify(next))
    } catch {
      // Without storage it is asked again next time.
    }
    // Print what the state change draws.
    setTimeout(() => window.print())
  }
  return (
    <>
      <div className="hidden gap-4 print:grid">
        <p className="text-xl font-bold">{texts.title(order.order_number)}</p>
        <dl className="grid grid-cols-2 gap-6">
          <Party title={texts.seller} name={seller.name} taxId={seller.taxId} />
          <Party
            title={texts.buyer}
            name={buyer.company || (order.user.email ?? '')}
            taxId={buyer.taxId}
          >
            {buyer.address}
          </Party>
        </dl>
      </div>
      <div className="grid justify-items-start gap-4 print:hidden">
        {isAsking ? (
          <form
            {...draft.form}
            aria-label={texts.form}
            className="grid w-full gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              keep(event.currentTarget)
            }}
          >
            <p className="text-soft">{texts.text}</p>
            <Field
              label={texts.company}
              name="company"
              maxLength={200}
              autoComplete="organization"
              defaultValue={buyer.company}
            />
            <Field
              label={texts.taxId}
              hint={texts.taxIdHint}
              name="tax_id"
              maxLength={50}
              autoComplete="off"
              defaultValue={buyer.taxId}
            />
            <TextArea
              label={texts.address}
              name="address"
              maxLength={500}
              autoComplete="street-address"
              defaultValue={buyer.address}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit">{texts.print}</Button>
              <Button
                look="second"
                onClick={() => {
                  draft.clear()
                  setAsking(false)
                }}
              >
                {texts.close}
              </Button>
            </div>
          </form>
        ) : (
          <Button look="second" onClick={() => setAsking(true)}>
            {texts.open}
          </Button>
        )}
      </div>
    </>
  )
}

type PartyProps = { title: string; name: string; taxId: string; children?: string }

const Party = ({ title, name, taxId, children = '' }: PartyProps) => (
  <div>
    <dt className="text-soft">{title}</dt>
    <dd className="grid wrap-anywhere whitespace-pre-line">
      {name ? <strong>{name}</strong> : null}
      {children ? <span>{children}</span> : null}
      {taxId ? <span>{texts.taxIdOf(taxId)}</span> : null}
    </dd>
  </div>
)
