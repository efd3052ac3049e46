import assert from 'node:assert/strict'
import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { accountsService } from '@agent-service/sdk/services/accounts'
import { clockService } from '@agent-service/sdk/services/clock'
import { userFilesService } from '@agent-service/sdk/services/user-files'
import { createTestContext, describeMemoryBackend } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { memoryFileDamagedError } from './markdown.js'

const { signal } = new AbortController()

/** The plugin in a test context, for users with accounts. */
async function start() {
  const test = createTestContext(plugin)
  const { accounts, clock, userFiles } = test.services
  for (const id of ['user-ada', 'user-bob']) accounts.add({ id, username: id, handle: id, role: 'user', timezone: 'UTC' })
  const open = async () => {
    const again = createTestContext(plugin, {
      services: [
        [accountsService, accounts],
        [clockService, clock],
        [userFilesService, userFiles],
      ],
    })
    await again.setup()
    const [backend] = again.contributed(memoryBackends)
    assert.ok(backend)
    return backend
  }
  return { backend: await open(), open, clock, files: userFiles.files }
}

describeMemoryBackend({
  name: 'markdown',
  supports: { history: false, sweep: false, passes: false, revisions: false },
  async create() {
    const { backend, open, clock } = await start()
    return { backend, reopen: open, advance: (milliseconds) => clock.advance(milliseconds), close: async () => undefined }
  },
})

describe('the file of memories', () => {
  const path = 'user-ada/files/Memory/memories.md'
  const remember = async () => {
    const { backend, files } = await start()
    const { id } = await backend.remember(
      { userId: 'user-ada', scope: { kind: 'user' }, text: 'Likes tea.\nGreen tea.', key: '1' },
      { signal },
    )
    const read = (): string => new TextDecoder().decode(files.get(path))
    const write = (text: string): void => void files.set(path, new TextEncoder().encode(text))
    return { backend, id, read, write }
  }

  it('can be read', async () => {
    const { read, id } = await remember()
    const comment = read()
      .split('\n')
      .find((line) => line.startsWith('<!--'))
    assert.match(comment ?? '', new RegExp(`^<!-- memory .*"id":"${id}".* -->$`))
    assert.match(read(), /\n\n> Likes tea\.\n> Green tea\.\n$/)
  })

  it('can be edited', async () => {
    const { backend, read, write } = await remember()
    write(read().replace('> Green tea.', '> Oolong tea.\n>\n> Never coffee.\n\nA remark that is no memory.'))
    const { items } = await backend.list({ userId: 'user-ada' }, { limit: 9, signal })
    assert.deepEqual(
      items.map(({ text }) => text),
      ['Likes tea.\nOolong tea.\n\nNever coffee.'],
    )
  })

  it('is left as it is while it is damaged, and the error names the line', async () => {
    const { backend, id, read, write } = await remember()
    write(read().replace('"id":', '"id"'))
    const failure = await backend.change(id, { pinned: true }, { userId: 'user-ada', signal }).catch((error: unknown) => error)
    assert.ok(memoryFileDamagedError.isInstance(failure))
    assert.match(String(failure), /Line 5 /)
    assert.match(read(), /Green tea/)
  })
})
