import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { queries } from './api/query-client.ts'
import { accessToken } from './api/session.ts'
import { showApp } from './design/served-view.ts'
import { language } from './language.ts'
import { router } from './router.tsx'

document.documentElement.lang = language
// Every request waits for it, so it goes ahead of the pictures. The parts that need it report a failure.
accessToken().catch(() => {})

const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the app')
/** Whether the app shows a page, or why there is none. */
const hasContent = () => place.querySelector('main :is(h1, [role="alert"])') !== null
// The page of the server stays until then.
new MutationObserver((_changes, observer) => {
  if (!hasContent()) return
  observer.disconnect()
  showApp()
}).observe(place, { childList: true, subtree: true })
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
