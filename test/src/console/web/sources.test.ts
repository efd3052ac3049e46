import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const folder = fileURLToPath(new URL('../../../../plugins/feature-console/web/', import.meta.url))

interface Rule {
  readonly what: RegExp
  readonly instead: string
  /** The files that may, each of which asks first whether it exists. */
  readonly allowed?: readonly string[]
}

const rules: readonly Rule[] = [
  { what: /\bcrypto\.randomUUID\b/, instead: 'newId of core/new-id.ts: there is none over plain http' },
  { what: /\bcrypto\.subtle\b/, instead: 'a library, or the service: there is none over plain http' },
  { what: /\bnavigator\.locks\b/, instead: 'withLock of core/locks.ts', allowed: ['core/locks.ts'] },
  { what: /\bnavigator\.clipboard\b/, instead: 'copyText of core/copy-text.ts', allowed: ['core/copy-text.ts'] },
  {
    what: /\bnavigator\.(serviceWorker|storage|mediaDevices|share|wakeLock|credentials|permissions|geolocation)\b|\bnew Notification\(|\bcookieStore\b/,
    instead: 'a place of its own that says what is missing over plain http',
    allowed: ['main.tsx', 'core/service-worker.ts'],
  },
  { what: /\bcaches\./, instead: 'the service worker', allowed: ['public/service-worker.js'] },
  {
    what: /\bisComposing\b|\bkeyCode\b/,
    instead: 'core/input-method.ts: other listeners never see keys of input methods',
    allowed: ['core/input-method.ts'],
  },
  {
    what: /['"](keyup|keypress)['"]|\bonKey(Up|Press)\b/,
    instead: 'keydown: core/input-method.ts keeps keys of input methods from it alone',
  },
  {
    what: /window\.addEventListener\(\s*['"]keydown['"]/,
    instead: 'document: listeners of the window would come before core/input-method.ts',
    allowed: ['core/input-method.ts'],
  },
  {
    what: /\blazy\(/,
    instead: 'lazyPart of ui/part.tsx: it tries again, and says what is missing',
    allowed: ['ui/part.tsx', 'app/screens.ts'],
  },
]

/** `import()` of a file, outside of what tries again. Declarations of screens are loaded by the shell. */
const bareImport = /(?<!loadPart\(\(\) => |lazyPart\(\s*\(\) => |typeof )\bimport\(['"]/

/** Each of their imports is handed to `loadPart` in one place. */
const importTables: readonly string[] = ['highlight/languages.ts']

const findings = (file: string, source: string): readonly string[] => {
  const all: readonly Rule[] = file.endsWith('/index.ts')
    ? rules
    : [...rules, { what: bareImport, instead: 'loadPart of core/load-part.ts', allowed: importTables }]
  return all.flatMap(({ what, instead, allowed = [] }) => {
    const found = allowed.includes(file) ? null : what.exec(source.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, ''))
    return found ? [`${file}: ${found[0]}: use ${instead}`] : []
  })
}

describe('the sources of the console', () => {
  it('use nothing directly that pages over plain http, input methods or updates take away', async () => {
    const names = await readdir(folder, { recursive: true })
    const files = names.filter((name) => /\.(tsx?|js)$/.test(name) && !name.startsWith('dist') && name !== path.join('api', 'schema.d.ts'))
    expect(files.length).to.be.greaterThan(300)
    const all = await Promise.all(files.map(async (file) => findings(file, await readFile(path.join(folder, file), 'utf8'))))
    expect(all.flat()).to.deep.equal([])
  })

  it('would be found out', () => {
    const planted = [
      'const key = crypto.randomUUID()',
      "void navigator.locks.request('a', run)",
      'await navigator.clipboard.writeText(text)',
      'if (event.isComposing) return',
      "const Part = lazy(async () => ({ default: (await import('./part.js')).Part }))",
      "import('./part.js').then(show)",
    ]
    for (const source of planted) expect(findings('screens/new/new.tsx', source), source).to.have.length.greaterThan(0)
    expect(findings('screens/new/new.tsx', "const Part = lazyPart(() => import('./part.js'), (module) => module.Part)")).to.deep.equal([])
    expect(findings('screens/new/new.tsx', "// crypto.randomUUID()\nconst at = 'https://example.org/a'")).to.deep.equal([])
  })
})
