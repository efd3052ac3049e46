import { expect } from 'chai'
import { startChild } from './child.js'

/** Starts a program of its own and waits for it, as `tsc` does from TypeScript 7 on before Node 22.15. */
const leader = "require('node:child_process').execFileSync('sh', ['-c', 'echo at work; exec sleep 600'], { stdio: 'inherit' })"

describe('a child of dev', () => {
  it('ends with the program that it leads', async () => {
    let working: (line: string) => void = () => undefined
    const line = new Promise<string>((resolve) => {
      working = resolve
    })
    const child = startChild(['-e', leader], { cwd: process.cwd(), environment: process.env, leads: true, onLine: working })
    expect(await line).to.equal('at work')
    await child.stop()
    expect(await child.ended).to.not.equal(0)
  })

  it('is stopped after it has ended, which changes nothing', async () => {
    const child = startChild(['-e', ''], { cwd: process.cwd(), environment: process.env, leads: true, onLine: () => undefined })
    expect(await child.ended).to.equal(0)
    await child.stop()
    expect(await child.ended).to.equal(0)
  })
})
