import type { UnreadAddress } from './partner-addresses.ts'
import { texts } from './texts.ts'

const { review: t } = texts

/** The unreadable parts of the partner's list. */
export const UnreadList = ({ unread, name }: { unread: readonly UnreadAddress[]; name: string }) =>
  unread.length === 0 ? null : (
    <div className="grid gap-3 border-hair border-t pt-4">
      <h3 className="font-semibold">{t.unreadTitle}</h3>
      <ul className="grid gap-2">
        {unread.map(({ text, fault }) => (
          <li key={`${fault} ${text}`} className="grid gap-0.5">
            <span className="font-mono text-sm break-all">{text}</span>
            <span className="font-medium text-sm text-wrong">{t.unread[fault]}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">{t.unreadAdvice(name)}</p>
    </div>
  )
