import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { load, refusalOf, temporaryFolder, writeSettled } from '../testing/configuration-fixture.js'

describe('configuration: protected paths', () => {
  let base: string
  beforeEach(async () => {
    base = await temporaryFolder()
    await mkdir(join(base, 'kept', 'inside'), { recursive: true })
    await symlink(join(base, 'kept'), join(base, 'link'))
    await symlink(join(base, 'later', 'deeper'), join(base, 'dangling'))
  })

  const settings = [
    'storage.data_dir',
    'storage.skills_dir',
    'storage.cache_dir',
    'storage.ontology_dir',
    'storage.shared_config_dir',
    'database.path',
  ]
  for (const setting of settings) {
    it(`pages overlap ${setting} in neither direction, links followed`, async () => {
      const [section = '', field = ''] = setting.split('.')
      const refused = async (pages: string, kept = 'kept') =>
        refusalOf({ yaml: `server: { static_dir: '${join(base, pages)}' }\n${section}: { ${field}: '${join(base, kept)}' }\n` })
      for (const pages of ['kept', 'kept/inside', 'kept/new', 'link', 'link/new', '.'])
        expect((await refused(pages)).join(), pages).to.match(
          new RegExp(`^server\\.static_dir: .* overlaps ${setting.replace('.', '\\.')} \\(`),
        )
      expect((await refused('dangling', 'later')).join()).to.contain(`overlaps ${setting} (`)
      expect((await refused('later/deeper/x', 'dangling')).join()).to.contain(`overlaps ${setting} (`)
      const yaml = `server: { static_dir: '${join(base, 'kept-pages')}' }\n${section}: { ${field}: '${join(base, 'kept')}' }\n`
      expect((await load({ yaml })).server.static_dir).to.equal(join(base, 'kept-pages'))
    })
  }

  it('pages hold neither the configuration file nor the data folder of the service, and may lie beside them', async () => {
    const environment = { SERVICE_CONFIG: join(base, 'kept', 'config.yaml'), SERVICE_SERVER_DATA_DIR: join(base, 'data') }
    const start = async (pages: string) => {
      await writeSettled(environment.SERVICE_CONFIG, `server: { static_dir: '${join(base, pages)}' }\n`)
      return load({ environment }).then(
        () => '',
        (error: Error) => error.message,
      )
    }
    expect(await start('kept')).to.contain('overlaps the configuration file')
    expect(await start('link')).to.contain('overlaps the configuration file')
    expect(await start('data/pages')).to.contain('server.static_dir')
    expect(await start('kept/inside')).to.equal('')
  })

  it('sources do not lie in a writable folder, links followed', async () => {
    for (const setting of settings.filter((name) => name !== 'storage.shared_config_dir')) {
      const [section = '', field = ''] = setting.split('.')
      for (const source of ['kept', 'kept/inside', 'link/inside', 'link/new']) {
        const yaml = `plugins: { sources: ['${join(base, source)}'] }\n${section}: { ${field}: '${join(base, 'kept')}' }\n`
        expect((await refusalOf({ yaml })).join(), `${setting} ${source}`).to.match(
          /^plugins\.sources\[0\]: .* where agents and users can write/,
        )
      }
    }
  })
})
