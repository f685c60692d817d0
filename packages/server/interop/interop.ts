// Third-party programs, most of them against the running service: npm run test:interop
import { report } from '../../../benchmarks/report.ts'
import { launchReady, newPlace } from '../test/support/process.ts'
import { addressEncoderCheck } from './address-encoder.ts'
import { apiTypesCheck } from './api-types.ts'
import { authenticatorCheck } from './authenticator.ts'
import type { Stage } from './check.ts'
import { generatedClientCheck, lintCheck } from './generated-clients.ts'
import { sqlmapCheck } from './sqlmap.ts'

const checks = [
  addressEncoderCheck,
  apiTypesCheck,
  authenticatorCheck,
  lintCheck,
  generatedClientCheck,
  sqlmapCheck,
]

const place = await newPlace()
const admin = { email: 'admin@example.com', password: 'seven blue herons' }
const service = await launchReady({
  ...place.env,
  TRUST_PROXY: '127.0.0.1',
  DEV_PAGES: 'false',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
})
const url = `${service.url}/api`
const api: Stage['api'] = async (method, path, body, headers) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
const { access_token } = await api('POST', '/auth/token', admin)
const stage: Stage = { url, api, admin: { authorization: `Bearer ${access_token}` } }

const results = []
for (const { name, run } of checks) {
  process.stdout.write(`— ${name}\n`)
  const result = await run(stage).then(
    (facts) => ({ name, passed: true, ...facts }),
    (error) => ({ name, passed: false, error: String(error.message).slice(0, 2_000) }),
  )
  results.push(result)
}
service.child.kill('SIGTERM')
await service.exited
await place.clear()

report(new URL('.', import.meta.url), 'interop', { results })
const passedCount = results.filter((result) => result.passed).length
process.stdout.write(`\n${passedCount} passed, ${results.length - passedCount} failed\n`)
process.exitCode = passedCount === results.length ? 0 : 1
