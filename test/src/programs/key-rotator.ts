import { writeSync } from 'node:fs'
import { createControlledClock, createTestKernel } from '@agent-service/kernel/testing'
import { fewPlugins } from '../support/few-plugins.js'

/**
 * Starts the service in a folder at a moment when its keys are old, and lets it replace them, until
 * it is killed. Started with one argument, JSON: `{folder, now}`. Prints `ready` when the rotation
 * begins and `rotated` when it has ended.
 */

const { folder, now } = JSON.parse(process.argv[2] ?? '{}') as { readonly folder: string; readonly now: number }
const clock = createControlledClock({ now })
const kernel = await createTestKernel({ folder, clock, environment: fewPlugins() })
writeSync(1, 'ready\n')
// Jobs run at the scheduler's first poll.
await clock.advance(61_000)
await kernel.stop()
writeSync(1, 'rotated\n')
