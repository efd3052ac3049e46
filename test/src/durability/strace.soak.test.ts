import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const program = fileURLToPath(new URL('../programs/store-writer.js', import.meta.url))

interface Trace {
  /** Acknowledgements that were printed. */
  readonly acknowledgements: number
  /** Those printed while something that was written to the log before was not synced yet. */
  readonly early: readonly string[]
}

/** Runs a writer under strace and reads the log of its system calls. */
async function trace(task: { readonly callers: number; readonly limit: number; readonly synchronous?: 'NORMAL' | 'OFF' }): Promise<Trace> {
  const root = await mkdtemp(join(tmpdir(), 'strace-'))
  try {
    const path = await mkdtemp(join(root, 'store-'))
    const output = join(root, 'calls')
    const writer = [process.execPath, program, JSON.stringify({ driver: 'sqlite', path, round: 0, ...task })]
    await promisify(execFile)('strace', ['-f', '-y', '-s', '64', '-e', 'trace=pwrite64,write,fdatasync,fsync', '-o', output, ...writer], {
      timeout: 60_000,
    })
    return readCalls(await readFile(output, 'utf8'), task.callers)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/**
 * Goes through the calls in their order, from the moment on that the store is open. Each caller
 * waits for its own commit before the next, so one sync of the log can cover one commit of each
 * caller and no more: with n syncs ended, the acknowledgement n × callers + 1 is early.
 */
function readCalls(text: string, callers: number): Trace {
  const early: string[] = []
  let acknowledgements = 0
  let counting = false
  let syncs = 0
  const syncing = new Set<string>()
  for (const line of text.split('\n')) {
    const [thread = ''] = line.split(/\s+/, 1)
    if (/write\(1<.*"ready/.test(line)) counting = true
    if (!counting) continue
    const isSync = /(fdatasync|fsync)\(\d+<[^>]*store\.sqlite-wal>/.test(line)
    if (isSync && line.includes('<unfinished ...>')) syncing.add(thread)
    else if (isSync || (/<\.\.\. (fdatasync|fsync) resumed>/.test(line) && syncing.delete(thread))) syncs += 1
    else if (/write\(1<.*"ack /.test(line) && !line.includes('resumed>')) {
      acknowledgements += 1
      // Each caller waits for its own commit, so one sync can cover one commit of each caller and
      // no more.
      if (acknowledgements > syncs * callers) early.push(line)
    }
  }
  return { acknowledgements, early }
}

describe('the system calls of a writer on sqlite', function () {
  this.timeout(90_000)

  for (const callers of [1, 64]) {
    it(`sync the log before each acknowledgement, with ${callers} caller(s)`, async () => {
      const { acknowledgements, early } = await trace({ callers, limit: callers * 20 })
      expect(acknowledgements).to.be.at.least(callers * 20)
      expect(early.slice(0, 3)).to.deep.equal([])
    })

    for (const synchronous of ['NORMAL', 'OFF'] as const) {
      it(`show a writer with synchronous=${synchronous}, with ${callers} caller(s)`, async () => {
        const { early } = await trace({ callers, limit: callers * 20, synchronous })
        expect(early).to.have.length.greaterThan(0)
      })
    }
  }
})
