/** Lets keyboard users skip the repeated parts of a page. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:rounded-field focus:bg-card focus:p-3"
  >
    {children}
  </a>
)
