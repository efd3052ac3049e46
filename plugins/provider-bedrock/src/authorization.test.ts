import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, type SeenRequest, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createBedrockAdapter } from './adapter.js'
import { signRequest } from './signing/sign-request.js'
import { converseRequest, createTestAccess } from './test-support/adapter.js'

const model = 'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-x-v1:0'
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: 'session-token-0123456789' }
const now = Date.parse('2026-01-02T03:04:05Z')
const whole: Replay = {
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify({ output: { message: { content: [{ text: 'Hi' }] } }, stopReason: 'end_turn' }))],
}
const refusal = (type: string, message: string, headers: Readonly<Record<string, string>> = {}): Replay => ({
  status: 403,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': type, ...headers },
  pieces: [bytesOf(JSON.stringify({ message }))],
})

describe('who calls Bedrock', () => {
  const client = createModelClient()
  after(() => client.close())
  let answer: (request: SeenRequest, count: number) => Replay
  let server: ReplayServer
  let homeFolder: string
  const variables: Record<string, string> = {}
  const protectedSecrets: string[] = []
  const adapterOf = (): ProviderAdapter => {
    const aws = createTestAccess(variables, { homeFolder, now: () => now, protect: (text) => protectedSecrets.push(text) })
    return createBedrockAdapter({ client, aws, now: () => now })
  }
  beforeEach(async () => {
    homeFolder = await mkdtemp(path.join(tmpdir(), 'bedrock-home-'))
    answer = () => whole
    server = await startReplayServer((request) => answer(request, server.seen.length))
    for (const name of Object.keys(variables)) Reflect.deleteProperty(variables, name)
    protectedSecrets.length = 0
  })
  afterEach(async () => {
    await server.close()
    await rm(homeFolder, { recursive: true })
  })

  /** A request without a key of the connection's own. */
  const request = (aws?: ModelRequest['connection']['aws'], changes: Partial<ModelRequest['connection']> = {}): ModelRequest => {
    const made = converseRequest(server.baseUrl, { model, stream: false })
    const { apiKey: _, ...connection } = made.connection
    return { ...made, connection: { ...connection, ...(aws && { aws }), ...changes } }
  }
  const writeProfiles = async (text: string): Promise<void> => {
    await mkdir(path.join(homeFolder, '.aws'), { recursive: true })
    await writeFile(path.join(homeFolder, '.aws', 'credentials'), text)
  }
  const signerOf = (seen: SeenRequest | undefined): string => /Credential=([^,]+)/.exec(String(seen?.headers['authorization']))?.[1] ?? ''

  it('a key goes into the header as a bearer, and nothing is signed', async () => {
    Object.assign(variables, keys)
    await outcomeOf(adapterOf(), request(undefined, { apiKey: 'bedrock-key' }))
    expect(server.seen[0]?.headers['authorization']).to.equal('Bearer bedrock-key')
    expect(server.seen[0]?.headers['x-amz-date']).to.equal(undefined)
    expect(server.seen[0]?.url).to.not.contain('bedrock-key')
  })

  it('the model is one segment of the path, and the signature covers the exact bytes', async () => {
    Object.assign(variables, keys)
    const { error } = await outcomeOf(adapterOf(), request({ region: 'eu-west-1' }))
    expect(error).to.equal(undefined)
    const [seen] = server.seen
    expect(seen?.url).to.equal('/v1/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.anthropic.claude-x-v1%3A0/converse')
    const expected = signRequest(
      {
        method: 'POST',
        url: new URL(`${server.baseUrl.replace('/v1', '')}${seen?.url}`),
        contentType: 'application/json',
        body: seen?.body ?? '',
      },
      {
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret, sessionToken: 'session-token-0123456789' },
        region: 'eu-west-1',
        service: 'bedrock',
        now,
      },
    )
    for (const [name, value] of Object.entries(expected)) expect(seen?.headers[name], name).to.equal(value)
    expect(protectedSecrets).to.have.members([secret, 'session-token-0123456789'])
  })

  it('a profile of the connection wins over keys and a bearer key of the environment', async () => {
    Object.assign(variables, keys, { AWS_BEARER_TOKEN_BEDROCK: 'environment-bearer', AWS_REGION: 'us-west-2' })
    await writeProfiles('[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = s\n')
    const adapter = adapterOf()
    await outcomeOf(adapter, request())
    await outcomeOf(adapter, request({ profile: 'work' }))
    expect(server.seen[0]?.headers['authorization']).to.equal('Bearer environment-bearer')
    expect(signerOf(server.seen[1])).to.equal('AKIAWORK/20260102/us-west-2/bedrock/aws4_request')
  })

  it('the region is the connection’s, AWS_REGION, AWS_DEFAULT_REGION, the profile’s, and fills the address', async () => {
    await writeProfiles('[default]\nregion = ap-south-1\n[work]\nregion = eu-north-1\naws_access_key_id = A\naws_secret_access_key = s\n')
    Object.assign(variables, keys)
    const baseUrl = server.baseUrl.replace('/v1', '/{region}')
    const regionOf = async (aws?: ModelRequest['connection']['aws']): Promise<string | undefined> => {
      await outcomeOf(adapterOf(), request(aws, { baseUrl }))
      const seen = server.seen.at(-1)
      expect(seen?.url.split('/')[1]).to.equal(signerOf(seen).split('/')[2])
      return seen?.url.split('/')[1]
    }
    expect(await regionOf()).to.equal('ap-south-1')
    expect(await regionOf({ profile: 'work' })).to.equal('eu-north-1')
    variables['AWS_DEFAULT_REGION'] = 'us-east-2'
    expect(await regionOf({ profile: 'work' })).to.equal('us-east-2')
    variables['AWS_REGION'] = 'us-west-1'
    expect(await regionOf()).to.equal('us-west-1')
    expect(await regionOf({ region: 'ca-central-1' })).to.equal('ca-central-1')
  })

  it('a missing region, an invalid region and missing credentials are reported, and no endpoint is called', async () => {
    const reasonOf = async (made: ModelRequest) => (await outcomeOf(adapterOf(), made)).error?.details
    expect(await reasonOf(request())).to.include({ failure: 'bad_request', retryable: false })
    expect((await reasonOf(request()))?.['reason']).to.contain('No AWS region is known. Set aws_region')
    expect((await reasonOf(request({ region: 'evil.example.org/' })))?.['reason']).to.contain('is not an AWS region')
    expect(await reasonOf(request({ region: 'eu-west-1' }))).to.include({ failure: 'authentication', retryable: false })
    expect(server.seen).to.have.length(0)
  })

  it('expired credentials are looked up again once, and the call is signed again', async () => {
    variables['AWS_REGION'] = 'us-east-1'
    await writeProfiles('[default]\naws_access_key_id = OLD\naws_secret_access_key = s\n')
    const adapter = adapterOf()
    await outcomeOf(adapter, request())
    await writeProfiles('[default]\naws_access_key_id = NEW\naws_secret_access_key = s\n')
    answer = (seen) => (signerOf(seen).startsWith('OLD') ? refusal('ExpiredTokenException', 'The token has expired') : whole)
    expect((await outcomeOf(adapter, request())).error).to.equal(undefined)
    expect(server.seen.map((seen) => signerOf(seen).slice(0, 3))).to.deep.equal(['OLD', 'OLD', 'NEW'])
  })

  it('unchanged credentials are not sent again, and new ones that expired too are not replaced a second time', async () => {
    variables['AWS_REGION'] = 'us-east-1'
    Object.assign(variables, keys)
    answer = () => refusal('ExpiredTokenException', 'The token has expired')
    const { error } = await outcomeOf(adapterOf(), request())
    expect(error?.details).to.include({ failure: 'authentication', retryable: false, providerCode: 'expiredtokenexception' })
    expect(server.seen).to.have.length(1)
    const adapter = adapterOf()
    answer = (_, count) => {
      variables['AWS_ACCESS_KEY_ID'] = `KEY${count}`
      return refusal('ExpiredTokenException', 'The token has expired')
    }
    await outcomeOf(adapter, request())
    expect(server.seen).to.have.length(3)
  })

  it('the service’s clock is used, once it differs', async () => {
    Object.assign(variables, keys, { AWS_REGION: 'us-east-1' })
    const date = 'Fri, 02 Jan 2026 04:04:05 GMT'
    answer = (seen) =>
      String(seen.headers['x-amz-date']).startsWith('20260102T0404')
        ? whole
        : refusal('InvalidSignatureException:http://internal/', 'Signature expired', { date })
    const adapter = adapterOf()
    expect((await outcomeOf(adapter, request())).error).to.equal(undefined)
    expect((await outcomeOf(adapter, request())).error).to.equal(undefined)
    expect(server.seen).to.have.length(3)
  })

  it('a wrong signature at the right time is an authentication failure without any secret', async () => {
    Object.assign(variables, keys, { AWS_REGION: 'us-east-1' })
    answer = () => refusal('SignatureDoesNotMatch', `Not ${secret}, nor ${keys.AWS_SESSION_TOKEN}`, { date: new Date(now).toUTCString() })
    const { error } = await outcomeOf(adapterOf(), request())
    expect(error?.details).to.include({ failure: 'authentication', retryable: false })
    const shown = inspect(error, { depth: 20, showHidden: true })
    expect(shown).to.not.contain(secret)
    expect(shown).to.not.contain(keys.AWS_SESSION_TOKEN)
    expect(server.seen).to.have.length(1)
  })
})
