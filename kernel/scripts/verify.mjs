/**
 * `npm run verify`: shows that HEAD is green where nothing is prepared. Clones it into a temporary
 * folder beside the repository, where `../shared` is the same, runs `.ci/run` there, and says at the
 * end which commit is verified. Remembers it in `node_modules/.cache/agent-service/verified/<commit>`.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runCommand } from './lib/child-process.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { formatDuration } from './lib/progress.mjs'
import { runInGroup } from './lib/run-in-group.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

await runScript(async () => {
  const commit = (await git('rev-parse', 'HEAD')).trim()
  const title = `${commit.slice(0, 10)} (${(await git('log', '-1', '--format=%s')).trim()})`
  const changed = (await git('status', '--porcelain')).split('\n').filter((line) => line !== '').length
  const folder = mkdtempSync(path.join(path.dirname(repositoryRoot), 'agent-service-verify-'))
  // Some tests run programs of the clone as another user.
  chmodSync(folder, 0o755)
  const started = Date.now()
  const before = describeLoad()
  try {
    print(`Verifying ${title} in ${folder}`)
    print(`The machine: ${before}`)
    if (changed > 0) print(`${changed} changed files are not committed, and so no part of it.`)
    await git('clone', '--quiet', '--no-checkout', repositoryRoot, folder)
    await git('-C', folder, 'checkout', '--quiet', '--detach', commit)
    if (!existsSync(path.join(folder, '.ci/run'))) throw failure(`${title} has no .ci/run`)
    const { code, signal, lastLines, interrupted } = await runInGroup('bash', ['.ci/run'], { cwd: folder, env: environment() })
    if (interrupted !== undefined)
      throw failure(`interrupted (${interrupted}): ${title} is not verified`, { status: 128 + os.constants.signals[interrupted] })
    const duration = formatDuration(Date.now() - started)
    print(`The machine: ${before} before, ${describeLoad()} after ${duration}`)
    const sums = lastLines.filter((line) => /^Unstable files: |^\d+ passed, \d+ failed$/.test(line)).join('; ')
    if (code !== 0) throw failure(`${title} is red: ${sums || 'its tests did not end'} (${signal ?? `status ${code}`}, ${duration})`)
    if (!/\d+ passed, 0 failed$/.test(sums))
      throw failure(`${title} is not verified: .ci/run ended with 0, but printed no sum of its tests`)
    remember(commit, { commit, verifiedAt: new Date().toISOString(), duration, node: process.version, result: sums })
    print(`✓ ${title} is verified: ${sums} (${duration})`)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
})

async function git(...args) {
  const { code, output } = await runCommand('git', args, { cwd: repositoryRoot })
  if (code !== 0) throw failure(`git ${args[0]} failed`, { output })
  return output
}

/** Without what npm sets for its scripts: tools of this checkout must not stand in for missing ones of the clone. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_.*|INIT_CWD|NODE_ENV)$/i.test(name))
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((each) => !/node_modules[/\\]\.bin$|node-gyp-bin$/.test(each))
  const fixtures = process.env.FIXTURES_DIR
  return {
    ...Object.fromEntries(kept),
    PATH: folders.join(path.delimiter),
    ...(fixtures === undefined ? {} : { FIXTURES_DIR: path.resolve(repositoryRoot, fixtures) }),
  }
}

function remember(commit, record) {
  const verified = path.join(repositoryRoot, 'node_modules/.cache/agent-service/verified')
  mkdirSync(verified, { recursive: true })
  writeFileSync(path.join(verified, commit), `${JSON.stringify(record, undefined, 2)}\n`)
}

function describeLoad() {
  const [minute, five] = os.loadavg().map((load) => load.toFixed(1))
  return `${os.availableParallelism()} cores, load ${minute} (${five} over five minutes)`
}

function print(text) {
  process.stdout.write(`${text}\n`)
}
