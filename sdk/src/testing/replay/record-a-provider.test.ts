import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bytesOf, type ReplayServer, startReplayServer } from './replay-server.js'

const run = promisify(execFile)
const sdkFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const key = 'key-of-the-author-0123456789'

describe('docs/record-a-provider.md', function () {
  this.timeout(30_000)
  let folder: string
  let vendor: ReplayServer

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-docs-'))
    vendor = await startReplayServer(({ headers }) => ({
      headers: { 'content-type': 'text/event-stream' },
      pieces: ['Hëllo', headers['authorization'] === `Bearer ${key}` ? ', friend' : ', stranger'].map((text) =>
        bytesOf(`data: ${JSON.stringify({ text })}\n\n`),
      ),
    }))
    const page = await readFile(path.join(sdkFolder, 'docs', 'record-a-provider.md'), 'utf8')
    for (const [, name, text] of page.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g))
      await writeFile(path.join(folder, String(name)), String(text))
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await mkdir(path.join(folder, 'node_modules', '@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules', '@agent-service', 'sdk'))
  })

  after(async () => {
    await vendor.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('records and replays as documented', async () => {
    const env = { VENDOR_URL: vendor.baseUrl, VENDOR_KEY: key }
    const recorded = await run(process.execPath, ['record.js'], { cwd: folder, env })
    expect(recorded.stdout).to.equal('recorded greeting.0\n')
    expect(vendor.seen[0]?.url).to.equal('/v1/chat')
    const stream = await readFile(path.join(folder, 'recordings', 'greeting.0.response.sse'), 'utf8')
    expect(stream).to.contain('Hëllo').and.contain('friend').and.not.contain(key)
    const replayed = await run(process.execPath, ['replay.js'], { cwd: folder, env: {} })
    expect(replayed.stdout).to.equal('replayed 2 events\n')
  })
})
