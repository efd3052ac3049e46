import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const scripted = fileURLToPath(new URL('../../../examples/provider-scripted/', import.meta.url))

describe('what a configuration says of adapters', () => {
  let kernel: TestKernel | undefined
  afterEach(() => kernel?.stop())

  const warningsWith = async (providers: object, models: object): Promise<readonly string[]> => {
    kernel = await createTestKernel({
      plugins: [scripted],
      environment: { SERVICE_PROVIDERS: JSON.stringify(providers), SERVICE_MODELS: JSON.stringify(models) },
    })
    return kernel.log.filter(({ level }) => level === 'warn').map(({ msg, message }) => String(msg ?? message))
  }
  const address = { base_url: 'http://house.invalid' }
  const group = { provider: 'house', model: 'scripted', api: 'scripted' }

  it('is not warned of while a plugin contributes the adapter', async () => {
    const warnings = await warningsWith({ house: { provider: 'house', adapter: 'adapter_scripted', ...address } }, { primary: group })
    expect(warnings.filter((line) => /adapter|primary/.test(line))).to.deep.equal([])
  })

  it('is warned of where no plugin contributes the adapter, with the one that was meant', async () => {
    const warnings = await warningsWith({ house: { provider: 'house', adapter: 'adapter_scriptd', ...address } }, { primary: group })
    expect(warnings.join('\n')).to.contain('no active plugin contributes the adapter “adapter_scriptd”; did you mean “adapter_scripted”?')
  })

  it('is warned of where the adapter does not speak the protocol, or not know a setting', async () => {
    const warnings = await warningsWith(
      { house: { provider: 'house', adapter: 'adapter_scripted', ...address } },
      { primary: { ...group, api: 'scripts' }, fast: { ...group, top_k: 3 } },
    )
    expect(warnings.join('\n')).to.contain('“scripts”').and.contain('does not know top_k')
  })
})
