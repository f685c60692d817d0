import { expect, it } from 'vitest'
import { portError } from './port-error.ts'

const ports = { metrics_port: 9090, sandbox_port: 9091 }
const refusalOf = (code: string, port?: number) =>
  portError(Object.assign(new Error(code), { code, ...(port ? { port } : {}) }), ports)?.message

it.each([
  { port: 8080, name: 'PORT' },
  { port: 9090, name: 'METRICS_PORT' },
  { port: 9091, name: 'SANDBOX_PORT' },
])('the start error names the variable of port $port', ({ port, name }) => {
  expect(refusalOf('EADDRINUSE', port)).toContain(`${name} ${port} is taken`)
  expect(refusalOf('EACCES', port)).toContain(`Set ${name} to 1024 or above`)
})

it('the start error names the variable of an address that the machine does not have', () => {
  expect(refusalOf('EADDRNOTAVAIL', 8080)).toContain('Correct HOST.')
  expect(refusalOf('EADDRNOTAVAIL', 9090)).toContain('Correct METRICS_HOST.')
})

it('the start leaves errors without a port unchanged', () => {
  expect(refusalOf('ECONNREFUSED', 5432)).toBeUndefined()
})
