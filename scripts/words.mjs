// Refuses words that hide the actor: “whoever”, “nobody”, “somebody” anywhere, and comments that
// begin with “What” or “Who”. CONTRIBUTING says how we write.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './install.mjs'

const texts = /\.(ts|tsx|mjs|js|md|sql|css|html|sh|ya?ml)$/
const own = fileURLToPath(import.meta.url)
const hiddenActor = /\b(whoever|whomever|nobody|somebody)('s|’s|s)?\b/i
const vagueSubject =
  /(^\s*|[^:])(\/\/|\/\*\*?|--|^\s*\*)\s(What|Who|Whatever|Whose|Whom)\b(?!.*\?\s*$)/

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => texts.test(file) && join(root, file) !== own)

let count = 0
for (const file of files) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (!hiddenActor.test(line) && !vagueSubject.test(line)) continue
    count++
    console.log(`${file}:${index + 1}: ${line.trim()}`)
  }
}
if (count > 0) {
  console.log(`\n${count} lines hide the actor. Name it: buyer, owner, operator, client, process.`)
  process.exitCode = 1
}
