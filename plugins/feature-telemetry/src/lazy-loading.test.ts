import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

/**
 * Sets up the plugin in a separate process, and prints how many modules of the libraries are
 * loaded.
 */
const program = (configuration: object): string => `
  import { createRequire } from 'node:module'
  import { createTestContext } from '@agent-service/sdk/testing'
  import plugin from ${JSON.stringify(new URL('./index.js', import.meta.url).href)}
  const clock = [{ id: 'kernel.clock' }, { monotonic: () => 0 }]
  const test = createTestContext({ config: { telemetry: ${JSON.stringify(configuration)} }, services: [clock] })
  await plugin.setup(test.context)
  const { cache } = createRequire(${JSON.stringify(import.meta.url)})
  console.log(Object.keys(cache).filter((file) => file.includes('@opentelemetry')).length)
  await test.dispose()
`

async function modulesLoaded(configuration: object): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(configuration)], { timeout: 20_000 })
  return Number(stdout)
}

describe('the libraries for traces', () => {
  it('are loaded only if a collector is configured', async () => {
    expect(await modulesLoaded({})).to.equal(0)
    expect(await modulesLoaded({ otlp_url: 'http://127.0.0.1:9' })).to.be.above(0)
  })
})
