/** Text to copy exactly: a key, a code or a message to sign. */
export const ShownText = ({ label, text }: { label: string; text: string }) => (
  <dl className="grid min-w-0 gap-1.5">
    <dt className="text-sm font-semibold">{label}</dt>
    <dd className="rounded-field border border-hair bg-ground px-3 py-2.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-all">
      {text}
    </dd>
  </dl>
)
