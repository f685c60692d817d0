import { demoMailbox } from '../api/addresses.ts'
import { texts } from './texts.ts'

/** In the demonstration, emails stay on the machine: links to the page that shows them. */
export const DemoMailbox = () =>
  demoMailbox ? (
    <p className="text-soft">
      {texts.demoMailbox.text}{' '}
      <a
        href={demoMailbox}
        target="_blank"
        rel="noreferrer"
        className="font-medium text-main underline underline-offset-4"
      >
        {texts.demoMailbox.link}
      </a>
    </p>
  ) : null
