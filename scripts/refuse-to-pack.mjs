// A package of the workspace needs its neighbours: packed as it stands, it could not be installed.
const [name] = process.argv.slice(2)
console.error(
  `This folder holds the sources. In the root of the repository run: npm run build:${name}, then: npm pack ./packages/${name}/published`,
)
process.exit(1)
