import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * A program of this folder in a process of its own, that says on its first line where it listens.
 */
export interface BenchChild {
  readonly url: string
  readonly process: ChildProcess
  /** From the spawn to that line, in milliseconds. */
  readonly startedMs: number
  stop(): Promise<void>
}

/**
 * `file` is relative to this folder, or a whole `file:` address; `node` is another Node than the
 * one that runs the bench.
 */
export async function startChild(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  options: { readonly node?: string } = {},
): Promise<BenchChild> {
  const began = performance.now()
  const child = spawn(options.node ?? process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url: line.trim(),
    process: child,
    startedMs: performance.now() - began,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The resident memory of a process, in megabytes (Linux). */
export async function residentMegabytes(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
}
