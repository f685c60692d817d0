import { useList } from '../../../design/list-search.ts'
import { CodePage } from './code.tsx'
import { CodeList } from './list.tsx'
import { NewCodePage } from './new-code.tsx'

/** The list, or the code that the URL names. */
export function CodesPage() {
  const { code } = useList({ code: 'text' }).filters
  if (code === 'new') return <NewCodePage />
  return code ? <CodePage key={code} id={code} /> : <CodeList />
}
