import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

const start = 'kernel/scripts/start.mjs'

/**
 * Stands for the service: prints its arguments and each signal; ends with the status that the last
 * argument names, or on `SIGTERM`.
 */
const service = `
const status = Number(process.argv.at(-1))
if (Number.isInteger(status)) process.exit(status)
const timer = setInterval(() => undefined, 1000)
process.on('SIGINT', () => process.stdout.write('got SIGINT\\n'))
process.on('SIGTERM', () => {
  process.stdout.write('got SIGTERM\\n')
  clearInterval(timer)
})
process.stdout.write('ready with ' + process.argv.slice(2).join(' ') + '\\n')
`

describe('npm start', () => {
  let tree: RepositoryTree

  before(async () => {
    tree = await createRepositoryTree()
    await tree.write('kernel/cli/bin/agent-service.mjs', service)
    expect((await tree.node(['kernel/scripts/build.mjs'])).code).to.equal(0)
  })

  after(() => tree.remove())

  for (const status of [0, 1, 78]) {
    it(`passes on the exit status ${status}`, async () => {
      expect(await tree.node([start, String(status)])).to.deep.equal({ code: status, output: '' })
    })
  }

  it('passes on arguments, and a doubled signal only once', async () => {
    const program = tree.start([start, '--demo'])
    await program.printed(/ready with start --demo\n/)
    program.signal('SIGINT')
    program.signal('SIGINT')
    await program.printed(/got SIGINT\n/)
    program.signal('SIGTERM')
    const result = await program.ended
    expect(result).to.deep.equal({ code: 0, output: 'ready with start --demo\ngot SIGINT\ngot SIGTERM\n' })
  })
})
