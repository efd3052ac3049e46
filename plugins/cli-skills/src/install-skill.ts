import { defineCommand, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { bodyFromDisk } from './read-disk.js'
import { placeOf, placeOptions } from './skill-words.js'

/** Installs a skill from the operator's disk, or from an address. */
export const installSkillCommand = defineCommand({
  name: 'skills install',
  summary: 'install a skill from a folder, a .zip or .tar.gz archive, or an https address',
  arguments: [{ name: 'from', description: 'a folder, an archive or an https address', required: true }],
  options: [...placeOptions, { name: 'replace', description: 'replace a skill of the same name' }],
  async run({ arguments: [from = ''], options, request, print }) {
    const { prefix, agent } = placeOf(options)
    const what = /^https:\/\//.test(from) ? { url: from } : await bodyFromDisk(from)
    const skill = objectOf(await request('POST', `${prefix}/install`, { ...what, ...agent, replace: options['replace'] === true }))
    const { sha256 } = objectOf(skill['installation'])
    await print(`“${String(skill['name'])}” is installed (${String(skill['source'])}, SHA-256 ${String(sha256)}).`)
    return { status: 0, json: skill }
  },
})
