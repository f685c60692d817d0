import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * The wings and the permitted dependencies between features. A new dependency is a visible line in
 * a review; cycles are forbidden. A wing uses only its own features and those of wings above it. A
 * wing with one feature has its files beside its index.
 */
const wings: Record<string, Record<string, string>> = {
  operations: {
    access: '',
    audit: '',
    events: 'access',
    jobs: 'access audit',
    notifications: 'access',
  },
  identity: {
    accounts: 'access audit keys links notifications throttle',
    'api-keys': 'access accounts audit second-factor',
    keys: 'access audit',
    links: '',
    login: 'access accounts audit links mailbox sessions throttle',
    mailbox: 'accounts audit links notifications',
    passkeys: 'access accounts audit second-factor',
    organizations: 'access accounts audit keys notifications removals',
    recovery: 'access accounts audit links notifications second-factor',
    removals: 'accounts',
    sessions: 'access accounts audit notifications recovery second-factor',
    throttle: '',
    'second-factor': 'access accounts audit notifications throttle',
    wallets: 'access accounts audit',
  },
  directory: {
    'abuse-reports':
      'access accounts audit emoji-ids login notifications organizations suspensions transfers',
    'bulk-ids': 'access accounts audit edits emoji-ids keys organizations records removals',
    catalog: 'access audit emoji-ids stats',
    delays:
      'access accounts audit emoji-ids keys links notifications organizations records suspensions',
    edits: 'access accounts audit delays emoji-ids keys links notifications records',
    'emoji-ids': 'access accounts audit events keys organizations removals',
    'own-ids': 'access transfers',
    pictures: 'emoji-ids store',
    records: 'access emoji-ids events keys stats',
    stats: '',
    store: 'access audit edits emoji-ids records',
    suspensions: 'access accounts audit emoji-ids notifications',
    tokens: 'access accounts audit emoji-ids pictures store transfers',
    transfers:
      'access accounts audit emoji-ids events keys links mailbox notifications records removals second-factor',
  },
  people: {
    'account-export': 'access audit',
    profile:
      'access accounts emoji-ids notifications organizations sessions transfers users wallets',
    users:
      'access accounts audit emoji-ids links notifications organizations recovery removals suspensions',
  },
  lootboxes: {
    lootboxes: 'access accounts audit catalog emoji-ids notifications removals',
  },
  shop: {
    codes: 'access accounts audit emoji-ids keys organizations throttle',
    disputes:
      'access accounts audit emoji-ids events ledger notifications orders organizations purchases transfers',
    figures: 'access',
    'id-overviews': 'abuse-reports access audit catalog emoji-ids',
    interests: 'access accounts catalog emoji-ids links notifications',
    ledger: '',
    orders:
      'access accounts audit catalog codes emoji-ids events ledger notifications organizations',
    purchases:
      'access accounts audit catalog codes emoji-ids events ledger notifications orders organizations removals saved-cards',
    refunds: 'access accounts audit emoji-ids events ledger notifications orders purchases',
    'saved-cards': 'access',
  },
  oauth: {
    authorization: 'access accounts login mailbox sessions second-factor',
    clients: 'access audit organizations throttle',
    grants: 'access accounts audit clients emoji-ids sessions',
  },
  partners: {
    branding: 'access audit organizations',
    proxy: 'access',
    webhooks: 'access accounts audit events organizations',
  },
}
const featureMap: Record<string, string> = Object.assign({}, ...Object.values(wings))

/**
 * Inside a feature imports of values go down this list, never up. Use cases may also call each
 * other. Types may come from everywhere in the feature, because they leave nothing at run time.
 */
const layers = 'routes jobs binder use-case deps limits repository mails rules schema'.split(' ')

const src = fileURLToPath(new URL('../src', import.meta.url))
const core = fileURLToPath(new URL('../../core/src', import.meta.url))
const sandbox = fileURLToPath(new URL('../../sandbox/src', import.meta.url))
const sdk = fileURLToPath(new URL('../../sdk/src', import.meta.url))
const cli = fileURLToPath(new URL('../../cli/src', import.meta.url))

type Import = { from: string; to: string; isType: boolean }

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .sort()
}

/** Every import of a file: our own files by their path below the folder, packages by their name. */
function importsOf(folder: string, file: string): Import[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const matches = text.matchAll(
    /(?:^(?:import|export)\s+(type\s)?[^']*?\bfrom\s+|(?<!')\bimport\s*\(?\s*)'([^']+)'/gm,
  )
  return [...matches].map(([, type, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
    isType: type !== undefined,
  }))
}

const files = sourcesUnder(src)
const imports = files.flatMap((file) => importsOf(src, file))
const wingOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
function featureOf(path: string): string | undefined {
  const [, wing = '', rest = ''] = /^features\/([^/]+)\/(.+)$/.exec(path) ?? []
  const [feature, file] = rest.split('/')
  if (file) return feature
  return wing in (wings[wing] ?? {}) && rest !== 'index.ts' ? wing : undefined
}
const siteOf = (path: string) => /^sites\/([^/]+)\//.exec(path)?.[1]
/**
 * The layer of a feature's file. The binder has the feature's name; every other name is a use case.
 */
function layerOf(path: string): string {
  const name = basename(path, '.ts')
  if (name === featureOf(path)) return 'binder'
  return layers.includes(name) ? name : 'use-case'
}
const isDoor = (path: string) => layerOf(path) === 'binder'
const isOurs = ({ to }: Import) => to.endsWith('.ts')
const describeImport = ({ from, to }: Import) => `${from} → ${to}`

/** Formats imports that break a rule, so that a failure names them. */
const breaking = (rule: (one: Import) => boolean) => imports.filter(rule).map(describeImport)

describe('every package', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url))

  it.each(readdirSync(packages))('%s has no cycle of imported values', (name) => {
    const folder = join(packages, name, 'src')
    const targets = new Map(
      sourcesUnder(folder).map((file) => [
        file,
        importsOf(folder, file)
          .filter(({ isType }) => !isType)
          .map(({ to }) => to),
      ]),
    )
    // Removes files without imports, then files that import only removed files. The remainder is
    // cyclic.
    for (let before = -1; before !== targets.size; ) {
      before = targets.size
      for (const [file, uses] of targets) {
        if (!uses.some((used) => targets.has(used))) targets.delete(file)
      }
    }
    expect([...targets.keys()]).toEqual([])
  })
})

describe('the core', () => {
  it('imports no other package and nothing of Node', () => {
    const strange = sourcesUnder(core)
      .flatMap((file) => importsOf(core, file))
      .filter(
        ({ to }) => to.startsWith('@emojid/') || to.startsWith('node:') || to.startsWith('..'),
      )
    expect(strange.map(describeImport)).toEqual([])
  })
})

describe('the sandbox', () => {
  it('imports no other package of ours, like an external provider', () => {
    const strange = sourcesUnder(sandbox)
      .flatMap((file) => importsOf(sandbox, file))
      .filter(({ to }) => to.startsWith('@emojid/') || to.startsWith('..'))
    expect(strange.map(describeImport)).toEqual([])
  })
})

describe('the SDK', () => {
  it('imports only itself and the core, and curves for verification', () => {
    const strange = sourcesUnder(sdk)
      .flatMap((file) => importsOf(sdk, file))
      .filter(({ from, to }) => {
        if (to.endsWith('.ts')) return to.startsWith('..')
        return to !== '@emojid/core' && !(from === 'verify.ts' && to.startsWith('@noble/'))
      })
    expect(strange.map(describeImport)).toEqual([])
  })
})

describe('the CLI', () => {
  it('imports only itself, the SDK, Node and the QR renderer, like any client', () => {
    const strange = sourcesUnder(cli)
      .flatMap((file) => importsOf(cli, file))
      .filter(({ to }) => {
        if (to.endsWith('.ts')) return to.startsWith('..')
        return !to.startsWith('node:') && !/^@emojid\/sdk(\/|$)/.test(to) && to !== 'qr'
      })
    expect(strange.map(describeImport)).toEqual([])
  })
})

describe('the web', () => {
  const web = fileURLToPath(new URL('../../web/src', import.meta.url))
  const webImports = sourcesUnder(web).flatMap((file) => importsOf(web, file))

  it('imports the texts and queries of a page only from its own folder and folders below', () => {
    const acrossImports = webImports.filter(
      ({ from, to }) => /\/(texts|queries)\.ts$/.test(to) && !from.startsWith(`${dirname(to)}/`),
    )
    expect(acrossImports.map(describeImport)).toEqual([])
  })

  it('calls the service only in queries.ts', () => {
    const callingImports = webImports.filter(
      ({ from, to }) =>
        from.startsWith('pages/') && to === 'api/client.ts' && basename(from) !== 'queries.ts',
    )
    expect(callingImports.map(describeImport)).toEqual([])
  })
})

describe('pages', () => {
  /** Bounds that no rule of the service has. */
  const ownBounds = ['web/src/pages/orders/invoice.tsx', 'select-id/page.ts']

  it('take the bounds of text fields from the core', () => {
    const packages = fileURLToPath(new URL('../..', import.meta.url))
    const repeating = ['web/src', 'server/src/sites'].flatMap((folder) =>
      sourcesUnder(join(packages, folder))
        .map((file) => join(folder, file))
        .filter((file) =>
          /m(in|ax)length=[{"]*\d/i.test(readFileSync(join(packages, file), 'utf8')),
        ),
    )
    const unexpected = repeating.filter((file) => !ownBounds.some((own) => file.endsWith(own)))
    expect(unexpected).toEqual([])
    expect(repeating).toHaveLength(ownBounds.length)
  })
})

describe('the platform', () => {
  it('imports only itself', () => {
    expect(
      breaking(
        (one) => one.from.startsWith('platform/') && isOurs(one) && !one.to.startsWith('platform/'),
      ),
    ).toEqual([])
  })

  it('keeps what serves the API and what serves pages apart', () => {
    const userOf = (path: string) => /^platform\/http\/(api|pages)\//.exec(path)?.[1]
    expect(
      breaking(({ from, to }) => {
        const [user, other] = [userOf(from), userOf(to)]
        return user !== undefined && other !== undefined && user !== other
      }),
    ).toEqual([])
  })
})

describe('a wing', () => {
  const order = Object.keys(wings)
  const isComposition = (path: string) => wingOf(path) !== undefined && !featureOf(path)

  it('a wing has the features of the map, and an index that builds them', () => {
    const places = new Map(files.map((file) => [featureOf(file), wingOf(file)]))
    places.delete(undefined)
    const listedFeatures = Object.entries(wings).flatMap(([wing, features]) =>
      Object.keys(features).map((feature) => [feature, wing]),
    )
    expect(Object.fromEntries(places)).toEqual(Object.fromEntries(listedFeatures))
    expect(files.filter(isComposition)).toEqual(
      order.map((wing) => `features/${wing}/index.ts`).sort(),
    )
  })

  it('uses only itself and the wings above it', () => {
    expect(
      breaking(({ from, to }) => {
        const [wing, other] = [wingOf(from), wingOf(to)]
        if (!wing || !other) return false
        return order.indexOf(other) > order.indexOf(wing)
      }),
    ).toEqual([])
  })
})

describe('a feature', () => {
  it('a feature is on the map', () => {
    const features = new Set(files.flatMap((file) => featureOf(file) ?? []))
    expect([...features].filter((feature) => !(feature in featureMap))).toEqual([])
  })

  it('names its files after their use cases', () => {
    const vague =
      /^features\/.*\/(service|helpers?|utils?|shared|common|misc|lib)\.ts$|^features\/[^/]+\/[^/]+\/.+\//
    expect(files.filter((file) => vague.test(file))).toEqual([])
  })

  it('imports the platform, the tables, and other features through their door along the map', () => {
    expect(
      breaking((one) => {
        const feature = featureOf(one.from)
        if (!feature || !isOurs(one)) return false
        const other = featureOf(one.to)
        if (other === feature) return false
        if (other) {
          const isOnMap = featureMap[feature]?.split(' ').includes(other)
          return !(isOnMap && isDoor(one.to))
        }
        return !one.to.startsWith('platform/') && one.to !== 'tables.ts'
      }),
    ).toEqual([])
  })

  it('a feature has imports that only go down its layers', () => {
    expect(
      breaking((one) => {
        const feature = featureOf(one.from)
        if (!feature || featureOf(one.to) !== feature || one.isType) return false
        const [from, to] = [layerOf(one.from), layerOf(one.to)]
        if (from === 'use-case' && to === 'use-case') return false
        return layers.indexOf(from) >= layers.indexOf(to)
      }),
    ).toEqual([])
  })

  it('a feature has no unused dependency on the map', () => {
    const usedEdges = new Set(
      imports.map(({ from, to }) => `${featureOf(from)} → ${featureOf(to)}`),
    )
    const mapEdges = Object.entries(featureMap).flatMap(([feature, uses]) =>
      uses.split(' ').flatMap((other) => (other ? `${feature} → ${other}` : [])),
    )
    expect(mapEdges.filter((arrow) => !usedEdges.has(arrow))).toEqual([])
  })

  it('a feature has no dependency cycle on the map', () => {
    const settled = new Set<string>()
    const features = new Map(Object.entries(featureMap))
    for (let before = -1; before !== settled.size; ) {
      before = settled.size
      for (const [feature, uses] of features) {
        if (uses.split(' ').every((used) => used === '' || settled.has(used))) {
          settled.add(feature)
          features.delete(feature)
        }
      }
    }
    expect([...features.keys()]).toEqual([])
  })
})

describe('a site', () => {
  it('imports features and the platform, never another site', () => {
    expect(
      breaking((one) => {
        const site = siteOf(one.from)
        if (!site || !isOurs(one)) return false
        const isAllowed = siteOf(one.to) === site || /^(features|platform)\//.test(one.to)
        return !isAllowed
      }),
    ).toEqual([])
  })

  it('imports the texts of a page only from its own folder and folders below', () => {
    expect(
      breaking(({ from, to }) => {
        const isTexts = siteOf(from) !== undefined && /\/texts\.ts$/.test(to)
        return isTexts && !from.startsWith(`${dirname(to)}/`)
      }),
    ).toEqual([])
  })

  it('a site is imported by no feature', () => {
    expect(
      breaking((one) => featureOf(one.from) !== undefined && siteOf(one.to) !== undefined),
    ).toEqual([])
  })
})

describe('restricted knowledge', () => {
  const isHttp = (path: string) =>
    /\/(guard-)?routes\.ts$|^sites\/|^platform\/http\/|^http\.ts$/.test(path)
  const isSql = (path: string) =>
    /\/repository\.ts$|^tables\.ts$|^platform\/(database|jobs|demo|http\/api\/idempotency)\//.test(
      path,
    )

  it.each([
    [
      'the container',
      /^container\.ts$/,
      (path: string) => ['service.ts', 'http.ts'].includes(path),
    ],
    [
      'Fastify',
      /^(fastify|@fastify\/.+)$/,
      (path: string) => isHttp(path) || ['container.ts', 'service.ts'].includes(path),
    ],
    ['Kysely', /^kysely$/, (path: string) => isSql(path) || path === 'sites/api/app.ts'],
    [
      'pg',
      /^pg(-copy-streams)?$/,
      (path: string) => /^platform\/(database|jobs|metrics)\//.test(path),
    ],
  ])('%s is imported only where allowed', (_what, target, mayKnow) => {
    expect(breaking((one) => target.test(one.to) && !mayKnow(one.from))).toEqual([])
  })

  it.each([
    ['the environment', /process\.env/, /^(main|commands\/run)\.ts$/],
    [
      'exit codes and signals',
      /process\.(exit|once|on)\b/,
      /^(main|supervisor|commands\/run)\.ts$/,
    ],
    ['plain transactions', /\.transaction\(\)/, /^platform\/database\/database\.ts$/],
  ])('%s: used only where allowed', (_what, text, mayUse) => {
    const users = files.filter(
      (file) => text.test(readFileSync(join(src, file), 'utf8')) && !mayUse.test(file),
    )
    expect(users).toEqual([])
  })
})

const root = fileURLToPath(new URL('../../..', import.meta.url))

it('docs/threats.md explains every threat that a test names', () => {
  const list = readFileSync(join(root, 'docs/threats.md'), 'utf8')
  const explained = new Set([...list.matchAll(/^\| ([TR]\d+) \|/gm)].map(([, id]) => id))
  const named = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.ts$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .flatMap((path) => [
      ...readFileSync(join(root, 'packages', path), 'utf8').matchAll(/[( ]([TR]\d+)(?=[,)]|$)/gm),
    ])
    .map(([, id]) => id)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((id) => !explained.has(id))).toEqual([])
})

it('the Markdown pages link only to files and headings that exist', () => {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name))
  const folders = ['', 'docs', 'docs/decisions', ...packages]
  const pages = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
  const headingsOf = (text: string) =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', heading] = link.split('#')
        const target = path === '' ? join(root, page) : join(root, dirname(page), path)
        if (!existsSync(target)) return true
        return heading !== undefined && !headingsOf(readFileSync(target, 'utf8')).includes(heading)
      })
      .map((link) => `${page}: ${link}`)
  })
  expect(pages.length).toBeGreaterThan(40)
  expect(broken).toEqual([])
})

it('the Markdown pages name every script of package.json, and no other', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = new Set(['README.md', 'CONTRIBUTING.md', 'docs/operations.md'].flatMap(scriptsIn))
  expect([...names].toSorted()).toEqual(Object.keys(scripts).toSorted())
})

function scriptsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test))/g)].map(
    ([, script, short]) => script ?? short ?? '',
  )
}

it('object literals are not spread into other literals', () => {
  const isOwn = (path: string) =>
    /\.(ts|tsx|mjs)$/.test(path) && !/(^|\/)(node_modules|dist|generated|\.vite)\//.test(path)
  const spread = /\.\.\.\(*(\{|\[(?:[^[\]]|\[[^[\]]*\])*\](?!\.))/
  const users = ['packages', 'benchmarks', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => isOwn(path) && spread.test(readFileSync(join(root, path), 'utf8'))),
  )
  expect(users).toEqual([])
})

describe('ARCHITECTURE.md', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, tree = ''] = /```\n([\s\S]*?)```/.exec(text) ?? []
  const prose = text.replace(/```[\s\S]*?```/g, '')

  it('ARCHITECTURE.md shows a tree of folders and files that exist', () => {
    const open: string[] = []
    const missing = tree
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const depth = line.search(/\S/) / 2
        open.splice(depth, Number.POSITIVE_INFINITY, line.trim().split(' ')[0] ?? '')
        return join(...open)
      })
      .filter((path) => !path.includes('*') && !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })

  it('names functions that are defined in the file of their row', () => {
    const [, walks = ''] = text.split('\n## Five walks\n')
    const rows = [...walks.matchAll(/^\| [^|]+ \| `([\w./-]+)` \| `(\w+)` \|$/gm)]
    const missing = rows
      .map(([, file = '', name = '']) => ({ file, name }))
      .filter(({ file, name }) => {
        const source = readFileSync(join(src, file), 'utf8')
        return !new RegExp(`^(export )?(async )?(function|const) ${name}\\b`, 'm').test(source)
      })
    expect(rows.length).toBeGreaterThan(30)
    expect(missing).toEqual([])
  })

  it('names only paths that exist', () => {
    const bases = ['', 'packages/server/src', 'packages/web/src'].map((base) => join(root, base))
    const isFile = (path: string) => bases.some((base) => existsSync(join(base, path)))
    const names = new Set(
      ['packages/server/src', 'packages/web/src'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
          basename(path),
        ),
      ),
    )
    const quoted = [...prose.matchAll(/`([\w@./-]+)`/g)].map(([, path = '']) => path)
    const linked = [...prose.matchAll(/\]\(([\w./-]+)\)/g)].map(([, path = '']) => path)
    const isPath = (path: string) =>
      /^[\w@-]+\/[\w@./-]+$/.test(path) || /^[\w-]+\.(tsx?|mjs|md|json|sql)$/.test(path)
    const missing = [...quoted.filter(isPath), ...linked]
      .filter((path) => !/NNNN/.test(path))
      .filter((path) => !isFile(path) && !names.has(path))
    expect(missing).toEqual([])
  })
})
