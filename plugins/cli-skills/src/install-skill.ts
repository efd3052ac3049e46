import type { JsonObject } from '@agent-service/sdk'
import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { eachSkill } from './each-skill.js'
import { bodyFromDisk } from './read-disk.js'
import { placeOf, placeOptions } from './skill-words.js'

/** Installs skills from the operator's disk, or one from an address. */
export const installSkillCommand = defineCommand({
  name: 'skills install',
  summary: 'install a skill from a folder, a .zip or .tar.gz archive, or an https address, or all of a folder of such folders',
  arguments: [{ name: 'from', description: 'a folder, a folder of such folders, an archive or an https address', required: true }],
  options: [...placeOptions, { name: 'replace', description: 'replace a skill of the same name' }],
  async run(context) {
    const { arguments: given, options, request, print } = context
    const [from = ''] = given
    const { prefix, agent } = placeOf(options)
    const install = async (what: JsonObject): Promise<JsonObject> => {
      const skill = objectOf(await request('POST', `${prefix}/install`, { ...what, ...agent, replace: options['replace'] === true }))
      const { sha256 } = objectOf(skill['installation'])
      await print(`“${String(skill['name'])}” is installed (${String(skill['source'])}, SHA-256 ${String(sha256)}).`)
      return skill
    }
    return eachSkill(from, context, async (path) => install(/^https:\/\//.test(path) ? { url: path } : await bodyFromDisk(path)))
  },
})
