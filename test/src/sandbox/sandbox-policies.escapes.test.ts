import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxDestination } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { probe } from './support/probe-plugin.js'
import { agentOf, type ProbedKernel, shell, startProbedKernel } from './support/probed-kernel.js'

const signal = new AbortController().signal
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { readonly code?: unknown; readonly message: string }) => error.code ?? error,
  )

describe('policies and the sandbox', function () {
  this.timeout(60_000)
  let probed: ProbedKernel
  let agent: SandboxPrincipal
  let workspace: string

  before(async () => {
    probed = await startProbedKernel()
    agent = await agentOf(probed.admin, 'ada')
    workspace = path.join(probed.kernel.folder, 'data', 'users', 'ada', 'workspaces', agent.workspace)
  })
  after(() => probed?.stop())

  /** What a process of the agent would be given now. */
  const granted = async (principal = agent, more = {}) => {
    const running = await shell(probed.sandbox, principal, 'true', more)
    await running.exited
    const request = probe.requests.at(-1)
    if (request === undefined) throw new Error('Nothing was run.')
    return request
  }
  const reaches = async (destination: SandboxDestination, principal = agent): Promise<boolean> => {
    const { network } = await granted(principal)
    return network.access === 'some' && (await network.allows?.(destination, { signal })) === true
  }
  const to = (host: string, port = 443, address?: string): SandboxDestination => ({
    host,
    port,
    ...(address === undefined ? {} : { address }),
  })

  describe('about the network', () => {
    it('give everything that no policy forbids, by default', async () => {
      expect(await reaches(to('example.org'))).to.equal(true)
      expect(await reaches(to('example.org', 443, '93.184.215.14'))).to.equal(true)
      const { forward } = (await granted()).network
      // A listener of its own: what comes from a program never counts as a request of the machine.
      expect(forward[0]?.to.port).to.not.equal(Number(new URL(probed.kernel.url).port))
      expect(forward).to.deep.equal([{ port: 61_000, to: { host: '127.0.0.1', port: forward[0]?.to.port } }])
    })

    it('close a host, a port and an address', async () => {
      await probed.under(
        'forbid (principal, action == Action::"connect", resource) when { resource.host like "*.evil.example" };',
        async () => {
          expect([await reaches(to('www.evil.example')), await reaches(to('good.example'))]).to.deep.equal([false, true])
        },
      )
      const port = 'forbid (principal, action == Action::"connect", resource) when { resource has port && resource.port == 25 };'
      await probed.under(port, async () => {
        expect([await reaches(to('mail.example', 25)), await reaches(to('mail.example', 443))]).to.deep.equal([false, true])
      })
      const address = 'forbid (principal, action == Action::"connect", resource) when { resource.host == "93.184.215.14" };'
      await probed.under(address, async () => {
        expect(await reaches(to('example.org'))).to.equal(true)
        expect(await reaches(to('example.org', 443, '93.184.215.14'))).to.equal(false)
        expect(await reaches(to('93.184.215.14', 443, '93.184.215.14'))).to.equal(false)
      })
    })

    it('close everything, for one agent or all, and follow a change while the process runs', async () => {
      const other = await agentOf(probed.admin, 'ada', { name: 'Other' })
      await probed.under(`forbid (principal == Agent::"${agent.id}", action == Action::"connect", resource);`, async () => {
        expect([await reaches(to('example.org')), await reaches(to('example.org'), other)]).to.deep.equal([false, true])
      })
      const { network } = await granted()
      await probed.under('forbid (principal, action == Action::"connect", resource);', async () => {
        expect(await network.allows?.(to('example.org'), { signal })).to.equal(false)
      })
      expect(await network.allows?.(to('example.org'), { signal })).to.equal(true)
    })

    it('do not widen what the owner of the agent or the caller allows', async () => {
      const offline = await agentOf(probed.admin, 'ada', { name: 'Offline', sandbox: { network: false } })
      await probed.under('permit (principal, action == Action::"connect", resource);', async () => {
        expect((await granted(offline)).network).to.deep.include({ access: 'off', destinations: [] })
        expect((await granted(agent, { network: 'off' })).network).to.deep.include({ access: 'off', destinations: [] })
        // The service's own API stays open.
        expect((await granted(offline)).network.forward).to.have.length(1)
      })
    })

    it('are noted when they refuse, once for each destination', async () => {
      await probed.under(
        'forbid (principal, action == Action::"connect", resource) when { resource.host == "noted.example" };',
        async () => {
          for (let time = 0; time < 3; time += 1) await reaches(to('noted.example'))
        },
      )
      const { body } = await probed.admin.request('GET', '/api/admin/audit?kind=sandbox_connection.refused')
      const noted = (body['items'] as readonly { readonly details: { readonly host?: string } }[]).filter(
        ({ details }) => details.host === 'noted.example',
      )
      expect(noted).to.have.length(1)
    })
  })

  describe('about files', () => {
    const make = async (...files: readonly string[]): Promise<void> => {
      for (const file of files) {
        await mkdir(path.dirname(path.join(workspace, file)), { recursive: true })
        await writeFile(path.join(workspace, file), 'text')
      }
    }
    const at = (name: string): string => path.join(workspace, name)
    const forbid = (action: string, pattern: string): string =>
      `forbid (principal, action == Action::"${action}", resource) when { resource.path like "workspaces/${agent.workspace}/${pattern}" };`
    afterEach(() => rm(workspace, { recursive: true, force: true }))

    it('give the workspace, and nothing else, by default', async () => {
      await make('a/b.txt')
      expect((await granted()).files).to.deep.equal({ read: [], write: [workspace], deny: [] })
    })

    it('close files and folders that are forbidden, at any depth', async () => {
      await make('notes.md', 'secret/key', 'src/.env', 'src/main.py')
      await probed.under(forbid('read_file', 'secret*'), async () => {
        expect((await granted()).files).to.deep.equal({ read: [], write: [workspace], deny: [at('secret')] })
      })
      await probed.under(forbid('read_file', '*.env'), async () => {
        expect((await granted()).files.deny).to.deep.equal([at('src/.env')])
        // The next process is asked about anew.
        await make('other.env')
        expect((await granted()).files.deny).to.have.members([at('src/.env'), at('other.env')])
      })
    })

    it('give what may only be read for reading', async () => {
      await make('data/a.csv', 'out/b.txt')
      await probed.under(forbid('write_file', 'data*'), async () => {
        expect((await granted()).files).to.deep.equal({ read: [at('data')], write: [workspace], deny: [] })
      })
      await probed.under('forbid (principal, action == Action::"write_file", resource);', async () => {
        expect((await granted()).files).to.deep.equal({ read: [workspace], write: [], deny: [] })
      })
      await probed.under(
        `forbid (principal, action == Action::"write_file", resource) unless { resource.path like "workspaces/${agent.workspace}/out*" };`,
        async () => {
          expect((await granted()).files).to.deep.equal({ read: [workspace], write: [at('out')], deny: [] })
        },
      )
    })

    it('let nothing run where the workspace may not be read', async () => {
      await probed.under('forbid (principal, action == Action::"read_file", resource);', async () => {
        expect(await codeOf(granted())).to.equal('sandbox_refused')
      })
      const { body } = await probed.admin.request('GET', '/api/admin/audit?kind=sandbox_process.refused')
      expect(JSON.stringify(body['items'])).to.include('do not let it read its workspace')
    })
  })
})

describe('the sandbox without network by default', function () {
  this.timeout(60_000)

  it('reaches what a policy permits, unless another one forbids it', async () => {
    const probed = await startProbedKernel({ SERVICE_SANDBOX_DEFAULT_NETWORK_ACCESS: 'false' })
    try {
      const agent = await agentOf(probed.admin, 'ada')
      await (await shell(probed.sandbox, agent, 'true')).exited
      const reaches = (host: string, address?: string) =>
        probe.requests.at(-1)?.network.allows?.({ host, port: 443, ...(address === undefined ? {} : { address }) }, { signal })
      expect(await reaches('pypi.org')).to.equal(false)
      await probed.under(
        'permit (principal is Agent, action == Action::"connect", resource) when { resource.host like "*pypi.org" };',
        async () => {
          expect([await reaches('pypi.org'), await reaches('pypi.org', '151.101.0.223'), await reaches('example.org')]).to.deep.equal([
            true,
            true,
            false,
          ])
          await probed.under(
            'forbid (principal, action == Action::"connect", resource) when { resource.host == "test.pypi.org" };',
            async () => {
              expect([await reaches('pypi.org'), await reaches('test.pypi.org')]).to.deep.equal([true, false])
            },
          )
        },
      )
    } finally {
      await probed.stop()
    }
  })
})
