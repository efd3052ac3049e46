import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { eachSkill } from './each-skill.js'
import { bodyFromDisk } from './read-disk.js'

/** Checks folders or an archive as an installation would, and installs nothing. */
export const validateSkillCommand = defineCommand({
  name: 'skills validate',
  summary: 'check a folder, a collection of folders or an archive as an installation would, without installing it',
  arguments: [{ name: 'from', description: 'a folder, a folder of such folders, or an archive', required: true }],
  async run(context) {
    const { arguments: given, request, print } = context
    return eachSkill(given[0] ?? '', context, async (path) => {
      const { from: _, ...what } = await bodyFromDisk(path)
      const found = objectOf(await request('POST', '/api/skills/validate', what))
      await print(`“${String(found['name'])}” can be installed. Files: ${String(found['files'])}, bytes: ${String(found['bytes'])}.`)
      return found
    })
  },
})
