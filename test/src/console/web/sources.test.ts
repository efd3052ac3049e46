import { expect } from 'chai'
import { webFiles, webSource } from '../support/web-sources.js'

interface Rule {
  readonly what: RegExp
  readonly instead: string
  /** The files that may, each of which asks first whether it exists. */
  readonly allowed?: readonly string[]
}

const rules: readonly Rule[] = [
  { what: /\bcrypto\.randomUUID\b/, instead: 'newId of the kit: there is none over plain http' },
  { what: /\bcrypto\.subtle\b/, instead: 'a library, or the service: there is none over plain http' },
  { what: /\bnavigator\.locks\b/, instead: 'withLock of the kit', allowed: ['sdk/web/core/locks.ts'] },
  { what: /\bnavigator\.clipboard\b/, instead: 'copyText of the kit', allowed: ['sdk/web/core/copy-text.ts'] },
  {
    what: /\bnavigator\.(serviceWorker|storage|mediaDevices|share|wakeLock|credentials|permissions|geolocation)\b|\bnew Notification\(|\bcookieStore\b/,
    instead: 'a place of its own that says what is missing over plain http',
    allowed: ['plugins/feature-console/web/main.tsx', 'sdk/web/core/service-worker.ts'],
  },
  { what: /\bcaches\./, instead: 'the service worker', allowed: ['plugins/feature-console/web/public/service-worker.js'] },
  {
    what: /\bisComposing\b|\bkeyCode\b/,
    instead: 'sdk/web/core/input-method.ts: other listeners never see keys of input methods',
    allowed: ['sdk/web/core/input-method.ts'],
  },
  {
    what: /['"](keyup|keypress)['"]|\bonKey(Up|Press)\b/,
    instead: 'keydown: sdk/web/core/input-method.ts keeps keys of input methods from it alone',
  },
  {
    what: /window\.addEventListener\(\s*['"]keydown['"]/,
    instead: 'document: listeners of the window would come before sdk/web/core/input-method.ts',
    allowed: ['sdk/web/core/input-method.ts'],
  },
  {
    what: /\blazy\(/,
    instead: 'lazyPart of the kit: it tries again, and says what is missing',
    allowed: ['sdk/web/ui/part.tsx', 'plugins/feature-console/web/app/screens.ts'],
  },
]

/** `import()` of a file, outside of what tries again. Declarations of screens are loaded by the shell. */
const bareImport = /(?<!loadPart\(\(\) => |lazyPart\(\s*\(\) => |typeof )\bimport\(['"]/

/** Each of their imports is handed to `loadPart` in one place, or only asked for ahead. */
const importTables: readonly string[] = ['sdk/web/highlight/languages.ts', 'plugins/feature-console/web/app/load-module.ts']

const findings = (file: string, source: string): readonly string[] => {
  const all: readonly Rule[] = file.endsWith('/index.ts')
    ? rules
    : [...rules, { what: bareImport, instead: 'loadPart of the kit', allowed: importTables }]
  return all.flatMap(({ what, instead, allowed = [] }) => {
    const found = allowed.includes(file) ? null : what.exec(source.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, ''))
    return found ? [`${file}: ${found[0]}: use ${instead}`] : []
  })
}

/** A screen of a plugin. */
const screen = 'plugins/feature-new/web/screens/new/new.tsx'

describe('the sources of what runs in browsers', () => {
  it('use nothing directly that pages over plain http, input methods or updates take away', () => {
    const files = webFiles.filter((file) => /\.(tsx?|js)$/.test(file) && !file.endsWith('/api/schema.ts'))
    expect(files.length).to.be.greaterThan(500)
    expect(files.flatMap((file) => findings(file, webSource(file)))).to.deep.equal([])
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
    for (const source of planted) expect(findings(screen, source), source).to.have.length.greaterThan(0)
    expect(findings(screen, "const Part = lazyPart(() => import('./part.js'), (module) => module.Part)")).to.deep.equal([])
    expect(findings(screen, "// crypto.randomUUID()\nconst at = 'https://example.org/a'")).to.deep.equal([])
  })
})
