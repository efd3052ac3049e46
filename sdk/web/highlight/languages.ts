import type { StreamParser } from '@codemirror/streamparser'
import { loadPart } from '../core/load-part.js'

/** The grammar of a language, which reads line after line and carries its state. */
export type Grammar = StreamParser<unknown>

export interface Language {
  readonly extension: string
  /** Other names that fences have for it. */
  readonly aliases: readonly string[]
  /** Loads its grammar. @throws {MissingPartError} if the file does not come. */
  readonly load: () => Promise<Grammar>
}

function language<Module>(
  extension: string,
  aliases: string,
  load: () => Promise<Module>,
  grammarOf: (module: Module) => unknown,
): Language {
  return {
    extension,
    aliases: aliases === '' ? [] : aliases.split(' '),
    load: async () => grammarOf(await loadPart(load)) as Grammar,
  }
}

const clike = () => import('@codemirror/legacy-modes/mode/clike')
const styles = () => import('@codemirror/legacy-modes/mode/css')
const script = () => import('@codemirror/legacy-modes/mode/javascript')
const sql = () => import('./sql.js')
const markup = () => import('@codemirror/legacy-modes/mode/xml')

/** What is coloured, by the name that a fence begins with. Each module is a file of its own, loaded with the first block of a language. */
const languages: ReadonlyMap<string, Language> = new Map([
  [
    'bash',
    language(
      'sh',
      'sh shell zsh console shellscript shell-session',
      () => import('@codemirror/legacy-modes/mode/shell'),
      (m) => m.shell,
    ),
  ],
  ['c', language('c', 'h', clike, (m) => m.c)],
  [
    'clojure',
    language(
      'clj',
      'clj',
      () => import('@codemirror/legacy-modes/mode/clojure'),
      (m) => m.clojure,
    ),
  ],
  [
    'cmake',
    language(
      'cmake',
      '',
      () => import('@codemirror/legacy-modes/mode/cmake'),
      (m) => m.cmake,
    ),
  ],
  ['cpp', language('cpp', 'c++ cc cxx hpp', clike, (m) => m.cpp)],
  ['csharp', language('cs', 'c# cs', clike, (m) => m.csharp)],
  ['css', language('css', '', styles, (m) => m.css)],
  ['dart', language('dart', '', clike, (m) => m.dart)],
  [
    'diff',
    language(
      'diff',
      'patch',
      () => import('@codemirror/legacy-modes/mode/diff'),
      (m) => m.diff,
    ),
  ],
  [
    'dockerfile',
    language(
      'dockerfile',
      'docker containerfile',
      () => import('@codemirror/legacy-modes/mode/dockerfile'),
      (m) => m.dockerFile,
    ),
  ],
  [
    'go',
    language(
      'go',
      'golang',
      () => import('@codemirror/legacy-modes/mode/go'),
      (m) => m.go,
    ),
  ],
  [
    'groovy',
    language(
      'groovy',
      'gradle',
      () => import('@codemirror/legacy-modes/mode/groovy'),
      (m) => m.groovy,
    ),
  ],
  [
    'haskell',
    language(
      'hs',
      'hs',
      () => import('@codemirror/legacy-modes/mode/haskell'),
      (m) => m.haskell,
    ),
  ],
  ['html', language('html', 'htm xhtml vue svelte', markup, (m) => m.html)],
  [
    'ini',
    language(
      'ini',
      'properties env dotenv conf',
      () => import('@codemirror/legacy-modes/mode/properties'),
      (m) => m.properties,
    ),
  ],
  ['java', language('java', '', clike, (m) => m.java)],
  ['javascript', language('js', 'js jsx mjs cjs node', script, (m) => m.javascript)],
  ['json', language('json', 'json5 jsonc jsonl ndjson', script, (m) => m.json)],
  [
    'julia',
    language(
      'jl',
      'jl',
      () => import('@codemirror/legacy-modes/mode/julia'),
      (m) => m.julia,
    ),
  ],
  ['kotlin', language('kt', 'kt kts', clike, (m) => m.kotlin)],
  ['less', language('less', '', styles, (m) => m.less)],
  [
    'lua',
    language(
      'lua',
      '',
      () => import('@codemirror/legacy-modes/mode/lua'),
      (m) => m.lua,
    ),
  ],
  [
    'nginx',
    language(
      'conf',
      'nginxconf',
      () => import('@codemirror/legacy-modes/mode/nginx'),
      (m) => m.nginx,
    ),
  ],
  ['objective-c', language('m', 'objectivec objc obj-c', clike, (m) => m.objectiveC)],
  [
    'perl',
    language(
      'pl',
      'pl',
      () => import('@codemirror/legacy-modes/mode/perl'),
      (m) => m.perl,
    ),
  ],
  [
    'php',
    language(
      'php',
      '',
      () => import('./php.js'),
      (m) => m.php,
    ),
  ],
  [
    'powershell',
    language(
      'ps1',
      'ps1 pwsh',
      () => import('@codemirror/legacy-modes/mode/powershell'),
      (m) => m.powerShell,
    ),
  ],
  [
    'protobuf',
    language(
      'proto',
      'proto',
      () => import('@codemirror/legacy-modes/mode/protobuf'),
      (m) => m.protobuf,
    ),
  ],
  [
    'python',
    language(
      'py',
      'py python3 py3',
      () => import('@codemirror/legacy-modes/mode/python'),
      (m) => m.python,
    ),
  ],
  [
    'r',
    language(
      'r',
      '',
      () => import('@codemirror/legacy-modes/mode/r'),
      (m) => m.r,
    ),
  ],
  [
    'ruby',
    language(
      'rb',
      'rb',
      () => import('@codemirror/legacy-modes/mode/ruby'),
      (m) => m.ruby,
    ),
  ],
  [
    'rust',
    language(
      'rs',
      'rs',
      () => import('@codemirror/legacy-modes/mode/rust'),
      (m) => m.rust,
    ),
  ],
  ['scala', language('scala', '', clike, (m) => m.scala)],
  ['scss', language('scss', '', styles, (m) => m.sCSS)],
  ['sql', language('sql', 'postgres postgresql pgsql', sql, (m) => m.pgSQL)],
  ['mysql', language('sql', 'mariadb', sql, (m) => m.mySQL)],
  ['sqlite', language('sql', '', sql, (m) => m.sqlite)],
  [
    'swift',
    language(
      'swift',
      '',
      () => import('@codemirror/legacy-modes/mode/swift'),
      (m) => m.swift,
    ),
  ],
  [
    'toml',
    language(
      'toml',
      '',
      () => import('@codemirror/legacy-modes/mode/toml'),
      (m) => m.toml,
    ),
  ],
  ['typescript', language('ts', 'ts tsx mts cts', script, (m) => m.typescript)],
  ['xml', language('xml', 'svg xsd xslt rss plist', markup, (m) => m.xml)],
  [
    'yaml',
    language(
      'yaml',
      'yml',
      () => import('@codemirror/legacy-modes/mode/yaml'),
      (m) => m.yaml,
    ),
  ],
])

const names: ReadonlyMap<string, string> = new Map(
  [...languages].flatMap(([name, { aliases }]) => [name, ...aliases].map((alias) => [alias, name] as const)),
)

/** The language of a fence; `undefined` for those that stay plain. */
export function findLanguage(name: string | undefined): Language | undefined {
  const known = names.get((name ?? '').toLowerCase())
  return known === undefined ? undefined : languages.get(known)
}

/** Languages that stay plain and have an extension of their own. */
const otherExtensions: ReadonlyMap<string, string> = new Map([
  ['csv', 'csv'],
  ['makefile', 'mk'],
  ['markdown', 'md'],
  ['md', 'md'],
  ['mermaid', 'mmd'],
  ['latex', 'tex'],
  ['tex', 'tex'],
])

/** The extension of files in a language, without the dot. */
export function extensionOf(name: string | undefined): string {
  const asked = (name ?? '').toLowerCase()
  const known = findLanguage(asked)
  // `jsx`, `tsx` and the like are extensions of their own.
  if (known !== undefined) return /^(?:jsx|tsx|mjs|cjs|mts|cts|jsonl|kts|svg|h|hpp|vue|svelte)$/.test(asked) ? asked : known.extension
  return otherExtensions.get(asked) ?? 'txt'
}
