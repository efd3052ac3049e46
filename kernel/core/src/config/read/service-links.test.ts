import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { load, modelPlugins, plugin, refusalOf } from '../testing/configuration-fixture.js'

/** What Kubernetes sets in every pod of a namespace for a Service with one port. */
const kubernetes = (name: string, { port = 3001, protocol = 'tcp', host = '10.96.0.7', portName = '' } = {}) => {
  const place = `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const own = `${name}_PORT_${port}_${protocol.toUpperCase()}`
  return {
    [`${name}_SERVICE_HOST`]: host,
    [`${name}_SERVICE_PORT`]: String(port),
    ...(portName !== '' && { [`${name}_SERVICE_PORT_${portName}`]: String(port) }),
    [`${name}_PORT`]: place,
    [own]: place,
    [`${own}_PROTO`]: protocol,
    [`${own}_PORT`]: String(port),
    [`${own}_ADDR`]: host,
  }
}

const linksIn = (warnings: readonly string[]) => warnings.filter((warning) => warning.includes('enableServiceLinks: false'))

describe('variables about neighbours', () => {
  for (const [what, environment] of [
    ['of a Service that is called like a section', kubernetes('SERVICE_SERVER')],
    ['of one whose port has a name', kubernetes('SERVICE_DATABASE', { port: 5432, portName: 'TCP_POSTGRES' })],
    ['of one called “service”', kubernetes('SERVICE')],
    ['of one called “service-service”', kubernetes('SERVICE_SERVICE')],
    ['of one called like no section', kubernetes('SERVICE_REDIS')],
    ['of one called like a map', { ...kubernetes('SERVICE_MODELS'), ...kubernetes('SERVICE_PROVIDERS_OLLAMA') }],
    ['of one called like a field', { ...kubernetes('SERVICE_SERVER_HOST'), ...kubernetes('SERVICE_AUTH_ENCRYPTION') }],
    ['with udp', kubernetes('SERVICE_SERVER', { protocol: 'udp', port: 53 })],
    ['with sctp', kubernetes('SERVICE_SERVER', { protocol: 'sctp', port: 132 })],
    ['with IPv6', kubernetes('SERVICE_SERVER', { host: 'fd00:10:96::7' })],
    ['alone', { SERVICE_DATABASE_PORT: 'tcp://10.96.0.8:5432' }],
    [
      'of Docker’s links',
      {
        SERVICE_SERVER_NAME: '/web/service-server',
        SERVICE_SERVER_PORT: 'tcp://172.17.0.5:5432',
        SERVICE_SERVER_PORT_5432_TCP: 'tcp://172.17.0.5:5432',
        SERVICE_SERVER_PORT_5432_TCP_START: 'tcp://172.17.0.5:5432',
        SERVICE_SERVER_PORT_5432_TCP_PORT_END: '5440',
        SERVICE_SERVER_ENV_POSTGRES_PASSWORD: 'canary-4711',
      },
    ],
  ] as const)
    it(`${what} are ignored with one warning that names them`, async () => {
      const { server, warnings } = await load({ plugins: modelPlugins, environment })
      expect(server).to.include({ port: 3001, host: '127.0.0.1' })
      expect(linksIn(warnings)).to.have.length(1)
      for (const name of Object.keys(environment)) expect(linksIn(warnings)[0]).to.contain(name)
      expect(warnings.join('\n')).to.not.contain('does not name').and.not.contain('canary')
    })

  it('are named with the neighbours, at most twenty', async () => {
    const environment = { ...kubernetes('SERVICE_SERVER'), ...kubernetes('SERVICE_MAIL_OUT'), ...kubernetes('SERVICE_DATABASE') }
    const [warning] = linksIn((await load({ environment })).warnings)
    expect(warning).to.contain('service-database, service-mail-out, service-server').and.contain('and 1 more')
  })

  it('leave the settings beside them in effect', async () => {
    const { server } = await load({
      environment: { ...kubernetes('SERVICE_SERVER'), SERVICE_SERVER_PORT: '3002', SERVICE_SERVER_HOST: '::1' },
    })
    expect(server).to.include({ port: 3002, host: '::1' })
  })

  it('set a field that takes them', async () => {
    const own = plugin({
      id: 'feature-pods',
      sections: {
        pods: Type.Object(
          { service_host: Type.Optional(Type.String()), env: Type.Record(Type.String(), Type.String(), { default: {} }) },
          { default: {} },
        ),
      },
    })
    const configuration = await load({
      plugins: [own],
      environment: { ...kubernetes('SERVICE_PODS'), SERVICE_PODS_ENV__DB_PORT: 'tcp://10.96.0.8:5432' },
    })
    expect(configuration.configurationOf(own.manifest)).to.deep.equal({
      pods: { service_host: '10.96.0.7', env: { db_port: 'tcp://10.96.0.8:5432' } },
    })
  })

  it('hide no mistake', async () => {
    for (const [name, text] of [
      ['SERVICE_SERVER_PORT', 'tcp://localhost:3001'],
      ['SERVICE_SERVER_PORT', 'http://10.96.0.7:3001'],
      ['SERVICE_SERVER_PORT', '10.96.0.7:3001'],
      ['SERVICE_SERVER_PORT', 'tcp://10.96.0.7:99999'],
      ['SERVICE_SERVER_PORT', '3001x'],
      ['SERVICE_SERVER_PROT', 'tcp://10.96.0.7:3001'],
      ['SERVICE_SERVER_SERVICE_HOST', '10.96.0.7'],
      ['SERVICE_SERVER_SERVICE_PORT', '3001'],
      ['SERVICE_SERVER_PORT_3001', '3001'],
      ['SERVICE_SERVER_NAME', '/web/server'],
      ['SERVICE_SERVER_ENV_FOO', 'x'],
    ] as const)
      expect((await refusalOf({ environment: { [name]: text } })).join('\n'), `${name}=${text}`).to.contain(name)
  })

  it('hide no misspelt setting beside them', async () => {
    const problems = await refusalOf({
      environment: { ...kubernetes('SERVICE_SERVER'), SERVICE_SERVER_PROT: '3001', SERVICE_SERVER_HOTS: '10.96.0.7' },
    })
    expect(problems).to.have.length(2)
    expect(problems.join('\n')).to.contain('did you mean “SERVICE_SERVER_PORT”?').and.contain('did you mean “SERVICE_SERVER_HOST”?')
  })
})
