import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { temporaryFolder } from '../database/open-store.js'
import { signUp } from '../support/api.js'

const installedResources = fileURLToPath(new URL('../../../resources', import.meta.url))

describe('policies of a deployment', function () {
  this.timeout(60_000)
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let resources: string
  let environment: Record<string, string>
  let kernel: TestKernel | undefined

  before(async () => {
    folder = await temporaryFolder()
    resources = path.join(folder.path, 'resources')
    await cp(installedResources, resources, { recursive: true })
    environment = { SERVICE_STORAGE_SHARED_CONFIG_DIR: resources }
  })
  after(() => folder.remove())
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
  })

  const start = async (): Promise<TestKernel> => {
    kernel = await createTestKernel({ folder: folder.path, environment })
    return kernel
  }
  const commandLine = (args: readonly string[]) =>
    runCommandLine(args, {
      workingDirectory: folder.path,
      environment: {
        ...{ ...environment, SERVICE_SERVER_DATA_DIR: path.join(folder.path, 'data') },
        SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
      },
    })
  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

  it('extend the shipped ones, survive a restart, and are disabled by the command line', async () => {
    const first = await start()
    const ada = await signUp(first.url, 'ada')
    expect((await ada.request('GET', '/api/auth/me')).status).to.equal(200)
    const text = 'forbid (principal is User, action == Action::"call", resource) when { resource.operation_id == "listTokens" };'
    expect((await ada.request('POST', '/api/admin/policies', { text })).status).to.equal(201)
    expect((await ada.request('GET', '/api/auth/tokens')).status).to.equal(403)
    await first.stop()

    const listed = async (): Promise<number> => {
      const { url } = await start()
      return (await (await signUp(url, 'ada')).request('GET', '/api/auth/tokens')).status
    }
    expect(await listed()).to.equal(403)
    await kernel?.stop()
    const reset = await commandLine(['policies', 'reset', '--json'])
    expect([reset.status, JSON.parse(reset.output)]).to.deep.equal([0, { switched_off: 1 }])
    expect(await listed()).to.equal(200)
  })

  it('deny everything while a file is broken, with its position, and still serve the open routes', async () => {
    const file = path.join(resources, 'policy', 'roles.cedar')
    const sound = await readFile(file, 'utf8')
    await writeFile(file, sound.replace('resource is Route', 'resource is Rout'))
    const doctor = await commandLine(['doctor'])
    expect(doctor.status).to.equal(1)
    expect(doctor.output).to.match(/roles\.cedar:6:\d+: .*Route/)

    const { url, log } = await start()
    const ada = await signUp(url, 'ada')
    expect((await ada.request('GET', '/api/auth/me')).body).to.include({ code: 'policies_unavailable', status: 503 })
    expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/api/auth/config`), await statusOf(`${url}/readyz`)]).to.deep.equal([
      200, 200, 503,
    ])
    expect(await (await fetch(`${url}/readyz`)).json()).to.include({ step: 'policies_unavailable' })
    const told = log.filter(({ msg }) => String(msg).includes('policies cannot be used'))
    expect(told).to.have.length(1)
    expect(JSON.stringify(told)).to.include('roles.cedar:6')
    await writeFile(file, sound)
  })
})
