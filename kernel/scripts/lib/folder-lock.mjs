import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failure } from './failure.mjs'

/**
 * From this age on, a lock without an owner file is one whose owner died between two system calls.
 */
const ownerlessMs = 5000

/**
 * Acquires the lock `folder`. Waits for another living process that holds it; takes over a lock
 * whose process has ended. Returns the function that releases it. `onWait` is called once, with the
 * other's process id, if it has to wait.
 */
export async function acquireFolderLock(folder, { limitMs = 20 * 60_000, pollMs = 200, onWait } = {}) {
  const token = randomUUID()
  const deadline = Date.now() + limitMs
  let waited = false
  mkdirSync(path.dirname(folder), { recursive: true })
  for (;;) {
    if (create(folder, token)) {
      return () => {
        if (readOwner(folder)?.token === token) rmSync(folder, { recursive: true, force: true })
      }
    }
    const owner = readOwner(folder)
    if (isStale(folder, owner)) {
      evict(folder, owner)
      continue
    }
    if (!waited) onWait?.(owner?.pid)
    waited = true
    if (Date.now() > deadline) {
      throw failure(`another process (${owner?.pid ?? 'unknown'}) has held the lock for too long`, {
        mend: `End that process, or remove ${folder} if the process does not belong to this repository.`,
      })
    }
    await delay(pollMs)
  }
}

function create(folder, token) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(path.join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, token }))
  return true
}

function readOwner(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'owner.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

function isStale(folder, owner) {
  if (owner === undefined) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats !== undefined && Date.now() - stats.mtimeMs > ownerlessMs
  }
  try {
    process.kill(owner.pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Moves a dead lock away; a lock that another process took in the meantime is put back. */
function evict(folder, owner) {
  const aside = `${folder}.${process.pid}.${Date.now()}`
  try {
    renameSync(folder, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (readOwner(aside)?.token === owner?.token) {
    rmSync(aside, { recursive: true, force: true })
    return
  }
  renameSync(aside, folder)
}
