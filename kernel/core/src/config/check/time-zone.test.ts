import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { load, refusalOf, temporaryFolder } from '../testing/configuration-fixture.js'
import { detectTimeZone, type TimeZoneSources } from './time-zone.js'

describe('the time zone', () => {
  let sources: Required<Pick<TimeZoneSources, 'link' | 'file'>>

  /** The sources of a system; omitted ones do not exist. */
  const system = async (says: { readonly link?: string; readonly file?: string | Uint8Array }): Promise<void> => {
    const folder = await temporaryFolder()
    sources = { link: join(folder, 'localtime'), file: join(folder, 'timezone') }
    if (says.link !== undefined) await symlink(says.link, sources.link)
    if (says.file !== undefined) await writeFile(sources.file, says.file)
  }
  const berlin = '/usr/share/zoneinfo/Europe/Berlin'

  it('is that of TZ, then that of the link, then that of the file, then UTC', async () => {
    await system({ link: berlin, file: 'Asia/Tokyo\n' })
    expect(await detectTimeZone({ variable: 'America/New_York', ...sources })).to.equal('America/New_York')
    expect(await detectTimeZone({ ...sources })).to.equal('Europe/Berlin')
    await system({ file: 'Asia/Tokyo\n' })
    expect(await detectTimeZone({ ...sources })).to.equal('Asia/Tokyo')
    await system({})
    expect(await detectTimeZone({ ...sources })).to.equal('UTC')
    await system({ link: '/usr/share/zoneinfo/Etc/UTC', file: 'Asia/Tokyo\n' })
    expect(await detectTimeZone({ ...sources })).to.equal('Etc/UTC')
  })

  it('skips an invalid zone at each of them', async () => {
    await system({ link: berlin, file: 'Asia/Tokyo\n' })
    for (const variable of ['Mars/Base', 'CET-1CEST,M3.5.0', ':', '', '../../etc/passwd', '/etc/localtime', 'Europe/Berlin\nx'])
      expect(await detectTimeZone({ variable, ...sources }), variable).to.equal('Europe/Berlin')
    await system({ link: '/somewhere/else', file: 'Asia/Tokyo\n' })
    expect(await detectTimeZone({ variable: 'Mars/Base', ...sources })).to.equal('Asia/Tokyo')
    await system({ link: '/usr/share/zoneinfo/Mars/Base', file: Buffer.from([0, 255, 10]) })
    expect(await detectTimeZone({ variable: 'Mars/Base', ...sources })).to.equal('UTC')
    await system({ link: '/usr/share/zoneinfo/', file: '' })
    expect(await detectTimeZone({ ...sources })).to.equal('UTC')
    expect(await detectTimeZone({ systemZone: 'Mars/Base' })).to.equal('UTC')
  })

  it('reads the spellings that systems use', async () => {
    for (const link of [
      berlin,
      '../usr/share/zoneinfo/Europe/Berlin',
      '/usr/share/zoneinfo/posix/Europe/Berlin',
      '/var/db/timezone/zoneinfo/Europe/Berlin',
    ]) {
      await system({ link })
      expect(await detectTimeZone({ ...sources }), link).to.equal('Europe/Berlin')
    }
    await system({})
    for (const variable of ['Europe/Berlin', ':Europe/Berlin', berlin]) {
      expect(await detectTimeZone({ variable, ...sources }), variable).to.equal('Europe/Berlin')
    }
    // A file that is not a link does not name its zone.
    await writeFile(sources.link, 'TZif2')
    expect(await detectTimeZone({ ...sources })).to.equal('UTC')
  })

  it('of the configuration comes before them all, and must be valid', async () => {
    const environment = { TZ: 'America/New_York' }
    expect((await load({ yaml: 'server: { timezone: Asia/Tokyo }', environment })).timeZone).to.equal('Asia/Tokyo')
    expect((await load({ yaml: "server: { timezone: '' }", environment })).timeZone).to.equal('America/New_York')
    expect((await load({ environment: { TZ: 'Mars/Base' } })).timeZone).to.equal('Europe/Berlin')
    for (const name of ['Mars/Base', '+01:00', 'Europe/../UTC', '../etc/passwd'])
      expect(await refusalOf({ yaml: `server: { timezone: ${name} }`, environment }), name).to.deep.equal([
        'server.timezone: must be a time zone such as Europe/Berlin (1:21)',
      ])
  })
})
