/**
 * Makes a fresh clone ready to run: checks Node, installs the locked packages, compiles, writes the plugin manifests, bundles. What was done before
 * and still fits its stamp is not done again. Only Node's own modules are used, since nothing is installed yet. Never calls a system's
 * package manager.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildStamp, compile, hasProgram, writeBundle, writeManifests } from './lib/build-stage.mjs'
import { stopCommands } from './lib/child-process.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { acquireFolderLock } from './lib/folder-lock.mjs'
import { installPackages, installStamp, isInstalledByHand, verifyNativePackages } from './lib/install-stage.mjs'
import { nodeProblem } from './lib/prerequisites.mjs'
import { createProgress } from './lib/progress.mjs'
import { readStamp, writeStamp } from './lib/stamps.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

/**
 * Resolves when the repository at `root` is installed and built; rejects with a failure that says what to do. A stamp is kept only after
 * its stage ended well, so an interrupted run is done again. Two runs at the same time wait for each other.
 */
export async function bootstrap({ root = repositoryRoot, stream = process.stderr } = {}) {
  const problem = nodeProblem()
  if (problem !== undefined) throw failure(problem, { mend: 'Install a current Node from https://nodejs.org and try again.' })
  if (!existsSync(path.join(root, 'package-lock.json'))) {
    throw failure(`${path.join(root, 'package-lock.json')} is absent`, { mend: 'Clone the whole repository; the lock file belongs to it.' })
  }
  if (isReady(root)) return
  const release = await acquireFolderLock(path.join(root, '.cache', 'bootstrap.lock'), {
    onWait: (pid) => stream.write(`Waiting for another bootstrap (process ${pid ?? 'unknown'}) to end …\n`),
  })
  const interruption = watchForInterruption()
  try {
    await prepare(root, createProgress({ stream }))
  } catch (error) {
    throw interruption.failure() ?? error
  } finally {
    interruption.stopWatching()
    release()
  }
  const interrupted = interruption.failure()
  if (interrupted !== undefined) throw interrupted
}

function isReady(root) {
  return readStamp(root, 'install') === installStamp(root) && readStamp(root, 'build') === textOf(buildStamp(root))
}

async function prepare(root, progress) {
  const install = installStamp(root)
  if (readStamp(root, 'install') !== install) {
    if (isInstalledByHand(root)) await verifyNativePackages(root)
    else await progress.stage('Installing packages', (onDetail) => installPackages(root, onDetail))
    writeStamp(root, 'install', install)
  }
  const build = buildStamp(root)
  if (readStamp(root, 'build') !== textOf(build)) {
    await progress.stage('Compiling', () => compile(root))
    await progress.stage('Writing plugin manifests', (onDetail) => writeManifests(root, onDetail))
    if (hasProgram(root)) await progress.stage('Bundling', () => writeBundle(root))
    // A source that changed while it was compiled is compiled again next time: the sources are those from before, the results are new.
    const after = buildStamp(root)
    if (after.sources === build.sources) writeStamp(root, 'build', textOf(after))
  }
}

function textOf(stamp) {
  return `${stamp.sources} ${stamp.results}`
}

/**
 * On a signal: ends the commands, so that the stage fails, the lock is given back and the process ends with the status that shells expect.
 * Commands that do not end within ten seconds are killed.
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
        mend: 'What was finished is kept, the rest is done next time.',
        status: received.status,
      }),
    stopWatching: () => {
      for (const { signal, handler } of handlers) process.off(signal, handler)
    },
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await runScript(() => bootstrap())
