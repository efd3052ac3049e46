/**
 * The API report: what every entry point of the SDK offers, as text in `sdk/api`, so that a review
 * sees each change of the public surface. `node sdk/scripts/api-report.mjs` compares it with the
 * compiled SDK, `--write` brings it up to date. Both refuse a public member without a doc comment.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const shownLines = 12

/**
 * Compares the reports in `<sdk>/api` with the compiled SDK. Resolves with the list of differences,
 * empty when there is none. Does nothing while neither the compiled declarations nor the reports
 * have changed since the last comparison without a difference.
 */
export async function compareReports(sdk) {
  const entries = listEntryPoints(sdk)
  if (entries.length === 0) return ['the SDK has no compiled entry point; "npm run build" makes them']
  const stampFile = path.join(sdk, '..', 'node_modules', '.cache', 'agent-service', 'api-report.stamp')
  const stamp = inputDigest(sdk)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return []
  const { reports, problems } = await makeReports(sdk, entries)
  for (const [name, text] of reports) {
    const file = path.join(sdk, 'api', name)
    if (!existsSync(file)) problems.push(`sdk/api/${name} is absent: the entry point is new`)
    else problems.push(...describeDifference(name, readFileSync(file, 'utf8').replaceAll('\r\n', '\n'), text))
  }
  for (const name of listReports(sdk)) {
    if (!reports.has(name)) problems.push(`sdk/api/${name} belongs to no entry point: it was removed or renamed`)
  }
  if (problems.length === 0) {
    mkdirSync(path.dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, stamp)
  }
  return problems
}

/**
 * Writes the reports of today and removes those of entry points that are gone; returns the problems
 * that no report can show.
 */
export async function writeReports(sdk) {
  const { reports, problems } = await makeReports(sdk, listEntryPoints(sdk))
  mkdirSync(path.join(sdk, 'api'), { recursive: true })
  for (const name of listReports(sdk)) if (!reports.has(name)) rmSync(path.join(sdk, 'api', name))
  for (const [name, text] of reports) writeFileSync(path.join(sdk, 'api', name), text)
  return problems
}

/**
 * Every entry point of `exports` that has types, with patterns (`./contracts/*`) resolved to the
 * compiled files that fit them.
 */
export function listEntryPoints(sdk) {
  const { exports } = JSON.parse(readFileSync(path.join(sdk, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object' && target.types !== undefined)
    .flatMap(([key, target]) => expand(sdk, key, target.types))
    .filter(({ file }) => existsSync(file))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function expand(sdk, key, types) {
  const entry = (word) => {
    const name =
      key
        .replace('*', word)
        .replace(/^\.\/?/, '')
        .replaceAll('/', '-') || 'index'
    return { name: `${name}.api.md`, file: path.join(sdk, types.replace('*', word)) }
  }
  if (!key.includes('*')) return [entry('')]
  const [before, after] = types.split('*')
  const folder = path.join(sdk, before)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => (after.startsWith('/') ? name : name.endsWith(after) ? name.slice(0, -after.length) : ''))
    .filter((word) => word !== '' && !word.endsWith('.test'))
    .map(entry)
}

/**
 * All reports, from one run of the compiler for the code of the service and one for that of browsers: the types of
 * browsers have names such as `Plugin`, and the extractor would rename ours.
 */
async function makeReports(sdk, entries) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agent-service-api-'))
  try {
    const isWeb = ({ file }) => file.startsWith(path.join(sdk, 'dist', 'web') + path.sep)
    const problems = [
      ...(await extract(
        sdk,
        folder,
        entries.filter((entry) => !isWeb(entry)),
        serviceTypes,
      )),
      ...(await extract(sdk, folder, entries.filter(isWeb), browserTypes)),
    ]
    const reports = new Map(entries.map(({ name }) => [name, readReport(path.join(folder, name))]))
    for (const [name, text] of reports) problems.push(...listUndocumented(name, text))
    return { reports, problems }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the reports of some entry points into a folder and returns their problems. The extractor is loaded only when
 * it is needed: that alone takes two seconds.
 */
async function extract(sdk, folder, entries, types) {
  if (entries.length === 0) return []
  const { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } = await import('@microsoft/api-extractor')
  const configurations = entries.map((entry) => ExtractorConfig.prepare(configurationOf(sdk, folder, entry, types)))
  const compilerState = CompilerState.create(configurations[0], { additionalEntryPoints: entries.slice(1).map(({ file }) => file) })
  const problems = []
  for (const [index, configuration] of configurations.entries()) {
    Extractor.invoke(configuration, {
      compilerState,
      localBuild: true,
      showVerboseMessages: false,
      messageCallback: (message) => {
        message.handled = true
        if (message.logLevel === ExtractorLogLevel.Error) problems.push(`${entries[index].name}: ${message.text}`)
      },
    })
  }
  return problems
}

const serviceTypes = { types: ['node'] }
const browserTypes = { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }

function compilerOptions(sdk, types) {
  const { compilerOptions: options } = JSON.parse(readFileSync(path.join(sdk, '..', 'tsconfig.json'), 'utf8'))
  return {
    compilerOptions: {
      ...options,
      ...types,
      composite: false,
      incremental: false,
      rootDir: sdk,
    },
    files: [path.join(sdk, 'dist/index.d.ts')],
  }
}

function configurationOf(sdk, folder, { name, file }, types) {
  return {
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(sdk, 'package.json'),
    configObject: {
      projectFolder: sdk,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: compilerOptions(sdk, types) },
      newlineKind: 'lf',
      apiReport: { enabled: true, reportFileName: name, reportFolder: folder, reportTempFolder: path.join(folder, 'temporary') },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'none' },
          'ae-forgotten-export': { logLevel: 'none' },
          'ae-incompatible-release-tags': { logLevel: 'error', addToApiReportFile: false },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  }
}

function readReport(file) {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
}

function listReports(sdk) {
  const folder = path.join(sdk, 'api')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.api.md')) : []
}

function inputDigest(sdk) {
  const hash = createHash('sha256')
  const add = (file) =>
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(sdk, file)))
      .update('\0')
  const declarations = readdirSync(path.join(sdk, 'dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'))
  for (const file of declarations.sort()) add(path.join('dist', file))
  for (const name of listReports(sdk).sort()) add(path.join('api', name))
  add('package.json')
  return hash.digest('hex')
}

/**
 * Every export and member that the extractor marks as undocumented, with the export that a member
 * belongs to.
 */
function listUndocumented(name, text) {
  const problems = []
  let owner = ''
  let isMarked = false
  for (const line of text.split('\n')) {
    if (/^export /.test(line)) owner = line.match(/^export (?:declare )?(?:abstract )?\w+ (\w+)/)?.[1] ?? line
    if (isMarked) {
      const member = /^export /.test(line) ? '' : `: ${line.trim()}`
      problems.push(`${name}: ${owner}${member} has no doc comment that states its guarantee`)
    }
    isMarked = /^\s*\/\/ .*\(undocumented\)/.test(line)
  }
  return problems
}

/** The lines that only one side has, the first few of them. */
function describeDifference(name, known, found) {
  if (known === found) return []
  const gone = linesWithout(known, found).map((line) => `  - ${line.trim()}`)
  const added = linesWithout(found, known).map((line) => `  + ${line.trim()}`)
  const lines = [...gone, ...added]
  const rest = lines.length > shownLines ? [`  … and ${lines.length - shownLines} more lines`] : []
  return [
    [`sdk/api/${name} differs${lines.length === 0 ? ' in the order of its lines' : ':'}`, ...lines.slice(0, shownLines), ...rest].join(
      '\n',
    ),
  ]
}

function linesWithout(text, other) {
  const counts = new Map()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0 && line.trim() !== ''
  })
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sdk = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')
  const problems = process.argv.includes('--write') ? await writeReports(sdk) : await compareReports(sdk)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
