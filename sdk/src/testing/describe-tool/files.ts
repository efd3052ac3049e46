import { strict as assert } from 'node:assert'
import { checkToolFiles } from '../../contracts/tool/check-files.js'
import { assertMembers } from '../settle-within.js'
import { callTool } from './call-tool.js'
import type { ToolExample, ToolSuite } from './suite-options.js'

/** Rules for the files that a result names. */
export function describeFiles(suite: ToolSuite, example: ToolExample): void {
  const { create, runner, options, unchecked } = suite
  const call = async (tool = create()) => {
    const { files } = await callTool(options, tool, { input: structuredClone(example.input) }, { callId: 'call-with-files' })
    return { tool, files }
  }
  runner.it(`names files as paths of the workspace, each once: ${example.title}`, async () => {
    const { files } = await call()
    assert.deepEqual(
      checkToolFiles(files).map(({ path, message }) => `${path} ${message}`),
      [],
    )
    for (const [index, file] of (files ?? []).entries()) assertMembers(file, ['path'], `file ${index}`)
  })
  runner.it(`names files that are there when it answers: ${example.title}`, async () => {
    const { tool, files = [] } = await call()
    if (!Array.isArray(files) || files.length === 0) return
    const there = await suite.filesOf(tool)
    if (there === undefined) return unchecked.without('files', 'a file that a result names is in the workspace')
    assert.deepEqual(
      files.map(({ path }) => path).filter((path) => !there.includes(path)),
      [],
      'the result names files that are not in the workspace',
    )
  })
}
