import { fileURLToPath } from 'node:url'
import type { ChildOptions } from '@agent-service/sdk/process'

/** What one reader may take. */
export interface ReaderLimits {
  /** The heap of JavaScript. */
  readonly heapMiB: number
  /** All of its memory, also that of buffers outside of the heap. Linux enforces it. */
  readonly memoryMiB: number
  /** The time of processors in its whole life. The system ends it then, even if the service is gone. */
  readonly cpuSeconds: number
}

export const defaultReaderLimits: ReaderLimits = { heapMiB: 384, memoryMiB: 768, cpuSeconds: 180 }

/**
 * Sets the limits of the process, then becomes the program. A system without one of them goes on.
 * The signal that tells of the time comes before the one that nothing survives.
 */
const withLimits = [
  'ulimit -c 0 || :',
  'ulimit -H -t "$(($1 + 5))" || :',
  'ulimit -S -t "$1" || :',
  'ulimit -d "$2" || :',
  'shift 2',
  'exec "$@"',
].join('; ')

/**
 * How a reader is started: with no variable of the service's environment, in no folder of the
 * service, without a right to write a file or start a program.
 */
export function readerCommand({ heapMiB, memoryMiB, cpuSeconds }: ReaderLimits): ChildOptions {
  const program = fileURLToPath(new URL('../reader/reader-program.js', import.meta.url))
  const permissions = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  return {
    command: '/bin/sh',
    args: [
      ...['-c', withLimits, 'reader', String(cpuSeconds), String(memoryMiB * 1024), process.execPath],
      ...[permissions, '--allow-fs-read=*', '--no-warnings', `--max-old-space-size=${heapMiB}`, program],
    ],
    cwd: '/',
    environment: { pass: [], set: {} },
    maxErrorBytes: 2_048,
    graceMs: 50,
  }
}
