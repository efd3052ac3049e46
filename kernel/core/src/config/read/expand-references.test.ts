import { expect } from 'chai'
import { load, modelPlugins, refusalOf } from '../testing/configuration-fixture.js'

const sectionsOf = (configuration: Awaited<ReturnType<typeof load>>): unknown => {
  const [owner] = modelPlugins
  return owner ? configuration.configurationOf(owner.manifest) : undefined
}

describe('references in the file', () => {
  it('are replaced once and read by the field’s type', async () => {
    const { server, auth, plugins } = await load({
      yaml: 'server:\n  port: ${PORT}\n  base_url: https://${HOST}:${PORT}/x\nauth:\n  encryption_secret: "${SECRET}"\n  allow_registration: ${ALLOW}\nplugins:\n  disabled: ${LIST}\n',
      environment: { PORT: '81', HOST: 'a.example', SECRET: '${PORT}$PORT', ALLOW: 'false', LIST: '["x"]' },
    })
    expect(server).to.include({ port: 81, base_url: 'https://a.example:81/x' })
    expect(auth).to.include({ encryption_secret: '${PORT}$PORT', allow_registration: false })
    expect(plugins.disabled).to.deep.equal(['x'])
  })

  it('leave $NAME and keys alone', async () => {
    const { auth } = await load({ yaml: 'auth: { encryption_secret: "a$PORT$b" }', environment: { PORT: '1' } })
    expect(auth.encryption_secret).to.equal('a$PORT$b')
    expect((await refusalOf({ yaml: '"${PORT}": {}', environment: { PORT: 'server' } })).join('\n')).to.match(/is not known here/)
  })

  it('of any other form are an error', async () => {
    for (const text of ['${PORT:-1}', '${}', '${1A}', 'a${', '${A-B}', '${A B}']) {
      const problems = await refusalOf({ yaml: `server:\n  base_url: '${text}'\n`, environment: { PORT: '1' } })
      expect(problems.join('\n'), text).to.match(/server.base_url: contains “\$\{” that is not a reference.* \(2:13\)/)
    }
  })

  it('to a missing variable unset an optional text, and are an error with its name for another type', async () => {
    const { server, sourceOf } = await load({ yaml: 'server: { base_url: "${NONE}", cors_origins: "" }', environment: { NONE: '' } })
    expect(server).to.not.have.any.keys('base_url', 'cors_origins')
    expect(sourceOf('server.base_url')).to.equal('default')
    const problems = await refusalOf({ yaml: 'server: { port: "${NONE}" }\nauth: { encryption_secret: "${NONE_EITHER}" }\n' })
    expect(problems.join('\n')).to.match(/server.port: NONE is not set/)
    expect(problems.join('\n')).to.match(/auth.encryption_secret: must not be empty.*\$\{NONE_EITHER\}/)
  })

  it('do not show their values', async () => {
    const problems = await refusalOf({
      yaml: 'server: { port: "${KEY}", log_level: "${KEY}", static_dir: 1 }\nscheduler: { poll_secs: "x${KEY}" }\n',
      environment: { KEY: 'canary-4711' },
    })
    expect(problems.join('\n')).to.not.contain('canary')
    expect(problems.join('\n')).to.match(/server.port: must be a whole number; the value of \$\{KEY\} is not/)
    expect(problems).to.have.length(4)
  })

  it('are kept if they are resolved at use, with a warning for a missing variable', async () => {
    const configuration = await load({
      yaml: 'providers:\n  one: { api_key: "${KEY_ONE}" }\n  two: { api_key: "pre-${KEY_TWO}" }\n  three: { api_key: inline-key }\n',
      environment: { KEY_TWO: 'value-two' },
    })
    expect(sectionsOf(configuration)).to.have.nested.property('providers.one.api_key', '${KEY_ONE}')
    expect(sectionsOf(configuration)).to.have.nested.property('providers.two.api_key', 'pre-${KEY_TWO}')
    expect(configuration.warnings.join('\n'))
      .to.match(/KEY_ONE is not set/)
      .and.not.match(/KEY_TWO/)
    expect(configuration.secrets).to.have.members(
      ['pre-value-two', 'value-two', 'inline-key', 'pre-'].filter((secret) => secret !== 'pre-'),
    )
    expect((await refusalOf({ yaml: 'providers: { one: { api_key: "${K:-x}" } }' })).join('\n')).to.match(/not a reference/)
  })

  it('are literal inside extra_params, with null as a value', async () => {
    const yaml =
      'models:\n  primary:\n    provider: a\n    extra_params: { a: "${HOME}", b: ["${X:-1}", null], c: null, "${K}": { d: "$" } }\n'
    const configuration = await load({ yaml, environment: { HOME: 'x' } })
    expect(sectionsOf(configuration))
      .to.have.nested.property('models.primary.extra_params')
      .that.deep.equals({ a: '${HOME}', b: ['${X:-1}', null], c: null, '${K}': { d: '$' } })
  })
})
