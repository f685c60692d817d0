import { keptMails } from '../api/addresses.ts'
import { texts } from './texts.ts'

/** In the demo, emails stay on the machine: links to the demo mailbox. */
export const KeptMails = () =>
  keptMails ? (
    <p className="text-soft">
      {texts.keptMails.text}{' '}
      <a
        href={keptMails}
        target="_blank"
        rel="noreferrer"
        className="font-medium text-main underline underline-offset-4"
      >
        {texts.keptMails.link}
      </a>
    </p>
  ) : null
