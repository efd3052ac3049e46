import { request } from 'node:http'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { type FilesServer, startFilesServer } from '../testing/start-files-server.js'

describe('a pre-signed URL of which anything was altered', () => {
  let server: FilesServer
  let origin: URL
  let target: string

  /**
   * The status for a request target as it stands: no client tidies it up. With the file, if that
   * comes.
   */
  const answerTo = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: origin.hostname, port: origin.port, path }, (answer) => {
        const file = answer.headers['content-disposition'] === undefined ? '' : ' with a file'
        answer.resume().once('end', () => resolve(`${answer.statusCode}${file}`))
      })
      sent.once('error', reject).end()
    })
  const refusals = ['400', '401', '404', '405']

  before(async () => {
    server = await startFilesServer()
    origin = new URL((await server.fetch('/api/version')).url)
    const { access_token: token } = await server.auth.register('bob')
    server.put('bob', 'files/a b/ä.txt', 'hello')
    // What a lenient reader of the path would find instead.
    for (const name of ['files/a+b/ä.txt', 'files/a b/Ä.txt', 'files/a b/ä.txu']) server.put('bob', name, 'another')
    target = (await server.presign(token, 'files/a b/ä.txt')).target
  })
  after(async () => {
    await server.close()
    await endTestStores()
  })

  it('9.1.1 is refused for every byte of it and every other visible character in its place', async () => {
    expect(await answerTo(target)).to.equal('200 with a file')
    const other = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    const alteration = fc.oneof(
      fc.record({ at: fc.nat({ max: target.length - 1 }), by: other, taken: fc.constantFrom(0, 1) }),
      fc.record({ at: fc.nat({ max: target.length - 1 }), by: fc.constant(''), taken: fc.integer({ min: 1, max: 20 }) }),
    )
    await fc.assert(
      fc.asyncProperty(alteration, async ({ at, by, taken }) => {
        const altered = `${target.slice(0, at)}${by}${target.slice(at + taken)}`
        fc.pre(altered !== target && altered.startsWith('/') && !altered.startsWith('/?'))
        expect(await answerTo(altered), altered).to.be.oneOf(refusals)
      }),
      { numRuns: 300 },
    )
    for (let at = 0; at < target.length; at += 1) {
      const by = target[at] === 'A' ? 'B' : 'A'
      expect(await answerTo(`${target.slice(0, at)}${by}${target.slice(at + 1)}`), String(at)).to.be.oneOf(refusals)
    }
  })

  it('9.1.1 is refused in another spelling that means the same', async () => {
    const [before = '', token = ''] = target.split('&presign=')
    const spellings = [
      before.replace('%20', '+'),
      before.replace('files/', 'files%2F'),
      before.replace('%C3', '%c3'),
      before.replace('path=', '%70ath='),
      before.replace('content', '%63ontent'),
      `${before}&`,
      before.replace('?', '?&'),
    ].map((spelling) => `${spelling}&presign=${token}`)
    const orders = [
      `/api/files/content?presign=${token}&${before.slice(before.indexOf('?') + 1)}`,
      `${target}&presign=${token}`,
      `${target}&path=files/a.txt`,
      `${before}&%70resign=${token}`,
      `${before}&presign=%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
      `${target}&`,
      `${target}=`,
      `${before}&presign=${token}.`,
      `${target}%00`,
    ]
    for (const altered of [...spellings, ...orders]) {
      expect(altered).not.to.equal(target)
      expect(await answerTo(altered), altered).to.be.oneOf(refusals)
    }
  })
})
