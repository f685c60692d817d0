/** A ticker as the public pages show it. */
export const Ticker = ({ children }: { children: string }) => (
  <span
    aria-hidden="true"
    className="grid h-10 w-13 shrink-0 place-items-center rounded-field bg-tint text-xs font-bold tracking-wide text-main"
  >
    {children.slice(0, 5)}
  </span>
)
