import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { Client, type NewShare, pathOf } from './test-support/client.js'

const daySeconds = 86_400

/** What tells a client something about a link that does not work. */
async function answerTo(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init)
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  return { status: answer.status, headers, body: await answer.text() }
}

describe('share links', () => {
  const clock = createControlledClock({ now: Date.now() })
  let kernel: TestKernel
  let ada: Client
  let bob: Client

  before(async () => {
    kernel = await createTestKernel({ clock, environment: { SERVICE_SERVER_EXTERNAL_URL: 'http://localhost:1/base' } })
    ada = await Client.signUp(kernel.url, 'ada')
    bob = await Client.signUp(kernel.url, 'bob')
    await bob.put('files/notes.txt', 'Milk, bread, apples')
  })
  after(() => kernel?.stop())

  const open = (share: NewShare, init?: RequestInit) => fetch(`${kernel.url}${pathOf(share.content_url)}`, init)
  const page = (share: NewShare, init?: RequestInit) => fetch(`${kernel.url}${pathOf(share.page_url)}`, init)

  it('give a file to everyone, whole and in ranges, as it is now', async () => {
    const share = await bob.share({ path: 'files/notes.txt' })
    const first = await open(share)
    expect([first.status, await first.text()]).to.deep.equal([200, 'Milk, bread, apples'])
    expect(first.headers.get('content-security-policy')).to.match(/^sandbox; default-src 'none';/)
    expect(Object.fromEntries(first.headers)).to.include({
      ...{ 'content-type': 'text/plain; charset=utf-8', 'content-disposition': 'inline; filename="notes.txt"' },
      ...{ 'x-content-type-options': 'nosniff', 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' },
      ...{ 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'SAMEORIGIN' },
    })
    const part = await open(share, { headers: { range: 'bytes=6-10' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).to.deep.equal([206, 'bytes 6-10/19', 'bread'])
    expect((await open(share, { headers: { range: 'bytes=19-' } })).status).to.equal(416)
    const same = await open(share, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(same.status).to.equal(304)
    const head = await open(share, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '19', ''])
    const stored = await fetch(`${kernel.url}${pathOf(share.content_url)}?download=1&utm_source=a`)
    expect(stored.headers.get('content-disposition')).to.equal('attachment; filename="notes.txt"')
    await stored.text()
    await bob.put('files/notes.txt', 'Milk, bread, pears')
    expect(await (await open(share)).text()).to.equal('Milk, bread, pears')
  })

  it('come from the configured address, whatever the Host header says', async () => {
    const share = await bob.share({ path: 'files/notes.txt' }, { host: 'evil.example' })
    expect(share.content_url).to.match(/^http:\/\/localhost:1\/base\/s\/[\w-]{22}$/)
    expect(share.page_url).to.equal(share.content_url.replace('/s/', '/p/'))
  })

  it('have a page for people, in their language, with the file in it', async () => {
    await bob.put('files/<b>&.md', '# Title\n\n<script>alert(1)</script>\n\n**bold** ![x](https://evil.example/x.png)')
    const share = await bob.share({ path: 'files/<b>&.md' })
    const answer = await page(share, { headers: { 'accept-language': 'fr, de-AT;q=0.9, en;q=0.8' } })
    const html = await answer.text()
    expect(answer.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' data:;/,
    )
    expect(html).to.contain('<html lang="de">').and.contain('Herunterladen').and.contain('<h1>&lt;b&gt;&amp;.md</h1>')
    expect(html).to.contain('&lt;script&gt;alert(1)&lt;/script&gt;').and.contain('<strong>bold</strong>')
    expect(html).not.to.match(/<script|<img|<b>/)
    expect(await (await page(share)).text()).to.contain('<html lang="en">')
  })

  it('are listed for their owner alone, without the links, and revoked at once', async () => {
    const share = await bob.share({ path: 'files/notes.txt', expires_in_secs: 600 })
    await (await open(share)).text()
    await (await page(share)).text()
    const listed = await bob.get('/api/shares?limit=1')
    const { content_url: url, page_url: _, ...rest } = share
    expect(listed['items']).to.deep.equal([{ ...rest, uses: 2, last_used_at: new Date(clock.now()).toISOString() }])
    expect(JSON.stringify(await bob.get('/api/shares'))).not.to.contain(pathOf(url).slice(3))
    expect((await ada.get('/api/shares'))['items']).to.deep.equal([])
    expect(await ada.status('DELETE', `/api/shares/${share.id}`)).to.equal(404)
    expect((await open(share)).status).to.equal(200)
    expect(await bob.status('DELETE', `/api/shares/${share.id}`)).to.equal(204)
    expect(await bob.status('DELETE', `/api/shares/${share.id}`)).to.equal(404)
    expect([(await open(share)).status, (await page(share)).status]).to.deep.equal([404, 404])
  })

  it('lead to no file that is not there, not theirs, or in the bin', async () => {
    for (const [body, status] of [
      [{ path: 'files/absent.txt' }, 404],
      [{ path: 'files' }, 422],
      [{ path: 'files/../../ada/files/x' }, 422],
      [{ path: 'vault/key' }, 422],
      [{ path: 'files/.bin/x' }, 422],
      [{ chat_id: 'none' }, 404],
      [{}, 422],
      [{ path: 'files/notes.txt', chat_id: 'none' }, 422],
      [{ path: 'files/notes.txt', expires_in_secs: 31 * daySeconds }, 422],
      [{ path: 'files/notes.txt', expires_in_secs: 1 }, 422],
    ] as const)
      expect(await bob.status('POST', '/api/shares', body), JSON.stringify(body)).to.equal(status)
    expect(await ada.status('POST', '/api/shares', { path: 'files/notes.txt' })).to.equal(404)
  })

  it('give one answer when they do not work, whatever the reason', async () => {
    await bob.put('files/gone.txt', 'x')
    const gone = await bob.share({ path: 'files/gone.txt' })
    await bob.status('DELETE', '/api/files/content?path=files/gone.txt')
    const revoked = await bob.share({ path: 'files/notes.txt' })
    await bob.status('DELETE', `/api/shares/${revoked.id}`)
    const eve = await Client.signUp(kernel.url, 'eve')
    await eve.put('files/x.txt', 'x')
    const disabled = await eve.share({ path: 'files/x.txt' })
    expect(await ada.status('PATCH', `/api/admin/users/${eve.userId}`, { disabled: true })).to.equal(200)
    const expired = await bob.share({ path: 'files/notes.txt', expires_in_secs: 60 })
    await clock.advance(59_999)
    expect((await open(expired)).status).to.equal(200)
    await clock.advance(1)
    const ids = [gone, revoked, disabled, expired].map(({ content_url: url }) => pathOf(url).slice(3))
    const wrong = ['AAAAAAAAAAAAAAAAAAAAAA', 'short', 'a'.repeat(2_000), 'ä ö', 'a%2fb', "'; --"]
    for (const kind of ['s', 'p'])
      for (const init of [
        {},
        { method: 'HEAD' },
        { headers: { accept: 'text/html,*/*', 'accept-language': 'de' } },
        { headers: { range: 'bytes=0-1', 'if-none-match': '*' } },
      ]) {
        const expected = await answerTo(`${kernel.url}/${kind}/BBBBBBBBBBBBBBBBBBBBBB`, init)
        expect(expected.status).to.equal(404)
        for (const id of [...ids, ...wrong])
          expect(await answerTo(`${kernel.url}/${kind}/${id}`, init), `${kind} ${id.slice(0, 30)} ${JSON.stringify(init)}`).to.deep.equal(
            expected,
          )
        // The limit of misses.
        await clock.advance(60_000)
      }
  })

  it('slow down who tries many that do not exist, also for those that do', async () => {
    await bob.signIn()
    const share = await bob.share({ path: 'files/notes.txt' })
    const statuses: number[] = []
    for (let index = 0; index < 61; index += 1) statuses.push((await answerTo(`${kernel.url}/s/guess-${index}`)).status)
    expect(statuses.slice(0, 60).every((status) => status === 404)).to.equal(true)
    expect(statuses[60]).to.equal(429)
    expect((await open(share)).status).to.equal(429)
    await clock.advance(1_000)
    expect((await open(share)).status).to.equal(200)
    await clock.advance(60_000)
  })

  it('are in no line of the log and no metric', async () => {
    await bob.signIn()
    const share = await bob.share({ path: 'files/notes.txt' })
    await (await open(share)).text()
    await (await page(share)).text()
    const lines = kernel.log.map((line) => JSON.stringify(line)).join('\n')
    expect(lines).to.contain('"/s/{id}"').and.contain('"/p/{id}"')
    expect(lines).not.to.contain(pathOf(share.content_url).slice(3))
  })

  it('are deleted by the clean-up once they have expired, and counted for administrators alone', async () => {
    await bob.signIn()
    await ada.signIn()
    const counts = async () => ada.get('/api/admin/shares')
    const short = await bob.share({ path: 'files/notes.txt', expires_in_secs: 60 })
    const long = await bob.share({ path: 'files/notes.txt' })
    await clock.advance(60_000)
    const before = await counts()
    expect(Number(before['expired'])).to.be.greaterThan(0)
    expect(await bob.status('GET', '/api/admin/shares')).to.equal(403)
    await clock.advance(6 * 3_600_000)
    await ada.signIn()
    await eventually(
      async () => {
        await clock.advance(1_000)
        return (await counts())['expired'] === 0
      },
      { what: counts },
    )
    await bob.signIn()
    const ids = ((await bob.get('/api/shares'))['items'] as readonly { readonly id: string }[]).map(({ id }) => id)
    expect(ids).to.contain(long.id).and.not.contain(short.id)
  })

  it('disappear with their owner', async () => {
    await ada.signIn()
    const fay = await Client.signUp(kernel.url, 'fay')
    await fay.put('files/x.txt', 'x')
    const share = await fay.share({ path: 'files/x.txt' })
    expect((await open(share)).status).to.equal(200)
    await ada.confirm()
    expect(await ada.status('DELETE', `/api/admin/users/${fay.userId}`)).to.be.oneOf([202, 204])
    expect((await open(share)).status).to.equal(404)
  })
})
