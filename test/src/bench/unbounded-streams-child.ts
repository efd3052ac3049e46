/**
 * The kernel in the folder BENCH_FOLDER, in which one user may have any number of event streams.
 * Loads BENCH_WATCHER first.
 */
import { createTestKernel } from '@agent-service/kernel/testing'

await import(process.env['BENCH_WATCHER'] ?? '')
const kernel = await createTestKernel({
  folder: process.env['BENCH_FOLDER'] ?? '',
  environment: { UPSTREAM_KEY: 'bench-key-0123456789' },
  httpLimits: { maxEventStreams: 1_000_000 },
})
process.once('SIGTERM', () => void kernel.stop().then(() => process.exit(0)))
process.stdout.write(`${kernel.url}\n`)
