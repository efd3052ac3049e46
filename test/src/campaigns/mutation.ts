import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { CampaignOptions } from './index.js'
import { type Mutant, mutantsOf } from './support/mutants.js'
import { copyPackage } from './support/mutated-package.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const testFiles = new URL('../../../kernel/scripts/lib/test-files.mjs', import.meta.url).href
const sampleSize = 30

/** A change in one of a package's files. */
interface Place extends Mutant {
  /** Relative to the package. */
  readonly file: string
}

/** The result of a sample. */
export interface MutationFigures {
  /** How many the gate's tests of the package detect. */
  readonly killed: number
  /** What only its tests beyond the gate detect. */
  readonly beyond: readonly string[]
  readonly survivors: readonly string[]
}

/**
 * Changes a package's compiled code in one position at a time and runs the package's own tests,
 * those of the gate first, until 30 changes were tried or the time is over. `PACKAGE` names the
 * folder; default `plugins/feature-agents`. Prints the changes that no test detected, and those
 * that only tests beyond the gate did. @throws if the tests fail without a change.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<MutationFigures> {
  const packageFolder = process.env['PACKAGE'] ?? 'plugins/feature-agents'
  const until = Date.now() + seconds * 1_000
  print(`SEED=${seed}`)
  const copy = await copyPackage(root, packageFolder)
  try {
    const files = (await readdir(path.join(copy.folder, 'dist'), { recursive: true })).map((file) => path.join('dist', file))
    const { isInGate } = (await import(testFiles)) as { readonly isInGate: (file: string) => boolean }
    const tests = files.filter((file) => /\.test\.js$/.test(file) && !/\.(alone|recordings)\.test\.js$/.test(file))
    const gate = tests.filter(isInGate)
    const others = tests.filter((file) => !isInGate(file))
    const began = Date.now()
    for (const some of [gate, others]) {
      const sound = await runTests(copy.folder, some, 600_000)
      if (sound !== 'passed') throw new Error(`The tests of ${packageFolder} must pass before anything is changed; they ${sound}.`)
    }
    const limitMs = (Date.now() - began) * 3 + 10_000
    print(`${gate.length} files of tests of the gate and ${others.length} others pass in ${Math.round((Date.now() - began) / 1_000)} s`)

    const places = await allPlaces(copy.folder, files.filter(isProgram))
    const sample =
      fc.sample(fc.shuffledSubarray(places as Place[], { minLength: sampleSize, maxLength: sampleSize }), { seed, numRuns: 1 })[0] ?? []
    print(`${sample.length} of ${places.length} changes`)
    const [survivors, beyond]: [string[], string[]] = [[], []]
    let tried = 0
    for (const place of full ? sample : sample.slice(0, 2)) {
      if (Date.now() > until) break
      tried += 1
      if (!(await survives(copy.folder, place, gate, limitMs))) continue
      const text = await describe(packageFolder, copy.folder, place)
      const isSeen = !(await survives(copy.folder, place, others, limitMs))
      ;(isSeen ? beyond : survivors).push(text)
      print(`${isSeen ? 'seen beyond the gate alone' : 'survived'}: ${text}`)
    }
    const killed = tried - survivors.length - beyond.length
    print(`${killed} of ${tried} changes were detected by the gate, ${beyond.length} only beyond it, ${survivors.length} survived`)
    return { killed, beyond, survivors }
  } finally {
    await copy.remove()
  }
}

/** Files with code to change: no tests, no code that only tests use, no declarations. */
const isProgram = (file: string): boolean => file.endsWith('.js') && !/\.test\.js$|[/-]test-support\/|\/testing\/|\/bundle\//.test(file)

async function allPlaces(folder: string, files: readonly string[]): Promise<readonly Place[]> {
  const places = await Promise.all(
    files.map(async (file) => mutantsOf(await readFile(path.join(folder, file), 'utf8')).map((mutant) => ({ ...mutant, file }))),
  )
  return places.flat()
}

/**
 * Whether every test passes with the change. Those beside the file run first, since they detect
 * most changes.
 */
async function survives(folder: string, place: Place, tests: readonly string[], limitMs: number): Promise<boolean> {
  const file = path.join(folder, place.file)
  const code = await readFile(file, 'utf8')
  await writeFile(file, code.slice(0, place.start) + place.replacement + code.slice(place.end))
  try {
    if (tests.length === 0) return true
    const beside = tests.filter((test) => path.dirname(test) === path.dirname(place.file))
    if (beside.length > 0 && (await runTests(folder, beside, limitMs)) !== 'passed') return false
    return (await runTests(folder, tests, limitMs)) === 'passed'
  } finally {
    await writeFile(file, code)
  }
}

function runTests(folder: string, files: readonly string[], limitMs: number): Promise<'passed' | 'failed' | 'did not end'> {
  if (files.length === 0) return Promise.resolve('passed')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [mocha, '--bail', '--exit', '--timeout', '20000', ...files], { cwd: folder, stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve('did not end')
      else resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}

/** `plugins/x/src/y.ts:12: a === b → a !== b`. */
async function describe(packageFolder: string, folder: string, { file, start, end, replacement }: Place): Promise<string> {
  const code = await readFile(path.join(folder, file), 'utf8')
  const lines = code.slice(0, start).split('\n')
  const map = new SourceMap(
    JSON.parse(await readFile(path.join(folder, `${file}.map`), 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
  )
  const origin = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0)
  const line = 'originalLine' in origin ? origin.originalLine + 1 : '?'
  const source = file.replace(/^dist/, 'src').replace(/\.js$/, '.ts')
  return `${packageFolder}/${source}:${line}: ${oneLine(code.slice(start, end))} → ${oneLine(replacement)}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 120)
