import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createTaker, type Received, type Vendor, type VendorFault } from './vendor.js'

const secret = 'a secret of at least 32 characters'
const pauseMs = 200
const statuses = { failing: 500, throttled: 429 } as const

/** `t=<seconds>,v1=<HMAC-SHA-256 of “seconds.body” in hex>`, as the README of the channel says. */
function signatureOf(body: string): string {
  const time = Math.floor(Date.now() / 1_000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** A program that posts messages until each is taken, and takes answers under their keys. */
export async function startWebhookVendor(): Promise<Vendor> {
  const got: Received[] = []
  const over = new AbortController()
  let webhookUrl = ''
  let fault: VendorFault | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece as string
    const body = JSON.parse(text) as Readonly<Record<string, string>>
    if (fault === 'failing' || fault === 'throttled') return void response.writeHead(statuses[fault], { 'retry-after': '1' }).end()
    if (body['type'] !== 'message') return void response.end('{}')
    const { key = '', conversation_id: conversation = '', text: said = '' } = body
    got.push({ person: Number(conversation), text: said, key })
    if (fault === 'losing') request.socket.resetAndDestroy()
    else response.end(JSON.stringify({ id: `sent-${got.length}` }))
  }
  const server = createServer((request, response) => {
    // A service that is killed breaks its requests off.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const deliver = async (message: object): Promise<void> => {
    const body = JSON.stringify(message)
    while (!over.signal.aborted) {
      const headers = { 'content-type': 'application/json', 'x-signature': signatureOf(body) }
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(15_000)])
      // While the service is down, or is being started, it is posted again.
      const taken = await fetch(webhookUrl, { method: 'POST', headers, body, signal }).catch(() => undefined)
      await taken?.body?.cancel().catch(() => undefined)
      if (taken?.ok) return
      if (taken && ![404, 429, 503].includes(taken.status)) throw new Error(`The webhook answered ${taken.status}.`)
      await setTimeout(pauseMs)
    }
  }
  const take = createTaker(() => got)
  return {
    ...{ kind: 'webhook', hasKeys: true, take },
    members: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, secret },
    conversationOf: String,
    write(person, number, text) {
      void deliver({ id: `${person}-${number}`, conversation: { id: String(person) }, sender: { id: `person-${person}` }, text })
    },
    suffer(next) {
      fault = next
    },
    reach(url) {
      webhookUrl = url
    },
    async close() {
      over.abort()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
