import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { endMarked, markOf } from './marked-processes.js'

const execute = promisify(execFile)
const ordinary = 54_321

/** A process with a mark, as another local user can start one. */
const startMarked = async (folder: string) => {
  const child = spawn('/bin/sh', ['-c', 'echo ready; read -r end', 'sh', '--environment', `${folder}/environment`])
  await once(child.stdout, 'data')
  return child
}

describe('processes by their mark', () => {
  it('are ended with everything below them', async () => {
    const folder = `/run/marked-${process.pid}`
    const child = await startMarked(folder)
    const exited = once(child, 'exit')
    expect(await endMarked(markOf(folder))).to.deep.equal({ ended: 1, left: 0 })
    await exited
  })

  // Only root can start a process as another user.
  if (process.getuid?.() === 0)
    it('are left alone where another user has copied the mark', async () => {
      const folder = `/run/copied-${process.pid}`
      const child = await startMarked(folder)
      try {
        const script = `const { endMarked } = await import(${JSON.stringify(new URL('./marked-processes.js', import.meta.url).href)})
console.log(JSON.stringify(await endMarked(${JSON.stringify(markOf(folder))})))`
        const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', script], {
          ...{ uid: ordinary, gid: ordinary, cwd: '/', env: {} },
        })
        expect(JSON.parse(stdout)).to.deep.equal({ ended: 0, left: 0 })
        expect(child.exitCode ?? child.signalCode).to.equal(null)
      } finally {
        child.kill('SIGKILL')
      }
    })
})
