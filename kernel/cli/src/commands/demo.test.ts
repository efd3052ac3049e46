import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { demoEnvironment } from './demo.js'
import { findInstallation } from './installation.js'

describe('the environment of the demo', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'demo-')))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const options = () => ({ workingDirectory: folder, provider: '/demo', installedResources: findInstallation().installedResources })
  const parsed = (text: string | undefined): unknown => JSON.parse(text ?? '')

  it('keeps the sources of the configuration file, with settings and switches', async () => {
    const file = path.join(folder, 'own.yaml')
    await writeFile(file, 'plugins: { sources: [/house/dice], disabled: [tool-old], settings: { tool-dice: { sides: 8 } } }\n')
    const environment = await demoEnvironment({ SERVICE_CONFIG: file, SERVICE_PROVIDERS__WORK__API_KEY: 'x' }, options())
    expect(parsed(environment['SERVICE_PLUGINS_SOURCES'])).to.deep.equal(['/house/dice', '/demo'])
    expect(parsed(environment['SERVICE_PLUGINS_DISABLED'])).to.deep.equal(['tool-old'])
    expect(parsed(environment['SERVICE_PLUGINS_SETTINGS'])).to.deep.equal({ 'tool-dice': { sides: 8 } })
    expect(environment).not.to.have.any.keys('SERVICE_CONFIG', 'SERVICE_PROVIDERS__WORK__API_KEY')
    expect(parsed(environment['SERVICE_MODELS'])).to.have.nested.property('primary.model', 'demo')
  })

  it('keeps the sources of the environment', async () => {
    const environment = await demoEnvironment({ SERVICE_PLUGINS_SOURCES: '["/house/cards"]' }, options())
    expect(parsed(environment['SERVICE_PLUGINS_SOURCES'])).to.deep.equal(['/house/cards', '/demo'])
  })

  it('is refused in production', async () => {
    const refused = await demoEnvironment({ NODE_ENV: 'production' }, options()).catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'configuration_demo_in_production')
  })
})
