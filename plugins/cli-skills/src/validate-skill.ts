import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { bodyFromDisk } from './read-disk.js'

/** Checks a folder or an archive as an installation would, and installs nothing. */
export const validateSkillCommand = defineCommand({
  name: 'skills validate',
  summary: 'check a folder or an archive as an installation would, without installing it',
  arguments: [{ name: 'from', description: 'a folder or an archive', required: true }],
  async run({ arguments: [from = ''], request, print }) {
    const { from: _, ...what } = await bodyFromDisk(from)
    const found = objectOf(await request('POST', '/api/skills/validate', what))
    await print(`“${String(found['name'])}” can be installed: ${String(found['files'])} files, ${String(found['bytes'])} bytes.`)
    return { status: 0, json: found }
  },
})
