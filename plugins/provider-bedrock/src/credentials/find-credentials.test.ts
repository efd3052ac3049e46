import { expect } from 'chai'
import { type CredentialPlace, failureOf, jsonAnswer, openCredentialPlace, roleAnswer, testNow } from '../test-support/credential-place.js'

const keys = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'environment-secret' }
const expiration = '2026-01-02T04:04:05Z'
const expiresAt = testNow + 3_600_000

describe('where credentials are found', () => {
  let place: CredentialPlace
  beforeEach(async () => {
    place = await openCredentialPlace()
  })
  afterEach(() => place.close())

  it('in the environment, with and without a session token, before the profile of AWS_PROFILE', async () => {
    await place.write('.aws/credentials', '[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = work-secret\n')
    const found = { accessKeyId: 'AKIAENV', secretAccessKey: 'environment-secret' }
    expect(await place.find({ ...keys, AWS_PROFILE: 'work' })).to.deep.equal(found)
    expect(await place.find({ ...keys, AWS_SESSION_TOKEN: 'token' })).to.deep.equal({ ...found, sessionToken: 'token' })
  })

  it('in a profile that was asked for, whatever the environment says', async () => {
    await place.write(
      '.aws/credentials',
      '[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = work-secret\naws_session_token = t\n',
    )
    expect(await place.find(keys, 'work')).to.deep.equal({ accessKeyId: 'AKIAWORK', secretAccessKey: 'work-secret', sessionToken: 't' })
  })

  it('in the profile of AWS_PROFILE, else in the one named default', async () => {
    await place.write(
      '.aws/config',
      '[default]\naws_access_key_id=A\naws_secret_access_key=a\n[profile work]\naws_access_key_id=B\naws_secret_access_key=b\n',
    )
    expect((await place.find({ AWS_PROFILE: 'work' })).accessKeyId).to.equal('B')
    expect((await place.find()).accessKeyId).to.equal('A')
  })

  it('in files elsewhere', async () => {
    const file = await place.write('elsewhere/keys', '[default]\naws_access_key_id=E\naws_secret_access_key=e\n')
    expect((await place.find({ AWS_SHARED_CREDENTIALS_FILE: file })).accessKeyId).to.equal('E')
    expect((await place.find({ AWS_SHARED_CREDENTIALS_FILE: '~/elsewhere/keys' })).accessKeyId).to.equal('E')
  })

  it('by a web identity, whose token is read from its file and sent unsigned', async () => {
    const file = await place.write('token', 'eyJ.web.identity\n')
    place.answer = () => roleAnswer('AssumeRoleWithWebIdentity', { id: 'ASIAWEB', secret: 'web-secret', token: 'web-token', expiration })
    const found = await place.find({
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/web',
      AWS_ROLE_SESSION_NAME: 'mine',
      AWS_ENDPOINT_URL_STS: place.origin,
    })
    expect(found).to.deep.equal({ accessKeyId: 'ASIAWEB', secretAccessKey: 'web-secret', sessionToken: 'web-token', expiresAt })
    expect(place.seen[0]?.headers['authorization']).to.equal(undefined)
    expect(Object.fromEntries(new URLSearchParams(place.seen[0]?.body))).to.deep.equal({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/web',
      RoleSessionName: 'mine',
      WebIdentityToken: 'eyJ.web.identity',
    })
  })

  it('at the endpoint of a container, with the token that its file has now', async () => {
    const file = await place.write('token', 'first')
    place.answer = () => jsonAnswer({ AccessKeyId: 'ASIABOX', SecretAccessKey: 'box-secret', Token: 'box-token', Expiration: expiration })
    const variables = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${place.origin}/credentials`, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file }
    expect(await place.find(variables)).to.deep.equal({
      accessKeyId: 'ASIABOX',
      secretAccessKey: 'box-secret',
      sessionToken: 'box-token',
      expiresAt,
    })
    await place.write('token', 'second')
    await place.find(variables)
    expect(place.seen.map(({ headers }) => headers['authorization'])).to.deep.equal(['first', 'second'])
  })

  it('refuses unencrypted addresses except those of this machine and the platform', async () => {
    for (const address of ['http://credentials.example.org/', 'http://169.254.169.254/', 'ftp://127.0.0.1/', 'no address']) {
      const { failure, reason } = await failureOf(place.find({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address }))
      expect(failure).to.equal('authentication')
      expect(reason).to.contain('AWS_CONTAINER_CREDENTIALS_FULL_URI')
    }
  })

  it('refuses a container token that no header can carry, without repeating it', async () => {
    const { failure, reason } = await failureOf(
      place.find({ AWS_CONTAINER_CREDENTIALS_FULL_URI: place.origin, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'se\ncret' }),
    )
    expect(failure).to.equal('authentication')
    expect(reason).to.not.contain('cret')
  })

  const instance = () => ({ AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: place.origin })

  it('at the metadata service of an instance, by its second version', async () => {
    place.answer = ({ url, headers }) => {
      if (url === '/latest/api/token' && headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600')
        return { headers: { 'content-type': 'text/plain' }, pieces: [Buffer.from('instance-token')] }
      if (headers['x-aws-ec2-metadata-token'] !== 'instance-token') return { status: 401, pieces: [] }
      if (url === '/latest/meta-data/iam/security-credentials/')
        return { headers: { 'content-type': 'text/plain' }, pieces: [Buffer.from('my-role')] }
      return jsonAnswer({
        Code: 'Success',
        AccessKeyId: 'ASIAEC2',
        SecretAccessKey: 'instance-secret',
        Token: 'ec2-token',
        Expiration: expiration,
      })
    }
    expect(await place.find(instance())).to.deep.equal({
      accessKeyId: 'ASIAEC2',
      secretAccessKey: 'instance-secret',
      sessionToken: 'ec2-token',
      expiresAt,
    })
    expect(place.seen.map(({ url }) => url)).to.deep.equal([
      '/latest/api/token',
      '/latest/meta-data/iam/security-credentials/',
      '/latest/meta-data/iam/security-credentials/my-role',
    ])
  })

  it('an instance whose role has no credentials says why', async () => {
    place.answer = ({ url }) =>
      url.endsWith('my-role')
        ? jsonAnswer({ Code: 'AssumeRoleUnauthorizedAccess' })
        : { headers: { 'content-type': 'text/plain' }, pieces: [Buffer.from(url.endsWith('token') ? 'instance-token' : 'my-role')] }
    expect((await failureOf(place.find(instance()))).reason).to.contain('AssumeRoleUnauthorizedAccess')
  })

  it('nowhere: reports where it looked, within seconds even if nothing answers', async function () {
    this.timeout(10_000)
    place.answer = () => ({ unanswered: 'hold', pieces: [] })
    const { failure, retryable, reason } = await failureOf(place.find(instance()))
    expect({ failure, retryable }).to.deep.equal({ failure: 'authentication', retryable: false })
    expect(reason).to.match(/^There are no AWS credentials in .* Set api_key or aws_profile/)
  })

  it('a missing profile, and one without credentials', async () => {
    await place.write('.aws/config', '[profile empty]\nregion = eu-west-1\n')
    expect((await failureOf(place.find(keys, 'missing'))).reason).to.equal(
      'There is no AWS profile “missing” in the shared configuration files.',
    )
    expect((await failureOf(place.find({ AWS_PROFILE: 'missing' }))).reason).to.contain('no AWS profile “missing”')
    expect((await failureOf(place.find(keys, 'empty'))).reason).to.equal('The AWS profile “empty” has no settings for credentials.')
    expect((await failureOf(place.find({ AWS_PROFILE: 'empty' }))).reason).to.contain('There are no AWS credentials')
  })

  it('an endpoint that is down or slow may be retried; one that refuses may not', async () => {
    const variables = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${place.origin}/credentials` }
    place.answer = () => jsonAnswer({}, 503)
    expect(await failureOf(place.find(variables))).to.include({ failure: 'transport', retryable: true })
    place.answer = () => jsonAnswer({}, 403)
    expect(await failureOf(place.find(variables))).to.include({ failure: 'authentication', retryable: false })
    place.answer = () => ({ unanswered: 'destroy', pieces: [] })
    expect(await failureOf(place.find(variables))).to.include({ failure: 'transport', retryable: true })
  })
})
