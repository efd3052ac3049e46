import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  type CredentialPlace,
  failureOf,
  jsonAnswer,
  openCredentialPlace,
  roleAnswer,
  testNow,
} from '../../test-support/credential-place.js'
import { processCredentials } from './process-credentials.js'

const expiration = '2026-01-02T04:04:05Z'
const expiresAt = testNow + 3_600_000
const base = '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret-0123456789\n'

describe('the credentials of a profile', () => {
  let place: CredentialPlace
  beforeEach(async () => {
    place = await openCredentialPlace()
  })
  afterEach(() => place.close())

  const sts = () => ({ AWS_ENDPOINT_URL_STS: place.origin })

  it('of a role assumed from another profile, in a signed request', async () => {
    await place.write('.aws/credentials', base)
    await place.write(
      '.aws/config',
      '[profile role]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\nexternal_id = x1\nduration_seconds = 900\nregion = eu-central-1\n',
    )
    place.answer = () => roleAnswer('AssumeRole', { id: 'ASIAROLE', secret: 'role-secret', token: 'role-token', expiration })
    expect(await place.find(sts(), 'role')).to.deep.equal({
      accessKeyId: 'ASIAROLE',
      secretAccessKey: 'role-secret',
      sessionToken: 'role-token',
      expiresAt,
    })
    expect(place.seen[0]?.headers['authorization']).to.match(
      /^AWS4-HMAC-SHA256 Credential=AKIABASE\/20260102\/eu-central-1\/sts\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    )
    expect(Object.fromEntries(new URLSearchParams(place.seen[0]?.body))).to.deep.equal({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/r',
      RoleSessionName: `agent-service-${testNow}`,
      ExternalId: 'x1',
      DurationSeconds: '900',
    })
  })

  it('of a role assumed by another role, and of one whose source is itself', async () => {
    await place.write('.aws/credentials', base)
    await place.write(
      '.aws/config',
      '[profile second]\nrole_arn = arn:2\nsource_profile = first\n[profile first]\nrole_arn = arn:1\nsource_profile = base\n[profile base]\nrole_arn = arn:0\nsource_profile = base\n',
    )
    place.answer = ({ body }) => {
      const role = new URLSearchParams(body).get('RoleArn')?.slice(-1) ?? ''
      return roleAnswer('AssumeRole', { id: `ASIA${role}`, secret: `secret-${role}`, token: `token-${role}`, expiration })
    }
    expect((await place.find(sts(), 'second')).accessKeyId).to.equal('ASIA2')
    const signers = place.seen.map(({ headers }) => /Credential=(\w+)/.exec(String(headers['authorization']))?.[1])
    expect(signers).to.deep.equal(['AKIABASE', 'ASIA1'])
    expect(place.seen[1]?.headers['x-amz-security-token']).to.equal('token-1')
    expect((await place.find(sts(), 'base')).accessKeyId).to.equal('ASIA0')
  })

  it('of a role whose source is the environment', async () => {
    await place.write('.aws/config', '[profile role]\nrole_arn = arn:1\ncredential_source = Environment\n')
    place.answer = () => roleAnswer('AssumeRole', { id: 'ASIAROLE', secret: 's', token: 't', expiration })
    const keys = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'secret' }
    expect((await place.find({ ...sts(), ...keys }, 'role')).accessKeyId).to.equal('ASIAROLE')
    expect(place.seen[0]?.headers['authorization']).to.contain('Credential=AKIAENV/')
  })

  it('of a web identity that the profile names', async () => {
    await place.write('token', 'the-token')
    await place.write('.aws/config', '[profile web]\nrole_arn = arn:1\nweb_identity_token_file = ~/token\nrole_session_name = me\n')
    place.answer = () => roleAnswer('AssumeRoleWithWebIdentity', { id: 'ASIAWEB', secret: 's', token: 't', expiration })
    expect((await place.find(sts(), 'web')).accessKeyId).to.equal('ASIAWEB')
    expect(place.seen[0]?.body).to.contain('WebIdentityToken=the-token').and.contain('RoleSessionName=me')
  })

  it('roles in a cycle, without a source, with a second factor, and refused ones give the reason', async () => {
    await place.write('.aws/credentials', base)
    await place.write(
      '.aws/config',
      '[profile a]\nrole_arn = x\nsource_profile = b\n[profile b]\nrole_arn = x\nsource_profile = a\n[profile c]\nrole_arn = x\n[profile d]\nrole_arn = x\nsource_profile = base\nmfa_serial = m\n[profile e]\nrole_arn = arn:e\nsource_profile = base\n',
    )
    expect((await failureOf(place.find(sts(), 'a'))).reason).to.equal('The AWS profiles a → b → a are each other’s source_profile.')
    expect((await failureOf(place.find(sts(), 'c'))).reason).to.contain('neither a source_profile nor a credential_source')
    expect((await failureOf(place.find(sts(), 'd'))).reason).to.contain('second factor')
    const words = '<ErrorResponse><Error><Code>AccessDenied</Code><Message>User &quot;x&quot; may not</Message></Error></ErrorResponse>'
    place.answer = () => ({ status: 403, headers: { 'content-type': 'text/xml' }, pieces: [Buffer.from(words)] })
    expect(await failureOf(place.find(sts(), 'e'))).to.include({
      failure: 'authentication',
      retryable: false,
      reason: 'The AWS token service refused credentials for the role arn:e (AccessDenied: User "x" may not).',
    })
    place.answer = () => ({ status: 500, pieces: [] })
    expect(await failureOf(place.find(sts(), 'e'))).to.include({ failure: 'transport', retryable: true })
  })

  it('that a program prints, started without a shell', async () => {
    const printed = { Version: 1, AccessKeyId: 'ASIAPROC', SecretAccessKey: 'p', SessionToken: 'pt', Expiration: expiration }
    const script = await place.write(
      'print it.mjs',
      `process.stdout.write(JSON.stringify({ ...${JSON.stringify(printed)}, AccessKeyId: process.argv[2] }))`,
    )
    await place.write('.aws/config', `[profile run]\ncredential_process = "${process.execPath}" "${script}" 'a $(echo b) > c;d'\n`)
    expect(await place.find({}, 'run')).to.deep.equal({
      accessKeyId: 'a $(echo b) > c;d',
      secretAccessKey: 'p',
      sessionToken: 'pt',
      expiresAt,
    })
  })

  it('a program sees what it needs of the environment, and none of the service’s settings or keys', async () => {
    const { signal } = new AbortController()
    const code = `console.log(JSON.stringify({Version:1,AccessKeyId:'a',SecretAccessKey:Object.keys(process.env).join(' ')}))`
    process.env['SERVICE_AUTH_ENCRYPTION_SECRET'] = 'secret'
    process.env['OPENAI_API_KEY'] = 'key'
    process.env['AWS_CA_BUNDLE'] = '/ca.pem'
    try {
      const { secretAccessKey } = await processCredentials(`"${process.execPath}" -e "${code}"`, 'run', { signal }, 10_000)
      expect(secretAccessKey.split(' ')).to.include.members(['PATH', 'AWS_CA_BUNDLE'])
      expect(secretAccessKey).to.not.match(/SERVICE_|OPENAI/)
    } finally {
      for (const name of ['SERVICE_AUTH_ENCRYPTION_SECRET', 'OPENAI_API_KEY', 'AWS_CA_BUNDLE']) delete process.env[name]
    }
  })

  it('a program that fails, hangs, is missing or prints something else: its output is not repeated', async () => {
    const { signal } = new AbortController()
    const node = (code: string) => processCredentials(`"${process.execPath}" -e "${code}"`, 'run', { signal }, 700)
    const secret = 'wJalrXUtnFEMI'
    const failures = [
      await failureOf(node(`console.log('${secret}'); console.error('${secret}'); process.exit(3)`)),
      await failureOf(node(`console.log('${secret}')`)),
      await failureOf(node(`console.log(JSON.stringify({Version:2,AccessKeyId:'a',SecretAccessKey:'${secret}'}))`)),
      await failureOf(node(`console.log('${secret}'); setInterval(() => 0, 1000)`)),
      await failureOf(node(`process.stdout.write('x'.repeat(200000))`)),
      await failureOf(processCredentials('/no/such/program', 'run', { signal })),
      await failureOf(processCredentials('"unfinished', 'run', { signal })),
    ]
    const reasons = failures.map(({ reason }) => reason)
    expect(inspect(failures, { depth: 5 })).to.not.contain(secret)
    expect(reasons[0]).to.contain('ended with the exit status 3')
    expect(reasons[1]).to.contain('printed no credentials of version 1')
    expect(reasons[2]).to.contain('printed no credentials of version 1')
    expect(failures[3]).to.include({ failure: 'transport', retryable: true })
    expect(reasons[3]).to.contain('did not end within 700 ms')
    expect(reasons[4]).to.contain('could not be run')
    expect(reasons[5]).to.contain('could not be run (ENOENT)')
    expect(reasons[6]).to.contain('is not a valid command')
  })

  const signOn =
    '[profile sso]\nsso_session = office\nsso_account_id = 111122223333\nsso_role_name = Reader\n[sso-session office]\nsso_start_url = https://example.awsapps.com/start\nsso_region = us-east-1\n'
  const tokenFile = (key: string): string => `.aws/sso/cache/${createHash('sha1').update(key).digest('hex')}.json`

  it('of single sign-on, with the token that the sign-in left', async () => {
    await place.write('.aws/config', signOn)
    await place.write(tokenFile('office'), JSON.stringify({ accessToken: 'sso-token', expiresAt: '2026-01-02T05:00:00Z' }))
    place.answer = () =>
      jsonAnswer({ roleCredentials: { accessKeyId: 'ASIASSO', secretAccessKey: 's', sessionToken: 't', expiration: expiresAt } })
    expect(await place.find({ AWS_ENDPOINT_URL_SSO: place.origin }, 'sso')).to.deep.equal({
      accessKeyId: 'ASIASSO',
      secretAccessKey: 's',
      sessionToken: 't',
      expiresAt,
    })
    expect(place.seen[0]?.url).to.equal('/federation/credentials?role_name=Reader&account_id=111122223333')
    expect(place.seen[0]?.headers['x-amz-sso_bearer_token']).to.equal('sso-token')
  })

  it('single sign-on without a token, with one that expired or is refused asks for a sign-in', async () => {
    await place.write('.aws/config', `${signOn}[profile half]\nsso_start_url = https://x\n`)
    const find = () => failureOf(place.find({ AWS_ENDPOINT_URL_SSO: place.origin }, 'sso'))
    expect((await find()).reason).to.contain('Run “aws sso login --profile sso”')
    await place.write(tokenFile('office'), JSON.stringify({ accessToken: 'sso-token', expiresAt: '2026-01-02T03:00:00Z' }))
    expect((await find()).reason).to.contain('the token has expired')
    await place.write(tokenFile('office'), JSON.stringify({ accessToken: 'sso-token' }))
    place.answer = () => jsonAnswer({ message: 'no' }, 401)
    expect((await find()).reason)
      .to.contain('refused with HTTP 401')
      .and.not.contain('sso-token')
    expect((await failureOf(place.find({}, 'half'))).reason).to.contain('lacks one of sso_account_id')
  })
})
