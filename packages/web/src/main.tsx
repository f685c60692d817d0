import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { queries } from './api/query-client.ts'
import { language } from './language.ts'
import { router } from './router.tsx'

document.documentElement.lang = language

const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the app')
// The page of the server stays until the app shows something.
new MutationObserver((_changes, observer) => {
  observer.disconnect()
  document.getElementById('start')?.remove()
  place.hidden = false
}).observe(place, { childList: true })
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
