import { expect } from 'chai'
import type { SandboxDestination } from '../../contracts/sandbox-driver/index.js'
import { openDestination, type Permitted } from './destinations.js'

const known: Readonly<Record<string, readonly string[]>> = {
  ...{ 'public.example': ['93.184.216.34'], 'mixed.example': ['93.184.216.34', '10.0.0.1'], 'inner.example': ['192.168.1.1'] },
  ...{ 'two.example': ['93.184.216.34', '2606:2800:220:1::1'], 'mapped.example': ['::ffff:127.0.0.1'] },
}
const resolve = async (host: string): Promise<readonly string[]> => known[host] ?? []
const all: Permitted = { access: 'on', destinations: [] }
const listed: Permitted = {
  access: 'some',
  destinations: [{ host: 'public.example', port: 443 }, { host: '*.example.org' }, { host: '93.184.216.34' }, { host: '127.0.0.1' }],
}

describe('destinations of sandboxed processes', () => {
  const reached = (permitted: Permitted, host: string, port: number) =>
    openDestination(permitted, host, port, { resolve }).then((found) => ('closed' in found ? found.closed : found.addresses.join(' ')))

  const cases: readonly (readonly [Permitted, string, number, string])[] = [
    [listed, 'public.example', 443, '93.184.216.34'],
    [listed, 'PUBLIC.example.', 443, '93.184.216.34'],
    [listed, 'public.example', 80, 'not allowed'],
    [listed, 'other.example', 443, 'not allowed'],
    [listed, 'a.example.org', 443, 'not found'],
    [listed, 'example.org', 443, 'not allowed'],
    [listed, 'evilexample.org', 443, 'not allowed'],
    [listed, 'public.example\0.example.org', 443, 'not found'],
    [listed, 'public.example#.example.org', 443, 'not found'],
    [listed, 'public.example/.example.org', 443, 'not found'],
    [listed, 'public.example%00.example.org', 443, 'not found'],
    [listed, 'public.example .example.org', 443, 'not found'],
    [listed, 'public.example..example.org', 443, 'not found'],
    [listed, '.example.org', 443, 'not found'],
    [listed, '*.example.org', 443, 'not found'],
    [listed, '', 443, 'not found'],
    [listed, 'public.example', 0, 'not found'],
    [listed, `${'a'.repeat(300)}.example.org`, 443, 'not found'],
    [listed, '93.184.216.34', 22, '93.184.216.34'],
    [listed, '::ffff:93.184.216.34', 22, '93.184.216.34'],
    [listed, '64:ff9b::5db8:d822', 22, '93.184.216.34'],
    [listed, '93.184.216.35', 22, 'not allowed'],
    [listed, '127.0.0.1', 80, 'not public'],
    [all, 'two.example', 443, '93.184.216.34 2606:2800:220:1::1'],
    [all, 'mixed.example', 80, 'not public'],
    [all, 'inner.example', 80, 'not public'],
    [all, 'mapped.example', 80, 'not public'],
    [{ access: 'off', destinations: [] }, 'public.example', 80, 'not allowed'],
    ...[
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '0', '0.0.0.0', '[::]', '::', '[::1]', '::1', '::1%lo'],
      ...[
        '::ffff:127.0.0.1',
        '[::ffff:7f00:1]',
        '64:ff9b::7f00:1',
        '①②⑦.0.0.1',
        '127。0。0。1',
        '2002:7f00:1::',
        'fe80::1',
        'fe80::1%eth0',
      ],
      ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '2852039166', '0xa9fea9fe', '[fd00:ec2::254]', '100.100.100.200'],
      ...['168.63.129.16', '100.64.0.1', '224.0.0.1', '255.255.255.255', 'ff02::1', 'fec0::1'],
    ].map((host) => [all, host, 80, 'not public'] as const),
    [all, 'localhost', 80, 'not found'],
    [all, 'localhost.', 80, 'not found'],
  ]
  for (const [permitted, host, port, expected] of cases)
    it(`${permitted.access}: ${JSON.stringify(host)}, port ${port}: ${expected}`, async () => {
      expect(await reached(permitted, host, port)).to.equal(expected)
    })

  it('are asked of the host where the list does not have them: the name before it is looked up, then each address', async () => {
    const asked: SandboxDestination[] = []
    const looked: string[] = []
    const open = (answers: (destination: SandboxDestination) => boolean | Promise<boolean>, host: string) =>
      openDestination(
        {
          access: 'some',
          destinations: [{ host: 'public.example' }],
          allows: async (destination) => {
            asked.push(destination)
            return answers(destination)
          },
        },
        host,
        443,
        {
          resolve: (name) => {
            looked.push(name)
            return resolve(name)
          },
        },
      )
    expect(await open(() => false, 'Two.example.')).to.deep.equal({ closed: 'not allowed' })
    expect(looked, 'a refused name was looked up').to.deep.equal([])
    expect(await open(() => false, 'public.example')).to.have.property('addresses')
    expect(asked.splice(0)).to.deep.equal([{ host: 'two.example', port: 443 }])
    const fourth = await open(({ address }) => address !== '2606:2800:220:1::1', 'two.example')
    expect(fourth).to.deep.equal({ host: 'two.example', addresses: ['93.184.216.34'] })
    expect(asked.splice(0)).to.deep.equal([
      { host: 'two.example', port: 443 },
      { host: 'two.example', port: 443, address: '93.184.216.34' },
      { host: 'two.example', port: 443, address: '2606:2800:220:1::1' },
    ])
    expect(await open(() => true, '::ffff:93.184.216.34')).to.deep.equal({ host: '93.184.216.34', addresses: ['93.184.216.34'] })
    expect(asked.splice(0)).to.deep.equal([{ host: '93.184.216.34', port: 443, address: '93.184.216.34' }])
    expect(await open(() => true, '127.0.0.1'), 'the host cannot open what is not public').to.deep.equal({ closed: 'not public' })
    expect(await open(() => true, 'mixed.example')).to.deep.equal({ closed: 'not public' })
    expect(await open(() => Promise.reject(new Error('no engine')), 'two.example')).to.deep.equal({ closed: 'not decided' })
    expect(await open(() => 'yes' as never, 'two.example')).to.deep.equal({ closed: 'not allowed' })
  })

  it('are closed when the process does not wait for the answer any more', async () => {
    const stop = new AbortController()
    const seen: AbortSignal[] = []
    const allows = (_: SandboxDestination, { signal }: { readonly signal: AbortSignal }): Promise<boolean> => {
      seen.push(signal)
      stop.abort()
      return new Promise(() => undefined)
    }
    const opening = openDestination(
      { access: 'some', destinations: [], allows },
      ...(['two.example', 443, { resolve }, stop.signal] as const),
    )
    expect(await opening).to.deep.equal({ closed: 'not decided' })
    expect(seen.map(({ aborted }) => aborted)).to.deep.equal([true])
  })
})
