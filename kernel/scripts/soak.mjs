/**
 * `npm run soak -- <campaign> [--seed=<number>] [--seconds=<number>]`: runs one of the long
 * campaigns of `test/src/campaigns` in full; without a name, lists them. A campaign is a module
 * that exports `run({ seed, seconds, full, print })`; it throws when it finds a fault.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bootstrap } from './bootstrap.mjs'
import { parseOptions } from './lib/arguments.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { listFiles, repositoryRoot } from './lib/workspaces.mjs'

await runScript(async () => {
  const options = parseOptions(process.argv.slice(2), ['seed', 'seconds'])
  const names = listFiles(
    repositoryRoot,
    'test/src/campaigns',
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/support/'),
  )
    .map((file) => path.basename(file, '.ts'))
    .filter((name) => name !== 'index')
  const [name] = options.words
  if (name === undefined) {
    process.stdout.write(names.length === 0 ? 'There are no campaigns.\n' : `Campaigns:\n${names.map((each) => `  ${each}\n`).join('')}`)
    return 0
  }
  const seed = readNumber('seed', options.seed ?? process.env.SEED) ?? Math.floor(Math.random() * 2 ** 31)
  const seconds = readNumber('seconds', options.seconds) ?? 600
  await bootstrap()
  const file = path.join(repositoryRoot, 'test/dist/campaigns', `${name}.js`)
  if (!names.includes(name) || !existsSync(file)) {
    throw failure(`unknown campaign ${name}`, { mend: `Campaigns: ${names.join(', ') || 'none'}`, status: 2 })
  }
  const started = Date.now()
  const print = (text) => process.stdout.write(`[${formatDuration(Date.now() - started)}] ${text}\n`)
  print(`${name}, --seed=${seed} --seconds=${seconds}`)
  const { run } = await import(pathToFileURL(file).href)
  await run({ seed, seconds, full: true, print })
  print(`${name} found no fault`)
  return 0
})

function readNumber(name, text) {
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw failure(`--${name} must be a whole number, not "${text}"`, { status: 2 })
  return value
}
