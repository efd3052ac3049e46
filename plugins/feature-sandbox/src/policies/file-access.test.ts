import type { FilePattern } from '@agent-service/sdk/contracts/policy-engine'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import { createFakePolicies, createFakeUserFiles } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { testPrincipal } from '../test-support/sandbox-under-test.js'
import { fileAccess, maxNames } from './file-access.js'

describe('the files of a process', () => {
  let files: ReturnType<typeof createFakeUserFiles>
  let asked: PolicyRequest[]
  let listed: number

  beforeEach(() => {
    files = createFakeUserFiles()
    asked = []
    listed = 0
  })

  const add = (...paths: readonly string[]): void => {
    for (const path of paths) files.files.set(`ada/workspaces/assistant/${path}`, new Uint8Array())
  }
  const lists = (
    decide: (action: string, path: string) => boolean,
    filePatterns: () => Promise<readonly FilePattern[] | undefined> = async () => undefined,
  ) => {
    const policies = createFakePolicies()
    policies.decide((request) => {
      asked.push(request)
      return decide(request.action, request.resource.id.replace('workspaces/assistant', ''))
    })
    const counted = {
      folder: (...place: Parameters<typeof files.folder>) => {
        const folder = files.folder(...place)
        const list: typeof folder.list = (...of) => {
          listed += 1
          return folder.list(...of)
        }
        return { ...folder, list }
      },
    }
    const place = { workspace: '/w', signal: new AbortController().signal, files: counted }
    return fileAccess(testPrincipal, { ...place, policies: { allowedOf: policies.allowedOf, filePatterns } })
  }
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => (sandboxRefusedError.isInstance(error) ? error.message : error))

  it('are not looked at where no policy tells them apart', async () => {
    add(...Array.from({ length: 30_000 }, (_, number) => `node_modules/${number}`))
    const patterns = [
      ['workspaces/', ''],
      ['workspaces/other/', ''],
    ]
    expect(
      await lists(
        () => true,
        async () => patterns,
      ),
    ).to.deep.equal({ read: [], write: ['/w'], deny: [] })
    // Whether it may be read, and whether it may be changed.
    expect([listed, asked.length]).to.deep.equal([0, 2])
  })

  it('are closed by a policy in whichever form the disk has their names', async () => {
    const [composed, decomposed] = ['Gr\u00f6\u00dfe', 'Gro\u0308\u00dfe']
    add('a.md', `${decomposed}/a.md`, 'b/c.md')
    const found = await lists(
      (_, path) => !path.startsWith(`/${composed}`),
      async () => [[`workspaces/assistant/${composed}`, '']],
    )
    expect(found).to.deep.equal({ read: [], write: ['/w'], deny: [`/w/${decomposed}`] })
  })

  it('are granted as far as what may be made in the workspace', async () => {
    const below: readonly FilePattern[] = [['workspaces/assistant/', '']]
    expect(
      await lists(
        (action, path) => action === 'read_file' || path === '',
        async () => below,
      ),
    ).to.deep.equal({ read: ['/w'], write: [], deny: [] })
    expect(
      await refusal(
        lists(
          (_, path) => path === '',
          async () => below,
        ),
      ),
    ).to.include('do not let it read its workspace')
  })

  it('are looked at in those folders alone that a policy divides, and asked about once for each pattern', async () => {
    add('a/secret', 'a/b/c', 'd/e/f', ...Array.from({ length: 3_000 }, (_, number) => `d/${number}`))
    const patterns = [['workspaces/assistant/a/sec', '']]
    expect(
      await lists(
        (_, path) => path !== '/a/secret',
        async () => patterns,
      ),
    ).to.deep.equal({ read: [], write: ['/w', '/w/a'], deny: ['/w/a/secret'] })
    // The workspace and a, each with one question about reading and one about writing for a name that fits and one that does not.
    expect([listed, asked.length]).to.deep.equal([2, 4])
  })

  it('are all asked about where it is not known what policies look at, and too many are refused', async () => {
    add('a/b', 'c')
    expect(await lists((action, path) => action === 'read_file' || path !== '/a/b')).to.deep.equal({
      read: ['/w/a/b'],
      write: ['/w', '/w/a'],
      deny: [],
    })
    add(...Array.from({ length: maxNames.oneByOne }, (_, number) => `many/${number}`))
    expect(await refusal(lists(() => true))).to.include('more names than can be looked at')
  })

  it('name every folder above a listed path, with its own rights, so that none can be moved', async () => {
    add('a/b/secret', 'a/out/c/mine', 'd/e')
    const given = await lists(
      (action, path) => path !== '/a/b/secret' && (action === 'read_file' || !path.startsWith('/a') || path.startsWith('/a/out')),
    )
    expect(given).to.deep.equal({ read: ['/w/a', '/w/a/b'], write: ['/w', '/w/a/out'], deny: ['/w/a/b/secret'] })
  })

  it('follow policies that change meanwhile', async () => {
    add('a')
    const versions: (readonly FilePattern[])[] = [
      [],
      [['workspaces/assistant/a']],
      [['workspaces/assistant/a']],
      [['workspaces/assistant/a']],
    ]
    expect(
      await lists(
        (_, path) => path !== '/a',
        async () => versions.shift(),
      ),
    ).to.deep.equal({ read: [], write: ['/w'], deny: ['/w/a'] })
    let number = 0
    expect(
      await refusal(
        lists(
          () => true,
          async () => {
            number += 1
            return [[String(number)]]
          },
        ),
      ),
    ).to.include('change faster')
  })
})
