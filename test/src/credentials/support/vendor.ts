import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the token endpoint in place of what it would say. */
export type TokenAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> } | 'cut'

/**
 * A vendor of models with an authorization server: device codes, PKCE, refresh tokens that work
 * once, and models that ask for a token.
 */
export interface Vendor {
  readonly url: string
  /** Keys and access tokens that its models take. */
  readonly accepted: Set<string>
  /** Who called models, in order: the token and the account, or `undefined`. */
  readonly calls: readonly { readonly path: string; readonly token: string; readonly account: string | undefined }[]
  /** What the token endpoint was asked. */
  readonly asked: readonly Readonly<Record<string, string>>[]
  /** What it answers next, in this order, in place of its own word. */
  answerNext(...answers: readonly TokenAnswer[]): void
  /** The person enters the code and says yes. */
  approveDevice(userCode: string): void
  /** The person signs in on the page: gives the address that the browser is sent to. */
  approveInBrowser(authorizationUrl: string): URL
  /** How long access tokens live that are given from now on, in seconds. */
  tokenLife: number
  /** No token that was given so far is taken any more. */
  endAccessTokens(): void
  close(): Promise<void>
}

const answerText = 'OK'
const event = (data: Readonly<Record<string, unknown>>): string => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`
const item = {
  type: 'message',
  id: 'item-1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: answerText, annotations: [] }],
}
const responsesStream = [
  event({ type: 'response.created', response: { id: 'response-1', model: 'm', status: 'in_progress' } }),
  event({ type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } }),
  event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'item-1', delta: answerText }),
  event({ type: 'response.output_item.done', output_index: 0, item }),
  event({
    type: 'response.completed',
    response: { id: 'response-1', status: 'completed', output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  }),
].join('')
const completionsStream = [{ delta: { content: answerText } }, { delta: {}, finish_reason: 'stop' }]
  .map((choice) => `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`)
  .join('')

/** A token whose claims name the account, as that vendor has them. */
const tokenOf = (account: string): string =>
  `e30.${Buffer.from(JSON.stringify({ 'https://api.openai.com/auth': { chatgpt_account_id: account } })).toString('base64url')}.${random()}`
const random = (): string => randomBytes(24).toString('base64url')

export async function startVendor(): Promise<Vendor> {
  const accepted = new Set<string>()
  const devices = new Map<string, { readonly userCode: string; approved: boolean }>()
  const codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  const refreshTokens = new Set<string>()
  const given = new Set<string>()
  const calls: { path: string; token: string; account: string | undefined }[] = []
  const asked: Readonly<Record<string, string>>[] = []
  let next: TokenAnswer[] = []
  const state = { tokenLife: 3_600 }

  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  /** New tokens, or the code of a refusal. */
  const give = (isProven: boolean, refusal: string): Exclude<TokenAnswer, 'cut'> => {
    if (!isProven) return { status: 400, body: { error: refusal } }
    const [access, refresh] = [tokenOf('account-1'), random()]
    accepted.add(access)
    given.add(access)
    refreshTokens.add(refresh)
    return { status: 200, body: { access_token: access, refresh_token: refresh, token_type: 'bearer', expires_in: state.tokenLife } }
  }
  const isRightCode = (form: Readonly<Record<string, string>>): boolean => {
    const code = codes.get(form['code'] ?? '')
    codes.delete(form['code'] ?? '')
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url')
    return code?.challenge === challenge && code.redirectUri === form['redirect_uri']
  }
  const tokenAnswer = (form: Readonly<Record<string, string>>): TokenAnswer => {
    const scripted = next.shift()
    if (scripted) return scripted
    if (form['client_id'] !== 'client-1') return { status: 400, body: { error: 'invalid_client' } }
    if (form['grant_type'] === 'refresh_token') return give(refreshTokens.delete(form['refresh_token'] ?? ''), 'invalid_grant')
    if (form['grant_type'] === 'authorization_code') return give(isRightCode(form), 'invalid_grant')
    return give(devices.get(form['device_code'] ?? '')?.approved === true, 'authorization_pending')
  }
  const answerToken = (form: Readonly<Record<string, string>>, response: ServerResponse): void => {
    asked.push(form)
    const answer = tokenAnswer(form)
    if (answer === 'cut') response.destroy()
    else json(response, answer.status, answer.body)
  }
  const answerDevice = (response: ServerResponse): void => {
    const [deviceCode, userCode] = [random(), `U-${devices.size + 1}`]
    devices.set(deviceCode, { userCode, approved: false })
    json(response, 200, {
      ...{ device_code: deviceCode, user_code: userCode, verification_uri: 'https://vendor.example/device' },
      ...{ expires_in: 900, interval: 0.02 },
    })
  }
  const answerModel = (request: IncomingMessage, response: ServerResponse): void => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const path = request.url ?? ''
    calls.push({ path, token, account: request.headers['chatgpt-account-id'] as string | undefined })
    if (accepted.has(token)) {
      const stream = path.endsWith('/responses') ? responsesStream : completionsStream
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
    } else json(response, 401, { error: { message: `Incorrect API key provided: ${token}`, code: 'invalid_api_key' } })
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
    request.on('end', () => {
      if (request.url === '/token') answerToken(Object.fromEntries(new URLSearchParams(text)), response)
      else if (request.url === '/device') answerDevice(response)
      else answerModel(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...{ url, accepted, calls, asked },
    get tokenLife() {
      return state.tokenLife
    },
    set tokenLife(seconds) {
      state.tokenLife = seconds
    },
    answerNext: (...answers) => {
      next = [...answers]
    },
    approveDevice(userCode) {
      for (const device of devices.values()) if (device.userCode === userCode) device.approved = true
    },
    approveInBrowser(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl)
      const [redirectUri, challenge] = [searchParams.get('redirect_uri') ?? '', searchParams.get('code_challenge') ?? '']
      if (searchParams.get('code_challenge_method') !== 'S256') throw new Error('The challenge is not S256.')
      const code = random()
      codes.set(code, { challenge, redirectUri })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '', scope: 'openid' }).toString()
      return back
    },
    endAccessTokens() {
      for (const token of given) accepted.delete(token)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
