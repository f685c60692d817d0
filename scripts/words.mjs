// Refuses words that hide the actor: “whoever”, “nobody”, “somebody” anywhere, and comments that
// begin with “What” or “Who”. CONTRIBUTING says how we write.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './install.mjs'

const texts = /\.(ts|tsx|mjs|js|md|sql|css|html|sh|ya?ml)$/
const own = fileURLToPath(import.meta.url)
const rules = [
  {
    pattern: /\b(?:whoever|whomever|nobody|somebody)(?:'s|’s|s)?\b/i,
    advice:
      'name the actor, such as buyer, owner, operator, partner, client, payer, process or job',
  },
  {
    pattern:
      /(?:^\s*|[^:])(?:\/\/|\/\*\*?|--|^\s*\*)\s(?<word>What|Who|Whatever|Whose|Whom)\b(?!.*\?\s*$)/,
    advice: 'begin the comment with its subject, such as “The owner …” or “Returns …”',
  },
]

// Also files that are not added yet.
const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => texts.test(file))
  .filter((file) => join(root, file) !== own && existsSync(join(root, file)))

for (const file of new Set(files)) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    for (const { pattern, advice } of rules) {
      const match = pattern.exec(line)
      if (!match) continue
      console.log(`${file}:${index + 1}: “${match.groups?.word ?? match[0]}”: ${advice}`)
      process.exitCode = 1
    }
  }
}
