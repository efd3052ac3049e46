import { createTestKernel } from '@agent-service/kernel/testing'

/**
 * The service in a process of its own whose memory can be read exactly. Started with one argument,
 * JSON: `{folder, httpLimits?, environment?}`, by a parent that speaks with it: it sends `{url}`
 * when it is ready, answers `'measure'` with its memory after a full collection, and stops at
 * `'stop'`.
 */
const { folder, httpLimits, environment } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly folder: string
  readonly httpLimits?: Readonly<Record<string, number>>
  readonly environment?: Readonly<Record<string, string>>
}
const kernel = await createTestKernel({
  folder,
  ...(httpLimits ? { httpLimits } : {}),
  environment: { UPSTREAM_KEY: 'upstream-key-0123456789', SERVICE_SERVER_LOG_LEVEL: 'error', ...environment },
})
process.on('message', (message) => {
  if (message === 'measure') {
    globalThis.gc?.()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    process.send?.({ heapUsed, external, arrayBuffers })
  }
  if (message === 'stop') void kernel.stop().then(() => process.disconnect())
})
process.send?.({ url: kernel.url })
