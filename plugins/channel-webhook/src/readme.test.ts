import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readText } from '@agent-service/sdk/async'
import { expect } from 'chai'
import { parsed } from './fields.js'
import { readBody } from './message-of-body.js'
import { isSigned, signatureOf } from './signature.js'

const secret = 'the-secret-of-the-program-of-the-readme'

it('has a program in its README that sends a message, and takes each answer once', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'webhook-program-'))
  const received: unknown[] = []
  const service = createServer((request, response) => {
    readText(request, { maxBytes: 100_000 }).then(
      (text) => {
        const body = Buffer.from(text)
        const signed = isSigned(String(request.headers['x-signature']), { secret, body, now: Date.now() })
        received.push(signed ? readBody(parsed(body), Date.now()) : 'not signed')
        response.end('{"received":true}')
      },
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  await writeFile(join(folder, 'desk.mjs'), /```js\n([^`]+(?:`[^`]+`[^`]+)*?)```/.exec(readme)?.[1] ?? '')
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  const program = spawn(process.execPath, [join(folder, 'desk.mjs')], {
    env: { SECRET: secret, AGENT_URL: address, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
    const port = /port (\d+)/.exec(String((await lines.next()).value))?.[1]
    expect((await lines.next()).value).to.equal('200 {"received":true}')
    expect(received).to.have.length(1)
    expect(received[0]).to.deep.include({ text: 'Which printer is free?', mentioned: true })
    const post = async (key: string, text: string, by = secret) => {
      const body = JSON.stringify({ type: 'message', key, conversation_id: 'desk', text })
      const headers = { 'x-signature': signatureOf({ secret: by, body: Buffer.from(body), now: Date.now() }) }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    expect([
      await post('a', 'The left one.'),
      await post('a', 'The left one.'),
      await post('c', 'forged', 'another'),
      await post('b', 'Or none.'),
    ]).to.deep.equal([...[200, 200, 401, 200]])
    expect([(await lines.next()).value, (await lines.next()).value]).to.deep.equal(['The left one.', 'Or none.'])
  } finally {
    program.kill()
    service.close()
    service.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
})
