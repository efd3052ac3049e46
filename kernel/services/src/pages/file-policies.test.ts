import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTestServer, type TestServer } from '@agent-service/kernel-core/http/testing'
import { expect } from 'chai'
import { createStaticFiles } from './static-files.js'

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; Frame-Ancestors 'none'; connect-src 'self'; base-uri 'none'; sandbox allow-scripts; future-src 'none'"
const permissionsPolicy = 'usb=()'
const forWorkers = "default-src 'none'; script-src 'self'; connect-src 'self'; sandbox allow-scripts; future-src 'none'"

const names = ['content-security-policy', 'permissions-policy', 'x-frame-options', 'cross-origin-opener-policy'] as const
const all = [contentSecurityPolicy, permissionsPolicy, 'DENY', 'same-origin']
const ofWorker = [forWorkers, null, null, null]
const none = [null, null, null, null]

/** Texts, since only the name decides on the type. Long enough to be compressed. */
const content = '/* text */\n'.repeat(200)

const documents = ['a.svg', 'a.html', 'a.htm', 'a.xhtml', 'a.xml', 'a.pdf', 'a.mht', 'a.xsl', 'a.txt', 'a.json', 'a.wasm', 'a.unknown', 'a']
const stills = ['a.css', 'a.woff2', 'a.woff', 'a.png', 'a.jpg', 'a.webp']

describe('the policies of the files of a web interface', () => {
  let folder: string
  let server: TestServer
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-policies-'))
    for (const place of ['web/assets', 'plugin']) {
      await mkdir(path.join(folder, place), { recursive: true })
      for (const name of ['a.js', 'a.mjs', 'a-3f2a9c81.js', 'a.svg.js', 'a.js.svg', ...documents, ...stills])
        await writeFile(path.join(folder, place, name), content)
    }
    for (const name of ['worker.js', 'a.css', 'index.html']) await writeFile(path.join(folder, 'web', name), content)
    const pluginFolders = async (): Promise<readonly string[]> => [path.join(folder, 'plugin')]
    const fallback = () => ({ folder: path.join(folder, 'web'), contentSecurityPolicy, permissionsPolicy, pluginFolders })
    server = await startTestServer({ pages: createStaticFiles({ folder: path.join(folder, 'gone'), version: '1', fallback }) })
  })
  after(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  const policiesOf = async (target: string, init: RequestInit = {}): Promise<readonly (string | null)[]> => {
    const answer = await server.fetch(target, init)
    await answer.arrayBuffer()
    expect([answer.headers.get('x-content-type-options'), answer.headers.get('referrer-policy')], target).to.deep.equal([
      'nosniff',
      'no-referrer',
    ])
    return names.map((name) => answer.headers.get(name))
  }

  for (const below of ['/assets/', '/assets/plugins/dice/']) {
    it(`are all there with what can be a document, and what is unknown, below ${below}`, async () => {
      for (const name of [...documents, 'a.js.svg'].filter((name) => below === '/assets/' || name !== 'a'))
        expect(await policiesOf(below + name), name).to.deep.equal(all)
    })

    it(`are for scripts below ${below} those that a worker obeys, in every form and answer`, async () => {
      for (const name of ['a.js', 'a.mjs', 'a-3f2a9c81.js', 'a.svg.js']) {
        for (const encoding of ['br', 'gzip', 'identity'])
          expect(await policiesOf(below + name, { headers: { 'accept-encoding': encoding } }), name).to.deep.equal(ofWorker)
        expect(await policiesOf(below + name, { method: 'HEAD' }), name).to.deep.equal(ofWorker)
        expect(await policiesOf(below + name, { headers: { range: 'bytes=0-1' } }), name).to.deep.equal(ofWorker)
      }
    })

    it(`are left off styles, fonts and pictures below ${below}, which nothing runs`, async () => {
      for (const name of stills) expect(await policiesOf(below + name), name).to.deep.equal(none)
    })
  }

  it('are all there with files at other places, such as the script of a service worker', async () => {
    for (const target of ['/', '/index.html', '/worker.js', '/a.css']) expect(await policiesOf(target), target).to.deep.equal(all)
  })

  it('are all there with an answer in place of the file', async () => {
    for (const name of ['a.js', 'a.css']) {
      const answer = await server.fetch(`/assets/${name}`, { headers: { range: 'bytes=9000000-' } })
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([416, 'application/problem+json'])
      expect(names.map((each) => answer.headers.get(each))).to.deep.equal(all)
    }
  })
})
