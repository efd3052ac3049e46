import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const scripted = fileURLToPath(new URL('../../../examples/provider-scripted/', import.meta.url))

describe('adapters in the configuration', () => {
  let kernel: TestKernel | undefined
  afterEach(() => kernel?.stop())

  const warningsWith = async (providers: object, models: object, plugin = scripted): Promise<readonly string[]> => {
    kernel = await createTestKernel({
      plugins: [plugin],
      environment: { SERVICE_PROVIDERS: JSON.stringify(providers), SERVICE_MODELS: JSON.stringify(models) },
    })
    return kernel.log.filter(({ level }) => level === 'warn').map(({ msg, message }) => String(msg ?? message))
  }
  const address = { base_url: 'http://house.invalid' }
  const group = { provider: 'house', model: 'scripted', api: 'scripted' }

  it('cause no warning while a plugin contributes the adapter', async () => {
    const warnings = await warningsWith({ house: { provider: 'house', adapter: 'adapter_scripted', ...address } }, { primary: group })
    expect(warnings.filter((line) => /adapter|primary/.test(line))).to.deep.equal([])
  })

  it('cause a warning with a suggestion if no plugin contributes the adapter', async () => {
    const warnings = await warningsWith({ house: { provider: 'house', adapter: 'adapter_scriptd', ...address } }, { primary: group })
    expect(warnings.join('\n')).to.contain('no active plugin contributes the adapter “adapter_scriptd”; did you mean “adapter_scripted”?')
  })

  it('cause a warning if the adapter does not speak the protocol or know a setting', async () => {
    const warnings = await warningsWith(
      { house: { provider: 'house', adapter: 'adapter_scripted', ...address } },
      { primary: { ...group, api: 'scripts' }, fast: { ...group, top_k: 3 } },
    )
    expect(warnings.join('\n')).to.contain('“scripts”').and.contain('does not know top_k')
  })
  it('cause a warning if extra_params set what a third-party adapter owns', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'owning-adapter-')))
    try {
      const parent = path.join(folder, 'provider-owning')
      await cp(path.join(scripted, 'package.json'), path.join(parent, 'package.json'))
      await cp(path.join(scripted, 'dist'), path.join(parent, 'dist'), { recursive: true })
      const sdk = path.dirname(path.dirname(fileURLToPath(import.meta.resolve('@agent-service/sdk'))))
      await mkdir(path.join(parent, 'node_modules/@agent-service'), { recursive: true })
      await symlink(sdk, path.join(parent, 'node_modules/@agent-service/sdk'), 'dir')
      const file = path.join(parent, 'dist/adapter.js')
      const owning = (await readFile(file, 'utf8')).replace('protectedPaths: []', "protectedPaths: ['own.field']")
      await writeFile(file, owning)
      // Its plugin.json was made of another adapter, so it has no record here.
      const manifestFile = path.join(parent, 'dist/plugin.json')
      const { recorded: _, ...manifest } = JSON.parse(await readFile(manifestFile, 'utf8')) as Record<string, unknown>
      await writeFile(manifestFile, JSON.stringify(manifest))
      const connection = { house: { provider: 'house', adapter: 'adapter_scripted', ...address } }
      const extra = { ...group, extra_params: { own: { field: 1 } } }
      expect((await warningsWith(connection, { primary: extra }, parent)).join('\n')).to.contain('own.field')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
