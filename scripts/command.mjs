// Runs an operator's command of the server: node scripts/command.mjs backup [arguments]
const [name] = process.argv.splice(2, 1)
await import('./install-and-build.mjs')
await import(`../packages/server/dist/commands/${name}.js`)
