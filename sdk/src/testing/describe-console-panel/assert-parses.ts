import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Fails for text that is no module of JavaScript. Nothing of it runs. */
export async function assertParses(text: string, name = 'the module'): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-panel-'))
  try {
    const copy = path.join(folder, 'module.mjs')
    await writeFile(copy, text)
    const fault = await promisify(execFile)(process.execPath, ['--check', copy]).then(
      () => undefined,
      (error: { readonly stderr?: string }) => error.stderr ?? String(error),
    )
    const [, where] = /module\.mjs:(\d+)/.exec(fault ?? '') ?? []
    const [what] = /SyntaxError: .*/.exec(fault ?? '') ?? [fault]
    assert.equal(fault, undefined, `${name} is no JavaScript, line ${where}: ${what}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
