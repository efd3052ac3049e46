/**
 * Prepares a fresh clone: checks Node, installs the locked packages, compiles, writes the plugin
 * manifests, builds the web console and the tests of its components, bundles; in the scope `run` only what the program needs. Skips
 * stages whose stamp is current. Uses only Node's own modules, since nothing is installed yet. Never calls a package manager of the operating system.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  buildNative,
  buildStamp,
  buildWebApps,
  compile,
  hasProgram,
  listWebFolders,
  writeBundle,
  writeManifests,
} from './lib/build-stage.mjs'
import { stopCommands } from './lib/child-process.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { acquireFolderLock } from './lib/folder-lock.mjs'
import { installPackages, installStamp, isInstalledByHand, verifyNativePackages } from './lib/install-stage.mjs'
import { nodeProblem } from './lib/prerequisites.mjs'
import { createProgress } from './lib/progress.mjs'
import { runWorkspaces } from './lib/run-scope.mjs'
import { readStamp, writeStamp } from './lib/stamps.mjs'
import { buildWebTests } from './lib/web-tests.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

/** The names of the stamps of each scope. */
const stamps = { all: { install: 'install', build: 'build' }, run: { install: 'install-run', build: 'build-run' } }

/**
 * Resolves when the repository at `root` is installed and built; rejects with a failure that says
 * what to do. With `scope: 'run'` a fresh clone gets no tests, no examples but that of the demo, and
 * none of the packages that only they and the checks use; where everything is installed, everything
 * is built. A stamp is written only after its stage succeeded, so an interrupted stage is repeated.
 * Two runs at the same time wait for each other.
 */
export async function bootstrap({ root = repositoryRoot, stream = process.stderr, scope: asked = 'all' } = {}) {
  const problem = nodeProblem()
  if (problem !== undefined) throw failure(problem, { mend: 'Install a current Node from https://nodejs.org and try again.' })
  if (!existsSync(path.join(root, 'package-lock.json'))) {
    throw failure(`${path.join(root, 'package-lock.json')} is missing`, {
      mend: 'Clone the whole repository; the lock file is part of it.',
    })
  }
  const scope = scopeOf(root, asked)
  if (isReady(root, scope)) return
  const release = await acquireFolderLock(path.join(root, '.cache', 'bootstrap.lock'), {
    onWait: (pid) => stream.write(`Waiting for another bootstrap (process ${pid ?? 'unknown'}) to end …\n`),
  })
  const interruption = watchForInterruption()
  try {
    await prepare(root, scope, createProgress({ stream }))
  } catch (error) {
    throw interruption.failure() ?? error
  } finally {
    interruption.stopWatching()
    release()
  }
  const interrupted = interruption.failure()
  if (interrupted !== undefined) throw interrupted
}

/** The scope that is prepared. A whole installation is kept whole. */
function scopeOf(root, asked) {
  return asked === 'run' && readStamp(root, stamps.all.install) === undefined && !isInstalledByHand(root) ? 'run' : 'all'
}

function isReady(root, scope) {
  const { install, build } = stamps[scope]
  return readStamp(root, install) === installStamp(root) && readStamp(root, build) === textOf(buildStamp(root, scope))
}

async function prepare(root, scope, progress) {
  const install = installStamp(root)
  if (readStamp(root, stamps[scope].install) !== install) {
    if (scope === 'all' && isInstalledByHand(root)) await verifyNativePackages(root)
    else {
      const workspaces = scope === 'run' ? runWorkspaces(root) : []
      await progress.stage('Installing packages', (onDetail) => installPackages(root, onDetail, workspaces))
    }
    writeStamp(root, stamps[scope].install, install)
  }
  const build = buildStamp(root, scope)
  if (readStamp(root, stamps[scope].build) !== textOf(build)) {
    await progress.stage('Compiling', () => compile(root, scope))
    await buildNative(root)
    await progress.stage('Writing plugin manifests', () => writeManifests(root, scope))
    if (listWebFolders(root, scope).length > 0)
      await progress.stage('Building the console', (onDetail) => buildWebApps(root, onDetail, scope))
    if (scope === 'all') await progress.stage('Building tests of components', () => buildWebTests(root))
    if (hasProgram(root)) await progress.stage('Bundling', () => writeBundle(root))
    // A source that changed during compilation is compiled again next time: the stamp has the
    // earlier sources and the new results.
    const after = buildStamp(root, scope)
    if (after.sources === build.sources) writeStamp(root, stamps[scope].build, textOf(after))
  }
}

function textOf(stamp) {
  return `${stamp.sources} ${stamp.results}`
}

/**
 * On a signal: ends the commands, so that the stage fails, the lock is released and the process
 * ends with the status that shells expect. Commands that do not end within ten seconds are killed.
 */
function watchForInterruption() {
  let received
  const handlers = Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }).map(([signal, status]) => {
    const handler = () => {
      if (received !== undefined) return
      received = { signal, status }
      stopCommands('SIGTERM')
      setTimeout(() => stopCommands('SIGKILL'), 10_000).unref()
    }
    process.on(signal, handler)
    return { signal, handler }
  })
  return {
    failure: () =>
      received &&
      failure(`interrupted (${received.signal})`, {
        mend: 'Finished stages are kept; the rest is done next time.',
        status: received.status,
      }),
    stopWatching: () => {
      for (const { signal, handler } of handlers) process.off(signal, handler)
    },
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await runScript(() => bootstrap())
