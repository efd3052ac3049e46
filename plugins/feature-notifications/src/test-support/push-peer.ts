import type { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type HttpClient,
  type HttpClientRequest,
  httpAddressRefusedError,
  httpRedirectRefusedError,
} from '@agent-service/sdk/services/http-client'

/** A browser with a subscription. */
export interface PeerBrowser {
  readonly subscription: { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } }
  /** Every message that it can read, oldest first. */
  readonly messages: readonly Record<string, unknown>[]
}

/** A push service on loopback, and a client that reaches it under any https address. */
export interface PushPeer {
  readonly client: HttpClient
  /** What the plugin asked the client for. */
  readonly asked: readonly HttpClientRequest[]
  /** The headers that arrived, oldest first. */
  readonly received: readonly IncomingHttpHeaders[]
  browser(name: string): Promise<PeerBrowser>
  /** Answers from now on. Default: 201. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

/** For {@link PushPeer.answer}: the name of the push service leads to an address that is not public. */
export const refused = 0

const origin = 'https://push.example'

export async function startPushPeer(): Promise<PushPeer> {
  const asked: HttpClientRequest[] = []
  const received: IncomingHttpHeaders[] = []
  const browsers = new Map<string, (body: Uint8Array<ArrayBuffer>) => Promise<void>>()
  let next: { readonly status: number; readonly headers: Readonly<Record<string, string>> } = { status: 201, headers: {} }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    received.push(request.headers)
    if (next.status < 300) await browsers.get(request.url ?? '')?.(new Uint8Array(Buffer.concat(pieces)))
    response.writeHead(next.status, next.headers).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request: HttpClient['request'] = async (sent, { signal }) => {
    asked.push(sent)
    if (next.status === refused) throw httpAddressRefusedError.create({ host: 'push.example', reason: 'its address is not public.' })
    const { pathname } = new URL(sent.url)
    const body = new Uint8Array(sent.body as Uint8Array)
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}`, {
      method: sent.method ?? 'GET',
      headers: sent.headers ?? {},
      body,
      redirect: 'manual',
      signal,
    })
    if (answer.status >= 300 && answer.status < 400 && sent.redirect === 'refuse')
      throw httpRedirectRefusedError.create({ host: 'push.example', reason: 'redirects are refused.' })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), url: sent.url, redirects: 0, body: new Uint8Array() }
  }
  return {
    client: { request, stream: () => Promise.reject(new Error('Nothing is streamed here.')) },
    asked,
    received,
    async browser(name) {
      const messages: Record<string, unknown>[] = []
      const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
      const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
      const auth = crypto.getRandomValues(new Uint8Array(16))
      const read = async (body: Uint8Array<ArrayBuffer>): Promise<void> => {
        messages.push(JSON.parse(await decrypt(body, { privateKey: pair.privateKey, publicKey, auth })) as Record<string, unknown>)
      }
      browsers.set(`/${name}`, read)
      const keys = { p256dh: Buffer.from(publicKey).toString('base64url'), auth: Buffer.from(auth).toString('base64url') }
      return { messages, subscription: { endpoint: `${origin}/${name}`, keys } }
    },
    answer(status, headers = {}) {
      next = { status, headers }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As a browser reads a message (RFC 8291, section 3.4, and RFC 8188), with the Web Cryptography API. */
async function decrypt(
  body: Uint8Array<ArrayBuffer>,
  {
    privateKey,
    publicKey,
    auth,
  }: { readonly privateKey: webcrypto.CryptoKey; readonly publicKey: Uint8Array; readonly auth: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const length = body[20] ?? 0
  const [salt, senderKey, record] = [body.slice(0, 16), body.slice(21, 21 + length), body.slice(21 + length)]
  const sender = await crypto.subtle.importKey('raw', senderKey, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: sender }, privateKey, 256)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
  const input = await derive(shared, { salt: auth, info, bits: 256 })
  const key = await derive(input, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bits: 128 })
  const iv = await derive(input, { salt, info: Buffer.from('Content-Encoding: nonce\0'), bits: 96 })
  const cipher = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const padded = Buffer.from(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, cipher, record))
  const end = padded.lastIndexOf(2)
  return padded.subarray(0, end).toString()
}

async function derive(
  input: ArrayBuffer,
  { salt, info, bits }: { readonly salt: Uint8Array<ArrayBuffer>; readonly info: Buffer; readonly bits: number },
): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', input, 'HKDF', false, ['deriveBits'])
  return crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array(info) }, key, bits)
}

/** Whether a header `Authorization` of VAPID is signed by the key that it names, and what it claims. */
export async function readVapid(header: string): Promise<{ readonly claims: Record<string, unknown>; readonly key: string }> {
  const [, text = '', signature = '', key = ''] = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
  const raw = new Uint8Array(Buffer.from(key, 'base64url'))
  const publicKey = await crypto.subtle.importKey('raw', raw, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
  const signed = new Uint8Array(Buffer.from(text))
  const given = new Uint8Array(Buffer.from(signature, 'base64url'))
  if (!(await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, given, signed)))
    throw new Error('The signature is wrong.')
  return { claims: JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>, key }
}
