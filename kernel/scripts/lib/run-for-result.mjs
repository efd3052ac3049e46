import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runCommand } from './child-process.mjs'

/**
 * Runs Node with the arguments of `argumentsFor(file)`, in a process group of its own, since tests
 * start processes of theirs; the process may write a result as JSON to
 * `file`. Resolves as `runCommand` does, with that `result`; undefined if the process ended without
 * one.
 */
export async function runForResult(argumentsFor, options) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agent-service-result-'))
  try {
    const file = path.join(folder, 'result.json')
    return { ...(await runCommand(process.execPath, argumentsFor(file), { ...options, group: true })), result: readResult(file) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
