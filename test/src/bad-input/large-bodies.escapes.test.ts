import { once } from 'node:events'
import { expect } from 'chai'
import { expectProblem } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { openSocket, parseAnswer, type RawAnswer, readToEnd, sendBytes } from './support/raw-http.js'

const mebibyte = 1024 * 1024

describe('bodies that are too large, cut off or repeated', function () {
  this.timeout(30_000)
  let target: HostileTarget
  let untouched: unknown
  let messages: string

  before(async () => {
    target = await startHostileTarget()
    messages = `/api/chats/${target.own.chat_id}/messages`
    untouched = await target.state()
  })
  after(() => target?.close())

  const unchanged = async (): Promise<void> => {
    expect(await target.state()).to.deep.equal(untouched)
    expect((await target.send('/readyz')).status).to.equal(200)
  }
  const head = (path: string, lines: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${target.ada.token}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`
  /** Sends chunks for as long as the service takes them, and reads its answer. */
  const sendChunks = async (path: string, bytes: number): Promise<{ readonly answer: RawAnswer; readonly sent: number }> => {
    const socket = await openSocket(target.url)
    const answer = readToEnd(socket, 20_000)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`
    let sent = 0
    socket.write(head(path, 'Transfer-Encoding: chunked'))
    while (sent < bytes && !socket.destroyed) {
      sent += 0x40000
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    return { answer: await answer, sent }
  }

  it('refuses a message of 33 MiB, announced or in chunks', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(33 * mebibyte) })
    const announced = await target.refuses(messages, { method: 'POST', body }, 413, 'body_too_large')
    expect(announced.detail).to.contain(String(32 * mebibyte))
    const { answer } = await sendChunks(messages, 40 * mebibyte)
    // The connection may be reset while the client still writes; what must not happen is anything
    // but a refusal.
    if (answer.status !== 0) expect([answer.status, expectProblem(answer, 'chunks').code]).to.deep.equal([413, 'body_too_large'])
    await unchanged()
  })

  it('refuses chunks over the limit of other routes long before they end', async () => {
    const { answer, sent } = await sendChunks('/api/agents', 400 * mebibyte)
    if (answer.status !== 0) expect([answer.status, expectProblem(answer, 'chunks').code]).to.deep.equal([413, 'body_too_large'])
    expect(sent).to.be.below(100 * mebibyte)
    await unchanged()
  })

  it('refuses an invalid large message, after parsing it off the event loop', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(20 * mebibyte) })
    await target.refuses(messages, { method: 'POST', body }, 422, 'invalid_request')
    await target.refuses(messages, { method: 'POST', body: `{"content":${'['.repeat(10 * mebibyte)}` }, 400, 'nesting_too_deep')
    await target.refuses(messages, { method: 'POST', body: `{"content":"${'x'.repeat(10 * mebibyte)}` }, 400, 'malformed_json')
    await unchanged()
  })

  it('keeps nothing of a request that was cut off anywhere', async () => {
    const whole = `${head('/api/chats', 'Content-Length: 17')}{"title":"never"}`
    for (const cut of [1, 20, whole.indexOf('\r\n\r\n') + 2, whole.length - 17, whole.length - 1]) {
      const answer = await sendBytes(target.url, whole.slice(0, cut), { endWrites: true })
      expect(answer.status, `cut at ${cut}`).to.be.oneOf([0, 400])
      if (answer.status !== 0) expectProblem(answer, `cut at ${cut}`)
    }
    const chunked = `${head('/api/chats', 'Transfer-Encoding: chunked')}11\r\n{"title":"never"}\r\n`
    expect((await sendBytes(target.url, chunked, { endWrites: true })).status).to.be.oneOf([0, 400])
    await unchanged()
  })

  it('keeps nothing of a request whose client disconnects at once', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(target.url)))
    for (const socket of sockets) {
      socket.write(`${head('/api/chats', 'Content-Length: 17')}{"title":`)
      socket.resetAndDestroy()
    }
    await unchanged()
  })

  it('refuses a body with another one behind it', async () => {
    const first = `${head('/api/chats', 'Content-Length: 17')}{"title":"first"}`
    const together = await sendBytes(target.url, `${first}{"title":"second"}`)
    expect([together.status, expectProblem(together, 'together').code]).to.deep.equal([400, 'invalid_request_head'])
    await unchanged()
  })

  it('reads bytes after an answered body as the next request', async () => {
    const socket = await openSocket(target.url)
    socket.write(`${head('/api/chats', 'Content-Length: 17')}{"title":"first"}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    const chat = parseAnswer(answer.toString('utf8'))
    expect([chat.status, (JSON.parse(chat.body) as { title: string }).title]).to.deep.equal([201, 'first'])
    socket.write('{"title":"second"}')
    const rest = await readToEnd(socket)
    expect([rest.status, expectProblem(rest, 'the second body').code]).to.deep.equal([400, 'invalid_request_head'])
    await target.ada.request('DELETE', `/api/chats/${(JSON.parse(chat.body) as { id: string }).id}`)
    await unchanged()
  })

  it('uses the last of two equal members, and validates that one', async () => {
    await target.refuses('/api/chats', { method: 'POST', body: '{"title":"fine","title":5}' }, 422, 'invalid_request')
    const answer = await target.send('/api/chats', { method: 'POST', token: target.ada.token, body: '{"title":5,"title":"fine"}' })
    expect([answer.status, (JSON.parse(answer.body) as { title: string }).title]).to.deep.equal([201, 'fine'])
    await target.ada.request('DELETE', `/api/chats/${(JSON.parse(answer.body) as { id: string }).id}`)
    await unchanged()
  })
})
