import { checkSandboxDriver } from '../../contracts/sandbox-driver/check-sandbox-driver.js'
import type { SandboxDriver } from '../../contracts/sandbox-driver/sandbox-driver.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { describeBytes } from './bytes.js'
import { describeEnds } from './ends.js'
import { describeFences } from './fences.js'
import { describeNeighbours } from './neighbours.js'
import { describeNetwork } from './network.js'
import { describeProcesses } from './processes.js'
import { openBench, type WithBench } from './suite-bench.js'

/** The options of {@link describeSandboxDriver}. */
export interface SandboxDriverSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the driver. Called for each test. */
  create(): SandboxDriver | Promise<SandboxDriver>
  /** Closes what {@link create} opened. Called after each test. Default: does nothing. */
  dispose?(): Promise<void>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}

/**
 * Tests every rule of the `sandbox.driver` contract with real processes: `/bin/sh` and Node.js. A
 * way out that the driver's health calls open is tested for its refusal.
 *
 * @example
 * const test = (driver: SandboxDriver) => describeSandboxDriver({ name: 'jail', create: () => driver })
 */
export function describeSandboxDriver(options: SandboxDriverSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  const withBench: WithBench = (test) => async () => {
    const bench = await openBench(options.create)
    try {
      await test(bench)
    } finally {
      await bench.close()
    }
  }
  runner.describe(`sandbox driver ${options.name}`, () => {
    runner.afterEach(() => options.dispose?.())
    runner.it(soundTitle, async () => assertSound(checkSandboxDriver(await options.create())))
    describeProcesses(runner, withBench)
    describeBytes(runner, withBench)
    describeNeighbours(runner, withBench)
    describeEnds(runner, withBench)
    describeFences(runner, withBench)
    describeNetwork(runner, withBench)
  })
}
