import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each([
  { host: 'localhost', is: true },
  { host: 'LOCALHOST', is: true },
  { host: '127.0.0.1', is: true },
  { host: '127.8.9.10', is: true },
  { host: '::1', is: true },
  { host: '[::1]', is: true },
  { host: 'auth.crabs.localhost', is: true },
  { host: '', is: false },
  { host: 'evil-localhost', is: false },
  { host: '0.0.0.0', is: false },
  { host: '127.0.0.1.evil.example', is: false },
  { host: 'localhost.evil.example', is: false },
  { host: '[::2]', is: false },
])('$host is loopback: $is', ({ host, is }) => {
  expect(isLoopback(host)).toBe(is)
})
