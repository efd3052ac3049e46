import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { writeConfiguration } from '../support/configuration.js'
import type { BenchChild } from './child.js'

const ownBinary = fileURLToPath(new URL('../../../kernel/cli/bin/agent-service.mjs', import.meta.url))
const readyMs = 30_000

/**
 * The program of another checkout; before the kernel was split it stood beside the kernel's
 * sources.
 */
export const programOf = (checkout: string): string => {
  const program = path.join(checkout, 'kernel/cli/bin/agent-service.mjs')
  return existsSync(program) ? program : path.join(checkout, 'kernel/bin/agent-service.mjs')
}

export interface ServiceOptions {
  /** Empty, or what an earlier start left. */
  readonly folder: string
  readonly upstream: string
  /** Another Node than the one that runs the bench, and its own options. */
  readonly node?: string
  readonly nodeOptions?: readonly string[]
  /** The program of another checkout, absolute. Default: this one's. */
  readonly binary?: string
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * The product as it is started by hand, with one model group that goes to the scripted upstream.
 * Its log is written and thrown away.
 */
export async function startService(options: ServiceOptions): Promise<BenchChild> {
  const { folder, upstream, node = process.execPath, nodeOptions = [], binary = ownBinary } = options
  await writeConfiguration(folder, upstream)
  const began = performance.now()
  const child = spawn(node, [...nodeOptions, binary, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      SERVICE_SERVER_DATA_DIR: `${folder}/data`,
      SERVICE_SERVER_PORT: '0',
      SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for benches alone',
      SERVICE_AUTH_ALLOW_REGISTRATION: 'true',
      UPSTREAM_KEY: 'bench-key-0123456789',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const lines = [child.stdout, child.stderr].map((input) => createInterface({ input }))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
    child.once('exit', () => reject(new Error(`The service ended before it was ready:\n${log.join('\n')}`)))
    for (const reader of lines) {
      reader.on('line', (line) => {
        log.push(line)
        const ready = line.includes('The service is ready.') ? (JSON.parse(line) as { readonly url: string }).url : undefined
        if (ready === undefined) return
        clearTimeout(timer)
        resolve(ready)
      })
    }
  })
  for (const reader of lines) reader.close()
  child.stdout.resume()
  child.stderr.resume()
  return {
    url,
    process: child,
    startedMs: performance.now() - began,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
