// A workspace package depends on its neighbours, so a package packed from here cannot be installed.
const [name] = process.argv.slice(2)
console.error(
  `This folder has sources only. In the root of the repository run npm run build:${name}, then npm pack ./packages/${name}/published.`,
)
process.exit(1)
